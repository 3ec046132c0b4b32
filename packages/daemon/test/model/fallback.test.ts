import { afterAll, expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { chat } from "../support/wire/chat.ts";
import type { WireReply } from "../support/wire/format.ts";
import { anthropic } from "../support/wire/anthropic.ts";
import { WireServer, type WireFault } from "../support/wire/server.ts";

const look: WireReply = { reasoning: "Hm.", text: "I look.", calls: [{ tool: "list_files", input: {} }] };
const [one, other] = await Promise.all([WireServer.start(anthropic, { replies: [] }), WireServer.start(chat, { replies: [] })]);
const daemon = await TestDaemon.start({
  config: {
    model: "one/claude-haiku-4-5",
    fallbackModels: ["none/at-all", "other/m"],
    providers: { one: { ...one.provider, apiKey: "k" }, other: { ...other.provider, apiKey: "k" } },
  },
});
afterAll(() => Promise.all([daemon, one, other].map((each) => each[Symbol.asyncDispose]())));

async function turn(fault: (nth: number) => WireFault | undefined, replies: WireReply[] = [look, { text: "Done." }]) {
  one.begin({ replies, fault });
  other.begin({ replies: replies.map(({ reasoning: _, ...reply }) => reply) });
  const session = await daemon.session();
  await session.runTurn("go");
  expect([...one.violations, ...other.violations]).toEqual([]);
  const models = session.events.flatMap((event) => (event.type === "model.started" ? [event.model.split("/")[0]] : []));
  return { session, models };
}

const down: WireFault = { status: 503, headers: { "retry-after-ms": "10" } };

test("after its attempts, another model continues the turn, and the next turn starts with the first model again", async () => {
  const { session, models } = await turn((nth) => (nth >= 2 && nth <= 4 ? down : undefined));
  expect(models).toEqual(["one", "one", "one", "one", "other"]);
  expect(session.state.lastTurn?.reason).toBe("completed");
  expect(session.events.find((event) => event.type === "model.failed" && event.fallback)).toMatchObject({
    message: expect.stringContaining("Gave up after 3 attempts. other/m continues this turn.") as unknown,
  });
  one.begin({ replies: [look, { text: "Done." }, { text: "Back." }], fault: () => undefined });
  await session.runTurn("and now");
  expect(session.events.findLast((event) => event.type === "model.started")).toMatchObject({ model: "one/claude-haiku-4-5" });
  session[Symbol.dispose]();
});

test("the usage of a model before a fallback counts for that model", async () => {
  const { session } = await turn((nth) => (nth <= 3 ? { cutAfter: 700 } : undefined), [{ text: "Many words. ".repeat(50) }]);
  const spent = session.events.filter((event) => event.type === "model.spent");
  const [replied] = session.events.filter((event) => event.type === "model.replied");
  const rows = (await session.api.usage.since.query({ day: "2000-01-01" })).filter(({ sessionId }) => sessionId === session.id);
  const used = Object.fromEntries(rows.map(({ model, input, output, steps }) => [model, { input, output, steps }]));
  expect(spent).toHaveLength(3);
  expect(used).toEqual({
    "one/claude-haiku-4-5": { input: 300, output: spent.reduce((sum, { usage }) => sum + usage.output, 0), steps: 1 },
    "other/m": { input: replied?.usage.input, output: replied?.usage.output, steps: 0 },
  });
  session[Symbol.dispose]();
});

test("a refused key falls back at once, and a refused request does not", async () => {
  const refused = await turn(() => ({ status: 401 }));
  expect(refused.models).toEqual(["one", "other", "other"]);
  const bad = await turn(() => ({ status: 400 }));
  expect(bad.models).toEqual(["one"]);
  expect(bad.session.state.lastTurn?.reason).toBe("failed");
});

test("if the last model fails too, the turn ends with its reason", async () => {
  one.begin({ replies: [], fault: () => ({ status: 401 }) });
  other.begin({ replies: [], fault: () => ({ status: 401, message: "No key at all" }) });
  using session = await daemon.session();
  await session.runTurn("go");
  expect(session.state.lastTurn).toMatchObject({ reason: "failed", message: expect.stringContaining("No key at all") as unknown });
});

test.each([
  ["max_tokens", "limit", "output limit"],
  ["refusal", "failed", "content filter"],
])("an answer that ends with %s reports that", async (finish, reason, says) => {
  const { session } = await turn(() => undefined, [{ text: "And so", finish }]);
  expect(session.events.at(-1)).toMatchObject({ type: "turn.ended", reason, message: expect.stringContaining(says) as unknown });
});
