import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { record } from "./harness/record.ts";
import { TestDaemon } from "./support/daemon.ts";
import { script } from "./support/script.ts";
import { chat } from "./support/wire/chat.ts";
import type { WireReply } from "./support/wire/format.ts";
import { WireServer } from "./support/wire/server.ts";

const fixture = fileURLToPath(new URL("support/mcp/mcp-server.ts", import.meta.url));
const cli = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));

/** The places where the user put a secret, or the daemon made one. Each file of that name may contain it, only for its owner. */
const OWN_PLACES = new Set(["config.jsonc", "keys.json", "identity.json", "daemon.json"]);

/** A unique secret that the test finds wherever it appears. */
class Canaries {
  readonly made = new Map<string, string>();

  of(channel: string): string {
    const secret = `canary-${this.made.size + 1}-${crypto.randomUUID()}`;
    this.made.set(channel, secret);
    return secret;
  }

  /** The channels whose secret occurs in a text. */
  in(text: string): string[] {
    return Array.from(this.made).flatMap(([channel, secret]) => (text.includes(secret) ? [channel] : []));
  }
}

/** A provider that repeats the request in its answer, in every way in which a provider can report an error. */
async function telltale() {
  let asked = 0;
  const server = createServer((request, response) => {
    const answerText = `wrong: ${JSON.stringify(request.headers)} ${request.url}`;
    const status = [401, 400, 500, 200][asked++ % 4] ?? 200;
    response.writeHead(status, { "content-type": status === 200 ? "text/event-stream" : "application/json" });
    response.end(
      status === 200
        ? `data: ${JSON.stringify({ error: { message: answerText } })}\n\n`
        : JSON.stringify({ error: { message: answerText } }),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => server.closeAllConnections() };
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

test("a secret of the user stays where the user put it, and appears in no log, no store and no answer to a client", async () => {
  const canaries = new Canaries();
  const provider = await telltale();
  const env = {
    OPENAI_API_KEY: canaries.of("OPENAI_API_KEY"),
    ANTHROPIC_API_KEY: canaries.of("ANTHROPIC_API_KEY"),
    AWS_SECRET_ACCESS_KEY: canaries.of("AWS_SECRET_ACCESS_KEY"),
    GITHUB_TOKEN: canaries.of("GITHUB_TOKEN"),
    NAMED: canaries.of("a key that the config takes from the environment"),
    FOR_SERVER: canaries.of("a variable for a server"),
  };
  const at = { kind: "openai-compatible", baseUrl: provider.url };
  await using daemon = await TestDaemon.start({
    env,
    config: {
      providers: {
        literal: { ...at, apiKey: canaries.of("a key in the config") },
        named: { ...at, apiKey: "{env:NAMED}" },
        header: { ...at, headers: { Authorization: `Bearer ${canaries.of("a header")}` } },
        put: at,
      },
      database: { url: canaries.of("a part of the config that is broken"), authToken: canaries.of("a token in a part that is broken") },
      mcpServers: {
        good: { command: process.execPath, args: [fixture, "good"], env: { OWN: "${FOR_SERVER}", KEY: canaries.of("a server's own key") } },
        dead: { command: process.execPath, args: [fixture, "dead"], env: { KEY: canaries.of("a dead server's key") } },
        far: { url: `${provider.url}/mcp`, headers: { Authorization: `Bearer ${canaries.of("a server's header")}` } },
      },
      permissions: [{ action: "*", resource: "*", effect: "allow" }],
    },
  });
  const answers: unknown[] = [];
  const { api } = daemon.connect();
  answers.push(await api.auth.login.mutate({ provider: "put", key: canaries.of("a key that was put away") }));
  const turns = ["literal", "named", "header", "put"].map(async (name) => {
    using session = await daemon.session({ model: `${name}/m` });
    await session.runTurn("go");
    answers.push(session.events, session.frames);
  });
  await Promise.all(turns);
  answers.push(
    await api.daemon.status.query(),
    await api.daemon.models.query(),
    await api.mcp.list.query({ cwd: daemon.workspace }),
    await api.session.list.query({}),
    spawnSync(process.execPath, [cli, "doctor", "--json"], {
      env: { BATON_HOME: daemon.home, PATH: process.env["PATH"] },
      encoding: "utf8",
    }),
  );
  await daemon.kill("SIGTERM");
  provider.close();

  const files = filesBelow(daemon.home).filter((file) => !OWN_PLACES.has(path.basename(file)));
  const leaks = [
    ...canaries.in(JSON.stringify(answers)).map((channel) => `${channel} was told to a client`),
    ...files.flatMap((file) => canaries.in(readFileSync(file, "latin1")).map((channel) => `${channel} stands in ${path.basename(file)}`)),
  ];
  record({ row: "38", tried: canaries.made.size * (files.length + answers.length), lost: leaks.length });
  expect(leaks).toEqual([]);
  expect(files.map((file) => path.basename(file))).toEqual(expect.arrayContaining(["baton.db", "daemon.log"]));
});

const KEY = "sk-canary-0123456789";

/** The keys that a command of the agent finds when it searches everywhere that it can. */
const search = "env; cat /proc/self/environ /proc/self/cmdline; ps axww; echo searched";
const dialogue: WireReply[] = [
  { text: "I look for keys.", calls: [{ tool: "run_command", input: { command: search } }] },
  { calls: [{ tool: "good__environment", input: {} }] },
  { text: "None." },
];

test("keys from the environment, the config and a login reach their provider and no other channel", async () => {
  await using server = await WireServer.start(chat, { replies: [] });
  await using daemon = await TestDaemon.start({
    config: {
      providers: {
        named: { ...server.provider, apiKey: "{env:MY_OWN_NAME}" },
        openrouter: { kind: "openai-compatible", baseUrl: server.url },
        given: { kind: "openai-compatible", baseUrl: server.url },
      },
      mcpServers: { good: { command: process.execPath, args: [fixture, "good"] } },
      permissions: [
        { action: "command", resource: "*", effect: "allow" },
        { action: "external_directory", resource: "*", effect: "allow" },
        { action: "read", resource: "*", effect: "allow" },
        { action: "mcp", resource: "*", effect: "allow" },
      ],
    },
    env: { MY_OWN_NAME: `${KEY}-named`, OPENROUTER_API_KEY: `${KEY}-variable`, BATON_LOG_LEVEL: "debug" },
  });
  const { api } = daemon.connect();
  await api.auth.login.mutate({ provider: "given", key: `${KEY}-given` });

  const seen: unknown[] = [];
  for (const [provider, end] of [
    ["named", "named"],
    ["openrouter", "variable"],
    ["given", "given"],
  ] as const) {
    const key = `${KEY}-${end}`;
    server.begin({ replies: dialogue });
    using session = await daemon.session({ model: `${provider}/m` });
    await session.prompt("go");
    await session.until("a question about the environment", ({ state }) => state.counts.opened > 0);
    await session.answer({ choice: "once" });
    await session.until("the end, or a question", ({ state }) => (state.turns === 1 && !state.turn) || state.counts.opened > 1);
    expect(session.state.lastTurn?.reason).toBe("completed");
    server.begin({ replies: [], fault: () => ({ status: 401, message: `No such key: ${key}` }) });
    await session.runTurn("again", 2);
    expect(session.state.lastTurn).toMatchObject({ reason: "failed", message: expect.stringContaining("No such key: [key]") as unknown });
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${key}`);
    seen.push(
      session.events,
      session.frames,
      server.seen.map(({ body }) => body),
      await api.session.open.query({ sessionId: session.id }),
    );
  }
  const outputs = JSON.stringify(seen);
  expect(outputs).toContain("searched"); // the command did search
  expect(outputs).not.toContain("canary");

  const page = await fetch(`http://127.0.0.1:${daemon.discovery.port}/`).then((answer) => answer.text());
  expect(page).not.toContain("canary");
  const answers = [
    await api.auth.list.query(),
    await api.daemon.models.query(),
    await api.daemon.status.query(),
    await api.session.list.query({}),
  ];
  expect(JSON.stringify(answers)).not.toContain("canary");
  expect(spawnSync("ps", ["axww"], { encoding: "utf8" }).stdout).not.toContain("canary");

  await daemon.kill("SIGTERM");
  const holding = filesBelow(daemon.root).filter((file) => readFileSync(file).includes("canary"));
  expect(holding).toEqual([path.join(daemon.home, "keys.json")]);
});

test("a newly listed variable is passed to the next command, and a removed one is not", async () => {
  await using daemon = await TestDaemon.start({
    config: { permissions: [{ action: "command", resource: "*", effect: "allow" }], passEnv: ["FIRST"] },
    env: { FIRST: "one", SECOND: "two" },
  });
  const look = { calls: [{ tool: "run_command", input: { command: 'echo "got $FIRST $SECOND."' } }] };
  const session = await daemon.session({ model: script(daemon, [look, { text: "1" }, look, { text: "2" }]) });
  const file = path.join(daemon.home, "config.jsonc");
  await session.runTurn("go");
  writeFileSync(file, readFileSync(file, "utf8").replace("FIRST", "SECOND"));
  await session.runTurn("again", 2);
  expect(session.finished.map(({ result }) => /got .*/.exec(result.text)?.[0])).toEqual(["got one .", "got  two."]);
});
