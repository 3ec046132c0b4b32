import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openRequests } from "@baton/core/session/state";
import { rebuildProjections } from "../../src/store/rebuild-projections.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import { anthropic } from "../support/wire/anthropic.ts";
import type { WireReply } from "../support/wire/format.ts";
import { WireServer } from "../support/wire/server.ts";

const look: WireReply = { text: "I look.", calls: [{ tool: "list_files", input: {} }] };
// 100 tokens of input, of which 50 come from the cache and 30 go into it, and 10 of output: 20 * 1 + 50 * 0.1 + 30 * 2 + 10 * 10 = 185
// millionths of 10,000 dollars.
const cost = { input: 10_000, cache_read: 1_000, cache_write: 20_000, output: 100_000 };
const COST = 1.85;

const server = await WireServer.start(anthropic, { replies: [] });
afterAll(() => server[Symbol.asyncDispose]());

const start = (limits: object = {}) =>
  TestDaemon.start({
    config: {
      model: "p/m",
      limits,
      providers: {
        p: { ...server.provider, apiKey: "k", models: { m: { cost }, n: { cost } } },
        q: { kind: "openai-compatible", baseUrl: "https://q.example/v1" },
      },
    },
  });

test("the cost of a step counts for the session, the day and the model, and a copy of a session costs nothing", async () => {
  await using daemon = await start();
  server.begin({ replies: [look, { text: "Done." }] });
  using session = await daemon.session();
  await session.runTurn("go");
  expect(session.state.usage).toEqual({
    input: 200,
    cachedInput: 100,
    cacheWrite: 60,
    output: 20,
    cost: expect.closeTo(2 * COST) as unknown,
  });
  const { api } = daemon.connect();
  await api.session.fork.mutate({ commandId: crypto.randomUUID(), sessionId: session.id });
  const used = await api.usage.since.query({ day: "2000-01-01" });
  expect(used).toMatchObject([{ sessionId: session.id, model: "p/m", title: "go", input: 200, cacheWrite: 60, steps: 2, unpriced: false }]);
  expect(used[0]?.cost).toBeCloseTo(2 * COST);
  expect(session.state.lastTurn?.cost).toBeCloseTo(2 * COST);
  await daemon.kill("SIGTERM");
  await rebuildProjections(path.join(daemon.home, "baton.db"));
  await daemon.start();
  expect(await daemon.connect().api.usage.since.query({ day: "2000-01-01" })).toEqual(used);
});

test("a script says which usage its replies report", async () => {
  await using daemon = await TestDaemon.start();
  const usage = { input: 1_200, cachedInput: 800, cacheWrite: 100, output: 40 };
  const model = script(daemon, [
    { text: "I look.", calls: [{ tool: "list_files", input: {} }], usage },
    { text: "Done.", usage: { cost: 0.5 } },
  ]);
  using session = await daemon.session({ model });
  await session.runTurn("go");
  expect(session.state.usage).toEqual({ ...usage, cost: 0.5 });
});

test("the usage of a reply counts for its own model, even if the next prompt wants another one at once", async () => {
  await using daemon = await start();
  const ask: WireReply = { text: "I run.", calls: [{ tool: "run_command", input: { command: "rm x" } }] };
  server.begin({ replies: [ask, { text: "Done." }, { text: "Done too." }] });
  using session = await daemon.session();
  await session.prompt("go");
  await session.untilOpen();
  await session.prompt("then go with the other", { model: "p/n" });
  await session.answer({ choice: "deny" });
  await session.untilEnd(2);
  const { api } = daemon.connect();
  const used = await api.usage.since.query({ day: "2000-01-01" });
  expect(Object.fromEntries(used.map(({ model, input, steps }) => [model, { input, steps }]))).toEqual({
    "p/m": { input: 200, steps: 2 },
    "p/n": { input: 100, steps: 1 },
  });
});

test("at the limit of a session Baton asks, even before the first step of a turn, and an approval grants the same amount again", async () => {
  await using daemon = await start({ cost: 1 });
  server.begin({ replies: [{ text: "One." }, { text: "Two." }] });
  using session = await daemon.session();
  await session.runTurn("go");
  await session.prompt("again");
  await session.until("the question", ({ state }) => openRequests(state).length > 0);
  expect(server.seen).toHaveLength(1);
  expect(openRequests(session.state)[0]?.text).toContain("This session has cost $1.85");
  await session.answer({ choice: "continue" });
  await session.untilEnd();
  expect(session.state.lastTurn?.reason).toBe("completed");
});

test("the cost of tasks counts for the limit of the session that delegated them, while they run and after a restart", async () => {
  await using daemon = await start({ cost: 5 });
  const task = (message: string) => ({ tool: "new_task", input: { mode: "ask", message } });
  // Every dialogue has these. The tasks also try to delegate, which their mode cannot do.
  server.begin({ replies: [{ calls: [task("one"), task("two")] }, { text: "Done." }] });
  const parent = await daemon.session({ mode: "orchestrator" });
  await parent.prompt("go");
  const asked = async () => {
    const { api } = daemon.connect();
    for (let tries = 0; tries < 100; tries++) {
      const open = await api.request.list.query();
      if (open.length > 0) return open;
      await setTimeout(50);
    }
    throw new Error("nobody was asked");
  };
  const [first] = await asked();
  expect(first?.text).toMatch(/^The parent session has cost \$(5\.55|7\.40) including all subtasks. Its limit is \$5\.00\.$/);
  await parent.until("both are counted", ({ state }) => state.below.length === 2);
  await daemon.kill();
  await daemon.start();
  using again = daemon.attach(parent.id);
  for (const { id } of await asked())
    await daemon.connect().api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: id, answer: { choice: "continue" } });
  await again.untilEnd();
  expect(again.state.lastTurn?.reason).toBe("completed");
  expect(again.state.below.map(({ cost: spent }) => spent)).toEqual([2 * COST, 2 * COST]);
});

test("at the limit of a day every session asks, and the cost is known after a restart", async () => {
  await using daemon = await start({ costPerDay: 1 });
  server.begin({ replies: [{ text: "One." }, { text: "Two." }] });
  using first = await daemon.session();
  await first.runTurn("go");
  await daemon.kill();
  await daemon.start();
  using second = await daemon.session();
  await second.prompt("go");
  await second.until("the question", ({ state }) => openRequests(state).length > 0);
  expect(openRequests(second.state)[0]?.text).toBe("All sessions together have cost $1.85 today. The daily limit is $1.00.");
  await second.answer({ choice: "stop" });
  await second.untilEnd();
  expect(second.events.at(-1)).toMatchObject({ type: "turn.ended", reason: "limit" });
  await second.prompt("do");
  await second.until("the question", ({ state }) => openRequests(state).length > 0);
  await second.answer({ choice: "continue" });
  await second.untilEnd();
  expect(second.state.lastTurn?.reason).toBe("completed");
  expect(server.seen).toHaveLength(2);
});

test("a new key appears nowhere, and works at once", async () => {
  await using daemon = await TestDaemon.start({
    config: { model: "anthropic/claude-haiku-4-5", providers: { anthropic: { kind: "anthropic", baseUrl: server.url } } },
  });
  server.begin({ replies: [{ text: "Hello." }] });
  const { api } = daemon.connect();
  await api.auth.login.mutate({ provider: "anthropic", key: "sk-canary-7" });
  expect(await api.auth.list.query()).toEqual([{ provider: "anthropic", place: "file" }]);
  using session = await daemon.session();
  await session.runTurn("hi");
  expect(server.seen[0]?.headers["x-api-key"]).toBe("sk-canary-7");
  expect(session.state.usage.cost).toBeGreaterThan(0);
  expect(JSON.stringify([session.events, await api.auth.list.query(), await api.daemon.models.query()])).not.toContain("canary");
});

test("a small model names a session after its first prompt, the cost of that counts, and a title of the user stays", async () => {
  await using daemon = await TestDaemon.start({
    config: {
      model: "p/m",
      smallModel: "p/small",
      providers: { p: { ...server.provider, apiKey: "k", models: { m: { cost }, small: { cost } } } },
    },
  });
  server.begin({ replies: [{ text: '"Paint the shed."\n' }] });
  using session = await daemon.session();
  await session.prompt("please paint the shed in the garden, blue if you can");
  await session.until("the title", ({ state }) => state.title === "Paint the shed");
  await session.untilEnd();
  expect(session.state.usage.cost).toBeCloseTo(2 * COST);
  await session.wish({ type: "rename", title: "Mine" });
  await session.runTurn("and the door");
  expect(session.state.title).toBe("Mine");
});
