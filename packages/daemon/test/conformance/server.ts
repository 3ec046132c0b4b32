import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { TestDaemon } from "../support/daemon.ts";
import { runScenario, type Ran } from "./run.ts";

/** Scenarios that need no tools, prompts or resources of the runner's own, by the version of the protocol. */
const scenarios: readonly (readonly [scenario: string, version: string])[] = [
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

/** The runner shows no token, so this shows it; all else goes through as it is. */
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

/** Has the runner look at our endpoint, in the scenarios that need no fixtures. */
export async function serverResults(): Promise<Ran[]> {
  await using daemon = await TestDaemon.start({ config: { permissions: [{ action: "configure", resource: "*", effect: "allow" }] } });
  const { token } = await daemon.connect().api.mcp.openEndpoint.mutate({ cwd: daemon.workspace, profile: "conformance", policy: "flat" });
  const door = await openDoor(daemon.discovery.port, token);
  const results: Ran[] = [];
  for (const [scenario, version] of scenarios)
    results.push(await runScenario("server", scenario, version, ["--url", `http://127.0.0.1:${door.port}/mcp/conformance`]));
  door.close();
  return results;
}
