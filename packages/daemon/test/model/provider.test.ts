import { afterAll, expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer, streamOf, type Fault, type ModelRequestSeen, type Reply } from "../support/model-server.ts";

const run: Reply = { calls: [{ tool: "list_files", input: {} }] };
const replies: Reply[] = [run, { text: "All done." }];

/** The server's behaviour for one model. The turns of this file run in parallel, each with its own model. */
type Plan = { dialogue: readonly Reply[]; fault: (nth: number) => Fault | undefined; requests: number };
const plans = new Map<string, Plan>();

const server = await ModelServer.start({
  replies: [],
  replyTo: ({ model, messages }) =>
    plans.get(model)?.dialogue[messages.filter(({ role }) => role === "assistant").length] ?? { text: "The dialogue is over." },
  fault: ({ model }: ModelRequestSeen) => {
    const plan = plans.get(model);
    return plan?.fault(++plan.requests);
  },
});
const local = { kind: "openai-compatible", baseUrl: server.url, apiKey: "{env:TEST_KEY}" };
const daemon = await TestDaemon.start({
  config: {
    providers: {
      local,
      hasty: { ...local, timeoutMs: 1_000 },
      gone: { ...local, baseUrl: "http://127.0.0.1:9/v1" },
    },
  },
  env: { TEST_KEY: "sk-secret-canary" },
});
afterAll(() => Promise.all([daemon, server].map((each) => each[Symbol.asyncDispose]())));

async function begin(fault: Plan["fault"], { provider = "local", dialogue = replies }: { provider?: string; dialogue?: Reply[] } = {}) {
  const plan: Plan = { dialogue, fault, requests: 0 };
  const model = `m${plans.size}`;
  plans.set(model, plan);
  const session = await daemon.session({ model: `${provider}/${model}` });
  await session.prompt("go");
  return { session, plan };
}

/** A turn against a server with an error for some of its requests. */
async function turn(...how: Parameters<typeof begin>) {
  const { session, plan } = await begin(...how);
  await session.untilEnd();
  session[Symbol.dispose]();
  expect(server.violations).toEqual([]);
  expect(JSON.stringify(session.events)).not.toContain("canary");
  const failures = session.events.flatMap((event) => (event.type === "model.failed" ? [event] : []));
  return { session, failures, end: session.events.at(-1), requests: plan.requests };
}

test.each([
  [401, "unauthorized", "Check the provider's API key"],
  [400, "bad_request", "refused the request"],
  [404, "not_found", "does not know this model"],
])("a provider that answers %i is not called again, and the user reads the reason", async (status, code, says) => {
  const { failures, end, requests } = await turn(() => ({ status }));
  expect(failures).toMatchObject([{ code, message: expect.stringContaining(says) as unknown }]);
  expect(end).toMatchObject({ type: "turn.ended", reason: "failed" });
  expect(requests).toBe(1);
});

test.each([408, 409, 429, 500, 502, 503, 504, 529].flatMap((status) => [1, 4, 9].map((times) => [status, times])))(
  "a provider that answers %i is called again, %i times, and the turn continues",
  async (status, times) => {
    const { failures, end, session } = await turn((nth) => (nth <= times ? { status } : undefined));
    const code = status === 429 ? "rate_limited" : "overloaded";
    expect(failures.map((failure) => [failure.code, failure.retryAt !== undefined, failure.tries])).toEqual(
      Array.from({ length: times }, (_, i) => [code, true, { made: i + 1, most: 10 }]),
    );
    expect(failures[0]?.message).toContain(`(${status})`);
    expect(end).toMatchObject({ reason: "completed" });
    const attempts = session.events.flatMap((event) => (event.type === "model.started" ? [event.attempt] : []));
    expect(attempts).toEqual([...Array.from({ length: times + 1 }, (_, i) => i + 1), 1]);
  },
);

test("after ten attempts the turn stops with the reason", async () => {
  const { failures, end } = await turn(() => ({ status: 500 }));
  expect(failures).toHaveLength(10);
  expect(end).toMatchObject({ reason: "failed", message: expect.stringContaining("Gave up after 10 attempts.") as unknown });
});

test("an attempt that may cost money is made three times", async () => {
  const { failures } = await turn(() => ({ cutAfter: 50, reply: run }));
  expect(failures).toHaveLength(3);
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();

test.each<[string, () => Record<string, string>, number]>([
  ["in seconds", () => ({ "retry-after": "300" }), 300],
  ["as a date", () => ({ "retry-after": inSeconds(300) }), 300],
  ["in milliseconds", () => ({ "retry-after-ms": "300000" }), 300],
  ["of nearly ten minutes", () => ({ "retry-after": "590" }), 590],
])("Baton waits as long as the provider asks in %s, and the user can end the wait", async (_, headers, seconds) => {
  const { session } = await begin((nth) => (nth === 1 ? { status: 429, headers: headers() } : undefined));
  await session.until("the wait", ({ state }) => state.step?.phase === "due");
  const failed = session.events.find((event) => event.type === "model.failed");
  const wait = (failed?.retryAt ?? 0) - (failed?.at ?? 0);
  expect(Math.round(wait / 10_000)).toBe(seconds / 10);
  await session.wish({ type: "retry" });
  await session.untilEnd();
  expect(session.state.lastTurn?.reason).toBe("completed");
  session[Symbol.dispose]();
});

test("a waiting turn can be stopped", async () => {
  const { session, plan } = await begin(() => ({ status: 529, headers: { "retry-after": "300" } }));
  await session.until("the wait", ({ state }) => state.step?.phase === "due");
  await session.wish({ type: "interrupt" });
  await session.untilEnd();
  expect(session.state.lastTurn?.reason).toBe("stopped");
  expect(plan.requests).toBe(1);
  session[Symbol.dispose]();
});

test("Baton does not wait for a provider that asks for more than ten minutes, and the turn names the time", async () => {
  const { failures, end } = await turn(() => ({ status: 429, headers: { "retry-after": "1300" } }));
  expect(failures).toHaveLength(1);
  expect(end).toMatchObject({ reason: "failed", message: expect.stringContaining("asks to wait 22 minutes") as unknown });
});

test.each([
  [429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }],
  [429, { error: { message: "Quota", type: "insufficient_quota" } }],
  [400, { error: { message: "Your credit balance is too low" } }],
  [402, { error: { message: "Insufficient balance" } }],
])("an account without credit (%i %j) is not called again", async (status, body) => {
  const { failures, requests } = await turn(() => ({ status, body: JSON.stringify(body) }));
  expect(failures).toMatchObject([{ code: "unauthorized", message: expect.stringContaining("the quota is used up") as unknown }]);
  expect(requests).toBe(1);
});

test("a call to a provider that hangs is cancelled and repeated", async () => {
  const { failures, end } = await turn((nth) => (nth === 1 ? { hang: true } : undefined), { provider: "hasty" });
  expect(failures[0]).toMatchObject({ code: "timeout" });
  expect(end).toMatchObject({ reason: "completed" });
});

test("a missing server is reported as missing", async () => {
  const { end } = await turn(() => undefined, { provider: "gone" });
  expect(end).toMatchObject({
    reason: "failed",
    message: expect.stringMatching(/No answer from http:\/\/127\.0\.0\.1:9.*Is the server running\?/) as unknown,
  });
});

test("a stream that is cut at any position never runs half a call, and the turn continues", async () => {
  const reply: Reply = {
    text: "I look.",
    calls: [
      { tool: "list_files", input: { path: "." } },
      { tool: "glob", input: { pattern: "*" } },
    ],
  };
  const end = streamOf(reply).indexOf('"finish_reason":"tool_calls"');
  const cuts = [0, 1, 50, 200, ...Array.from({ length: 8 }, (_, i) => Math.floor((end * (i + 1)) / 8) - 1)];
  const turns = await Promise.all(
    cuts.map((cutAfter) => turn((nth) => (nth === 1 ? { cutAfter, reply } : undefined), { dialogue: [reply, { text: "Done." }] })),
  );
  const seen = turns.map(({ session, failures, end: last }) => ({
    codes: failures.map(({ code }) => code),
    outcomes: session.finished.map(({ result }) => result.outcome),
    reason: last?.type === "turn.ended" ? last.reason : undefined,
  }));
  const whole = { codes: [expect.stringMatching(/^(cut|unreachable)$/) as unknown], outcomes: ["ok", "ok"], reason: "completed" };
  expect(seen).toEqual(cuts.map(() => whole));
});

test.each<[string, Reply]>([
  ["a text", { text: "All done, in many words." }],
  ["a call", run],
  ["two calls and a text", { text: "I look.", calls: [...(run.calls ?? []), { tool: "glob", input: { pattern: "*" } }] }],
])("%s without a reason for its end is complete with [DONE], and cut without it", async (_, whole) => {
  const reply = { ...whole, finish: null };
  const dialogue = whole.calls ? [reply, { text: "Done." }] : [reply];
  const done = await turn(() => undefined, { dialogue });
  expect(done.failures).toEqual([]);
  expect(done.end).toMatchObject({ reason: "completed" });
  expect(done.session.finished.map(({ result }) => result.outcome)).toEqual((whole.calls ?? []).map(() => "ok"));
  const cutAfter = streamOf(reply).indexOf("data: [DONE]");
  const cut = await turn((nth) => (nth === 1 ? { cutAfter, reply } : undefined), { dialogue });
  expect(cut.failures).toMatchObject([{ code: "cut" }]);
});

test("a call without a name fails the turn", async () => {
  const { end } = await turn(() => undefined, { dialogue: [{ calls: [{ tool: "", input: {} }] }] });
  expect(end).toMatchObject({ reason: "failed" });
});

test.each<[string, Reply["calls"], RegExp]>([
  ["half a JSON", [{ tool: "read_file", input: null, raw: '{"path": "a' }], /not a complete JSON object.*\{"path": "a/],
  ["null", [{ tool: "read_file", input: null }], /not a complete JSON object/],
  ["a list", [{ tool: "read_file", input: ["a"] }], /not a complete JSON object/],
  ["a bare word", [{ tool: "read_file", input: "a" }], /not a complete JSON object/],
  ["a wrong type", [{ tool: "read_file", input: { path: 7 } }], /read_file do not fit: path/],
  ["a missing field", [{ tool: "read_file", input: {} }], /read_file do not fit: path/],
  ["an unknown tool", [{ tool: "fly", input: {} }], /There is no tool fly\. The tools are: .*read_file/],
  ["a tool that the mode lacks", [{ tool: "switch_mode", input: {} }], /no tool switch_mode|not available/],
  ["__proto__", [{ tool: "read_file", input: null, raw: '{"__proto__": {"path": "a"}}' }], /read_file do not fit/],
])("a call with %s gets the error as its result, and causes no request", async (_, calls = [], says) => {
  const { session, end } = await turn(() => undefined, { dialogue: [{ calls }, { text: "I see." }] });
  expect(session.finished.map(({ result }) => result)).toMatchObject([{ outcome: "failed", text: expect.stringMatching(says) as unknown }]);
  expect(session.state.counts.opened).toBe(0);
  expect(end).toMatchObject({ reason: "completed" });
});

test("repeated call ids of a server stay separate calls", async () => {
  const same = (file: string) => ({ tool: "read_file", input: { path: file }, id: "call_0" });
  const { session, end } = await turn(() => undefined, {
    dialogue: [{ calls: [same("a")] }, { calls: [same("b")] }, { calls: [same("c")] }, { text: "ok" }],
  });
  expect(session.events.flatMap((event) => (event.type === "tool.finished" ? [event.callId] : []))).toEqual(["s1.1", "s2.1", "s3.1"]);
  expect(end).toMatchObject({ reason: "completed" });
});

test("the user can skip the wait for the next attempt", async () => {
  const { session } = await begin((nth) => (nth === 1 ? { status: 503, headers: { "retry-after": "50" } } : undefined));
  await session.until("the wait", ({ state }) => state.step?.phase === "due");
  await session.wish({ type: "retry" });
  await session.untilEnd();
  expect(session.state.lastTurn?.reason).toBe("completed");
  expect(await session.wish({ type: "retry" }).catch(refusalOf)).toMatchObject({ code: "nothing_running" });
  session[Symbol.dispose]();
});

test("the wait and the attempts survive the daemon", async () => {
  await using other = await TestDaemon.start({
    config: { providers: { local }, retries: { firstWait: 0.005, attempts: 4 } },
    env: { TEST_KEY: "k" },
  });
  const plan: Plan = {
    dialogue: [{ text: "Done." }],
    fault: (nth) => ({ status: 529, ...(nth === 2 ? { headers: { "retry-after": "200" } } : {}) }),
    requests: 0,
  };
  plans.set("waits", plan);
  const session = await other.session({ model: "local/waits" });
  await session.prompt("go");
  await session.until("the wait", ({ state }) => state.step?.phase === "due" && state.step.attempt === 2);
  const until = session.state.step?.retryAt;
  await other.kill();
  await other.start();
  await session.until("the wait again", ({ state }) => state.step?.phase === "due");
  expect(session.state.step).toMatchObject({ attempt: 2, retryAt: until });
  expect(plan.requests).toBe(2);
  await session.wish({ type: "retry" });
  await session.untilEnd();
  expect(plan.requests).toBe(4);
  session[Symbol.dispose]();
});
