import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import type { TestSession } from "../support/session.ts";
import { streamOf, type Format, type WireReply } from "../support/wire/format.ts";
import { formats, keys } from "../support/wire/index.ts";
import { WireServer, type WireFault } from "../support/wire/server.ts";

const servers = await Promise.all(formats.map((format) => WireServer.start(format, { replies: [] })));
const narrow = await WireServer.start(formats[2] as Format, { replies: [] });
const daemon = await TestDaemon.start({
  config: {
    providers: {
      ...Object.fromEntries(servers.map(({ format, provider }) => [format.kind, provider])),
      narrow: { ...narrow.provider, models: { m: { contextWindow: 16_000, maxOutput: 1_000 } } },
    },
  },
  env: keys,
});
writeFileSync(path.join(daemon.workspace, "long.txt"), "A line of text that says little.\n".repeat(400));
writeFileSync(path.join(daemon.workspace, "other.txt"), "Another line of text that says less.\n".repeat(400));
afterAll(() => Promise.all([daemon, narrow, ...servers].map((each) => each[Symbol.asyncDispose]())));

const read = (file: string): WireReply => ({
  reasoning: `I read ${file}.`,
  text: `Reading ${file}.`,
  calls: [{ tool: "read_file", input: { path: file } }],
});
const todos: WireReply = {
  calls: [
    {
      tool: "update_todo_list",
      input: {
        todos: [
          { text: "read", state: "done" },
          { text: "paint the shed", state: "open" },
        ],
      },
    },
  ],
};
const write: WireReply = { text: "I write.", calls: [{ tool: "write_file", input: { path: "shed.md", content: "blue" } }] };

async function open(format: Format, replies: WireReply[], fault: (nth: number) => WireFault | undefined = () => undefined) {
  const server = servers.find((each) => each.format === format);
  if (!server) throw new Error(`there is no server for ${format.kind}`);
  server.begin({ replies, fault });
  const session = await daemon.session({ model: `${format.kind}/${format.model}` });
  return { server, session };
}

const typesIn = ({ events }: TestSession) => events.map(({ type }) => type);

describe.each(formats)("$kind", (format) => {
  test("a conversation that the provider calls too long is shortened, and the turn continues", async () => {
    const { status, message } = format.overflow;
    const { server, session } = await open(format, [read("long.txt"), read("other.txt"), read("long.txt"), { text: "Done." }], (nth) =>
      nth === 4 ? { status, message } : undefined,
    );
    await session.runTurn("read it all");
    expect(typesIn(session).filter((type) => type.startsWith("context.") || type === "model.failed")).toEqual([
      "model.failed",
      "context.pruned",
    ]);
    expect(session.events.find(({ type }) => type === "model.failed")).toMatchObject({ code: "overflow" });
    expect(session.events.at(-1)).toMatchObject({ type: "turn.ended", reason: "completed" });
    expect(server.violations).toEqual([]);
    expect(JSON.stringify(server.seen.at(-1)?.body).includes("old output was removed")).toBe(true);
    session[Symbol.dispose]();
  });

  test("the user can ask for a summary, which keeps open todos and changed files and leaves no result without its call", async () => {
    const { server, session } = await open(format, [read("long.txt"), todos, write, { text: "Painted in words." }]);
    await session.prompt("paint the shed blue");
    await session.until("the question", ({ state }) => state.calls.some(({ request }) => request));
    await session.answer({ choice: "once" });
    await session.untilEnd();
    server.begin({ replies: [{ text: "SUMMARY OF MINE" }] });
    await session.wish({ type: "compact", note: "the colour" });
    await session.until("the end of it", ({ events }) => events.some(({ type }) => type === "context.compacted"));
    expect(JSON.stringify(server.seen[0]?.body).includes("the colour")).toBe(true);
    server.begin({ replies: [{ text: "Yes." }, { text: "Yes." }] });
    await session.runTurn("and now?");
    const body = JSON.stringify(server.seen.at(-1)?.body);
    expect(server.violations).toEqual([]);
    const expected = ["SUMMARY OF MINE", "paint the shed blue", "[ ] paint the shed", "shed.md", "and now?"];
    expect(expected.filter((each) => !body.includes(each))).toEqual([]);
    expect(body.includes("says little")).toBe(false);
    session[Symbol.dispose]();
  });
});

test("a conversation is shortened before it reaches the model's window, and a rewind restores it", async () => {
  for (let i = 0; i < 8; i++) writeFileSync(path.join(daemon.workspace, `${i}.txt`), "A line of text that says little.\n".repeat(400));
  const many = Array.from({ length: 8 }, (_, i): WireReply => ({
    ...read(`${i}.txt`),
    text: `Step ${i}. ${"words ".repeat(300)}`,
  }));
  narrow.begin({ replies: [...many, { text: "Done." }], counts: true });
  using session = await daemon.session({ model: "narrow/m" });
  await session.runTurn("first");
  const promptId = session.events.flatMap((event) => (event.type === "prompt.received" ? [event.promptId] : []))[0] ?? "";
  expect(typesIn(session).filter((type) => type.startsWith("context.")).length).toBeGreaterThan(1);
  expect(session.state.lastTurn?.reason).toBe("completed");
  expect(narrow.violations).toEqual([]);
  await session.wish({ type: "rewind", promptId: promptId });
  narrow.begin({ replies: [{ text: "Anew." }] });
  await session.runTurn("again");
  expect(/This is its summary|was removed/.test(JSON.stringify(narrow.seen[0]?.body))).toBe(false);
});

test("a summary that breaks off still costs money", async () => {
  const format = formats[0] as Format;
  const summary = { text: "In short, much was read. ".repeat(20) };
  const { server, session } = await open(format, [read("long.txt"), read("other.txt"), { text: "Done." }]);
  await session.runTurn("go");
  const before = session.state.usage;
  server.begin({ replies: [summary], fault: () => ({ cutAfter: streamOf(format, summary, 0).length / 2 }) });
  await session.wish({ type: "compact" });
  await session.until("the end of it", ({ events }) => events.some(({ type }) => type === "context.compacted"));
  expect(session.state.usage.input).toBeGreaterThan(before.input);
  expect(session.state.usage.estimated).toBeGreaterThan(0);
  session[Symbol.dispose]();
});

test("a compaction without a gain stops and reports that", async () => {
  const { status, message } = (formats[2] as Format).overflow;
  const { session } = await open(formats[2] as Format, [{ text: "Hm." }], () => ({ status, message }));
  await session.runTurn("x".repeat(2_000));
  expect(session.events.at(-1)).toMatchObject({
    type: "turn.ended",
    reason: "limit",
    message: expect.stringContaining("model with a larger context") as unknown,
  });
  session[Symbol.dispose]();
});

test("a prompt that certainly exceeds the model's window is an error, and is not sent", async () => {
  narrow.begin({ replies: [{ text: "Hm." }] });
  using session = await daemon.session({ model: "narrow/m" });
  await session.runTurn("word ".repeat(40_000));
  expect(narrow.seen).toEqual([]);
  expect(session.events.find(({ type }) => type === "model.failed")).toMatchObject({
    code: "overflow",
    message: expect.stringMatching(
      /^Baton did not send this request: it has at least 3\d,\d{3} tokens, and narrow\/m reads at most 16,000\.$/,
    ) as unknown,
  });
  expect(session.events.at(-1)).toMatchObject({
    type: "turn.ended",
    reason: "limit",
    message: expect.stringContaining("choose a model with a larger context") as unknown,
  });
});

test("an empty session has nothing to summarize", async () => {
  using session = await daemon.session();
  expect(await session.wish({ type: "compact" }).catch(refusalOf)).toMatchObject({ code: "nothing_to_compact" });
});
