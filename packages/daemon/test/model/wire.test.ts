import { afterAll, describe, expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { streamOf, type Format, type WireReply } from "../support/wire/format.ts";
import { formats, keys } from "../support/wire/index.ts";
import { WireServer, type WireFault } from "../support/wire/server.ts";

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
  config: { providers: Object.fromEntries(servers.map(({ format, provider }) => [format.kind, provider])) },
  env: keys,
});
afterAll(() => Promise.all([daemon, ...servers].map((each) => each[Symbol.asyncDispose]())));

/** A session with the model of one format, some of whose requests meet a fault. It leaves no turn running for the next one. */
async function begin(format: Format, fault: (nth: number) => WireFault | undefined = () => undefined) {
  const server = servers.find((each) => each.format === format);
  if (!server) throw new Error(`there is no server for ${format.kind}`);
  server.begin({ replies: dialogue, fault });
  const session = await daemon.session({ model: `${format.kind}/${format.model}` });
  const end = async () => {
    if (session.state.turn) await session.wish({ type: "interrupt" });
    session[Symbol.dispose]();
  };
  return { session, server, [Symbol.asyncDispose]: end };
}

describe.each(formats)("$kind", (format) => {
  test("text, reasoning and two calls at once arrive, and are sent back as the provider requires", async () => {
    await using begun = await begin(format);
    const { session, server } = begun;
    await session.runTurn("go");
    await session.runTurn("and on", 2);
    const replies = session.events.flatMap((event) => (event.type === "model.replied" ? [event] : []));
    expect(replies.slice(0, 3).map(contentOf)).toEqual(dialogue.map(contentOf));
    expect(replies[0]?.usage).toMatchObject({ input: 100, cachedInput: 50, output: 10 });
    expect(server.violations).toEqual([]);
    expect(server.seen).toHaveLength(4);
    expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
    expect(JSON.stringify(session.events)).not.toContain("canary");
    const [first = "", second = ""] = server.seen.map(({ body }) => stablePart(body));
    expect(second.startsWith(first)).toBe(true);
  });

  test("a cut stream is requested again, and none of its calls runs", async () => {
    const whole = Buffer.byteLength(streamOf(format, dialogue[0] ?? {}, 0));
    await using begun = await begin(format, (nth) => (nth === 1 ? { cutAfter: whole * 0.9 } : undefined));
    const { session, server } = begun;
    await session.runTurn("go");
    expect(server.violations).toEqual([]);
    expect(session.events.filter(({ type }) => type === "model.failed")).toHaveLength(1);
    expect(session.events.filter(({ type }) => type === "tool.started")).toHaveLength(3);
    expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  });

  test("the arguments of a call are visible as they arrive, and an interrupt ends it at once", async () => {
    const hangAfter = Buffer.byteLength(streamOf(format, dialogue[0] ?? {}, 0)) - 120;
    await using begun = await begin(format, () => ({ hangAfter }));
    const { session, server } = begun;
    await session.prompt("go");
    await session.until("the arguments", ({ frames }) => frames.some((frame) => frame.type === "call" && frame.tool === "list_files"));
    await session.wish({ type: "interrupt" });
    await session.untilEnd();
    expect(session.state.lastTurn?.reason).toBe("stopped");
    expect(server.seen).toHaveLength(1);
  });
});

type Said = { text?: string; reasoning?: string | undefined; calls?: readonly { tool: string; input?: unknown }[] };
const contentOf = ({ text = "", reasoning, calls = [] }: Said) => ({
  text,
  reasoning,
  calls: calls.map(({ tool, input }) => ({ tool, input })),
});

/** System prompt, tools and messages, without the cache marks, which move. */
function stablePart(body: unknown): string {
  const { system, systemInstruction, tools, toolConfig, messages, input, contents } = body as Record<string, unknown>;
  const list = [system ?? systemInstruction, tools ?? toolConfig, ...((messages ?? input ?? contents) as unknown[])];
  return list.map((each) => JSON.stringify(each, unmarked)).join("\n");
}

function unmarked(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => typeof each !== "object" || each === null || !("cachePoint" in each));
  return key === "cache_control" ? undefined : value;
}
