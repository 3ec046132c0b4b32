import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { TestDaemon } from "../support/daemon.ts";
import { runScenario, type Ran } from "./run.ts";

export type Scenario = readonly [scenario: string, version: string];

/** Scenarios for an endpoint that lends toolsets: those that need no tools, prompts or resources of the runner's own. */
const ofToolsets: readonly Scenario[] = [
  ["server-initialize", "2025-11-25"],
  ["server-session-lifecycle", "2025-11-25"],
  ["ping", "2025-11-25"],
  ["tools-list", "2025-11-25"],
  ["dns-rebinding-protection", "2025-11-25"],
  ["tools-list", "2026-07-28"],
  ["server-stateless", "2026-07-28"],
  ["caching", "2026-07-28"],
  ["http-header-validation", "2026-07-28"],
  ["dns-rebinding-protection", "2026-07-28"],
];

/** Checks that need tools or resources of the runner's own server. */
const OF_FIXTURES = [
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
  "sep-2575-server-sends-prompts-list-changed-on-subscription",
  "sep-2575-server-sends-tools-list-changed-on-subscription",
];

const fixture = fileURLToPath(new URL("fixture.ts", import.meta.url));

/** A daemon with a profile that lends the scenarios' own server unchanged, and one that lends toolsets. The runner needs no token. */
export class Endpoints implements AsyncDisposable {
  readonly #daemon: TestDaemon;
  readonly #doors: { url: string; close: () => void }[] = [];

  private constructor(daemon: TestDaemon) {
    this.#daemon = daemon;
  }

  static async start(): Promise<Endpoints> {
    const daemon = await TestDaemon.start({
      config: {
        mcpServers: { fixture: { command: process.execPath, args: [fixture] } },
        permissions: ["configure", "mcp"].map((action) => ({ action, resource: "*", effect: "allow" })),
      },
    });
    const started = new Endpoints(daemon);
    const listings = [{ policy: "proxy", server: "fixture" }, { policy: "flat" }] as const;
    for (const listing of listings) {
      const opening = { cwd: daemon.workspace, profile: `conformance-${listing.policy}`, ...listing };
      const { url, token } = await daemon.connect().api.mcp.openEndpoint.mutate(opening);
      const door = await openDoor(daemon.discovery.port, token);
      started.#doors.push({ url: `http://127.0.0.1:${door.port}${new URL(url).pathname}`, close: door.close });
    }
    return started;
  }

  /** Runs a scenario against the scenarios' own server behind the endpoint. */
  proxied(scenario: string, version: string): Promise<Ran> {
    return runScenario("server", scenario, version, ["--url", this.#doors[0]?.url ?? ""]);
  }

  async toolsets(scenario: string, version: string): Promise<Ran> {
    const ran = await runScenario("server", scenario, version, ["--url", this.#doors[1]?.url ?? ""], OF_FIXTURES);
    return { ...ran, name: `${ran.name} (toolsets)` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { close } of this.#doors) close();
    await this.#daemon[Symbol.asyncDispose]();
  }
}

/** The runner sends no token, so this proxy adds it and passes everything else through. */
async function openDoor(port: number, token: string): Promise<{ port: number; close: () => void }> {
  const door = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${(door.address() as AddressInfo).port}`;
    const { host = "", origin } = incoming.headers;
    const headers = {
      ...incoming.headers,
      authorization: `Bearer ${token}`,
      host: host.replace("localhost", "127.0.0.1") === own ? `127.0.0.1:${port}` : host,
      ...(origin === undefined
        ? {}
        : { origin: origin.replace(own, `127.0.0.1:${port}`).replace(own.replace("127.0.0.1", "localhost"), `127.0.0.1:${port}`) }),
    };
    const through = request({ port, host: "127.0.0.1", method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    through.on("error", () => outgoing.destroy());
    outgoing.on("close", () => through.destroy());
    incoming.pipe(through);
  });
  await new Promise<void>((listening) => door.listen(0, "127.0.0.1", listening));
  return { port: (door.address() as AddressInfo).port, close: () => void door.close() };
}

/** Runs the runner against Baton's endpoint: in all scenarios that it requires of a server, by version, and in those for toolsets. */
export async function serverResults(required: readonly Scenario[]): Promise<Ran[]> {
  await using endpoints = await Endpoints.start();
  const results: Ran[] = [];
  for (const [scenario, version] of required) results.push(await endpoints.proxied(scenario, version));
  for (const [scenario, at] of ofToolsets) results.push(await endpoints.toolsets(scenario, at));
  return results;
}
