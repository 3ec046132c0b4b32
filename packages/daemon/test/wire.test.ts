import { afterAll, describe, expect, test } from "vitest";
import type { Logged } from "@baton/core/protocol/event";
import { TestDaemon } from "./support/daemon.ts";
import type { Format, WireReply } from "./support/wire/format.ts";
import { formats } from "./support/wire/index.ts";
import { WireServer, type WireFault } from "./support/wire/server.ts";

const dialogue: WireReply[] = [
  {
    reasoning: "First I look around, with both eyes.",
    text: "I look.",
    calls: [
      { tool: "list_files", input: { path: "." } },
      { tool: "glob", input: { pattern: "*.ts" } },
    ],
  },
  { reasoning: "Once more.", calls: [{ tool: "list_files", input: { path: "." } }] },
  { reasoning: "Nothing there.", text: "All done." },
];

const servers = await Promise.all(formats.map((format) => WireServer.start(format, { replies: dialogue })));
const daemon = await TestDaemon.start({
  config: {
    providers: Object.fromEntries(
      servers.flatMap(({ format: { kind }, provider }) => [
        [kind, provider],
        [`${kind}-soon`, { ...provider, timeoutMs: 1_000 }],
      ]),
    ),
  },
  env: { TEST_KEY: "sk-secret-canary" },
});
afterAll(() => Promise.all([daemon, ...servers].map((each) => each[Symbol.asyncDispose]())));

/** A session with one provider, which has a fault for some of its requests. `impatient`: a person asks again at once; `soon`: silence is not borne for long. */
async function turns(
  format: Format,
  prompts: string[],
  {
    fault = () => undefined,
    impatient = false,
    soon = false,
  }: { fault?: (nth: number) => WireFault | undefined; impatient?: boolean; soon?: boolean } = {},
) {
  const server = servers.find((each) => each.format === format);
  if (!server) throw new Error(`there is no server for ${format.kind}`);
  server.begin({ replies: dialogue, fault });
  using session = await daemon.session();
  for (const prompt of prompts) {
    await session.prompt(prompt, { model: `${format.kind}${soon ? "-soon" : ""}/${format.model}` });
    if (impatient) {
      await session.until("the wait", ({ state }) => state.step?.phase === "due");
      await session.wish({ type: "retry" });
    }
    await session.untilEnd();
  }
  expect(server.violations).toEqual([]);
  expect(JSON.stringify(session.events)).not.toContain("canary");
  return { session, server, failures: failuresIn(session.events) };
}

describe.each(formats)("$kind", (format) => {
  test("text, reasoning and two calls at once come and go back as the provider wants them", async () => {
    const { session, server } = await turns(format, ["go", "and on"]);
    const replies = session.events.flatMap((event) => (event.type === "model.replied" ? [event] : []));
    expect(
      replies
        .slice(0, 3)
        .map(({ text, reasoning, calls }) => ({ text, reasoning, calls: calls.map(({ tool, input }) => ({ tool, input })) })),
    ).toEqual(
      dialogue.map(({ text = "", reasoning, calls = [] }) => ({
        text,
        reasoning,
        calls: calls.map(({ tool, input }) => ({ tool, input })),
      })),
    );
    expect(replies[0]?.usage).toMatchObject({ input: 100, cachedInput: 50, output: 10 });
    expect(server.seen).toHaveLength(4);
    expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  });

  test.each<[string, (whole: number) => WireFault]>([
    ["is cut in the middle", (whole) => ({ cutAfter: whole * 0.6 })],
    ["ends cleanly before its end", (whole) => ({ cutAfter: whole * 0.8, clean: true })],
    ["becomes nonsense", (whole) => ({ after: whole / 2, add: "data: {nonsense\n\n" })],
    ["is a page of a proxy", () => ({ instead: "<html>Bad gateway</html>" })],
  ])("a stream that %s is asked for again, and nothing of it runs", async (_, fault) => {
    const whole = Buffer.byteLength(format.streamOf(dialogue[0] ?? {}, 0));
    const { session, failures } = await turns(format, ["go"], { fault: (nth) => (nth === 1 ? fault(whole) : undefined), impatient: true });
    expect(failures).toMatchObject([
      { code: expect.stringMatching(/^(cut|timeout|unreachable)$/) as unknown, message: expect.not.stringMatching(/[{}]/) as unknown },
    ]);
    expect(session.events.filter(({ type }) => type === "tool.started")).toHaveLength(3);
    expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  });

  test.each<[string, (whole: number) => WireFault]>([
    ["falls silent", (whole) => ({ hangAfter: whole * 0.7 })],
    ["sends only keep-alives", () => ({ hangAfter: 0, keepAlive: true })],
  ])("a stream that %s is given up after a while", async (_, fault) => {
    const whole = Buffer.byteLength(format.streamOf(dialogue[0] ?? {}, 0));
    const { session, failures } = await turns(format, ["go"], {
      fault: (nth) => (nth === 1 ? fault(whole) : undefined),
      impatient: true,
      soon: true,
    });
    expect(failures[0]).toMatchObject({ code: "timeout" });
    expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  });

  test("the arguments of a call are seen as they come, and an interrupt ends it at once", async () => {
    const hangAfter = Buffer.byteLength(format.streamOf(dialogue[0] ?? {}, 0)) - 120;
    const server = servers.find((each) => each.format === format);
    server?.begin({ replies: dialogue, fault: () => ({ hangAfter }) });
    using session = await daemon.session({ model: `${format.kind}/${format.model}` });
    await session.prompt("go");
    await session.until("the arguments", ({ frames }) => frames.some((frame) => frame.type === "call" && frame.tool === "list_files"));
    await session.wish({ type: "interrupt" });
    await session.untilEnd();
    expect(session.state.lastTurn?.reason).toBe("stopped");
    expect(server?.seen).toHaveLength(1);
  });

  test.each([
    [400, "bad_request"],
    [401, "unauthorized"],
    [403, "unauthorized"],
    [404, "not_found"],
  ])("a refusal with %i is not asked again, and its sentence is read, not its JSON", async (status, code) => {
    const { failures, server } = await turns(format, ["go"], { fault: () => ({ status, message: "This is no way to ask" }) });
    expect(failures).toMatchObject([{ code, message: expect.stringContaining("This is no way to ask") as unknown }]);
    expect(failures[0]?.message).not.toMatch(/[{}"]/);
    expect(server.seen).toHaveLength(1);
  });

  test("a provider that is too busy is asked again when it said", async () => {
    const { failures, session } = await turns(format, ["go"], {
      fault: (nth) =>
        nth <= 2 ? { status: nth === 1 ? 429 : 529, headers: { "retry-after-ms": "30" }, message: "Overloaded" } : undefined,
    });
    expect(failures.map(({ code, retryAt }) => [code, retryAt !== undefined])).toEqual([
      ["rate_limited", true],
      ["overloaded", true],
    ]);
    expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  });

  test("what a request begins with is what the one before it was", async () => {
    const { server } = await turns(format, ["go"]);
    const [first = "", second = ""] = server.seen.map(({ body }) => stablePart(body));
    expect(second.startsWith(first)).toBe(true);
  });
});

/** Asking again at once repeats the failure with another time. */
const failuresIn = (events: readonly Logged[]) =>
  events.flatMap((event, i) => (event.type === "model.failed" && events[i - 1]?.type !== "model.failed" ? [event] : []));

/** System prompt, tools and messages, without the marks that move on. */
function stablePart(body: unknown): string {
  const { system, systemInstruction, tools, messages, input, contents } = body as Record<string, unknown>;
  const list = [system ?? systemInstruction, tools, ...((messages ?? input ?? contents) as unknown[])];
  return list.map((each) => JSON.stringify(each, (key, value: unknown) => (key === "cache_control" ? undefined : value))).join("\n");
}
