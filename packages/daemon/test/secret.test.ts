import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TestDaemon } from "./support/daemon.ts";
import { chat } from "./support/wire/chat.ts";
import type { WireReply } from "./support/wire/format.ts";
import { WireServer } from "./support/wire/server.ts";

const mcpServer = fileURLToPath(new URL("support/mcp-server.ts", import.meta.url));
const KEY = "sk-canary-0123456789";

/** What a command, run for the agent, finds when it looks for keys wherever it can. */
const search = "env; cat /proc/self/environ /proc/self/cmdline; ps axww; echo searched";
const dialogue: WireReply[] = [
  { text: "I look for keys.", calls: [{ tool: "run_command", input: { command: search } }] },
  { calls: [{ tool: "good__environment", input: {} }] },
  { text: "None." },
];

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
  );

test("keys from the environment, the config and a login reach their provider and no other channel", async () => {
  await using server = await WireServer.start(chat, { replies: [] });
  await using daemon = await TestDaemon.start({
    config: {
      providers: {
        named: { ...server.provider, apiKey: "{env:MY_OWN_NAME}" },
        openrouter: { kind: "openai-compatible", baseUrl: server.url },
        given: { kind: "openai-compatible", baseUrl: server.url },
      },
      mcpServers: { good: { command: process.execPath, args: [mcpServer, "good"] } },
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
    await session.until("the end, or a question", ({ state }) => (state.turns === 1 && !state.turn) || state.counts.opened > 0);
    expect(session.state.lastTurn?.reason).toBe("completed");
    server.begin({ replies: [], fault: () => ({ status: 401, message: `No such key: ${key}` }) });
    await session.prompt("again");
    await session.untilEnd(2);
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
  expect(outputs).toContain("searched"); // the command did look
  expect(outputs).not.toContain("canary");

  const page = await fetch(`http://127.0.0.1:${daemon.discovery.port}/`).then((answer) => answer.text());
  expect(page).not.toContain("canary");
  const told = [
    await api.auth.list.query(),
    await api.daemon.models.query(),
    await api.daemon.status.query(),
    await api.session.list.query({}),
  ];
  expect(JSON.stringify(told)).not.toContain("canary");
  expect(spawnSync("ps", ["axww"], { encoding: "utf8" }).stdout).not.toContain("canary");

  await daemon.kill("SIGTERM");
  const holding = filesBelow(daemon.root).filter((file) => readFileSync(file).includes("canary"));
  expect(holding).toEqual([path.join(daemon.home, "keys.json")]);
});
