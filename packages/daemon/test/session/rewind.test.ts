import type { LoggedEvent } from "@baton/core/protocol/event";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import { ModelServer } from "../support/model-server.ts";
import type { TestSession } from "../support/session.ts";

const read = { tool: "list_files", input: {} };

async function withModel() {
  const model = await ModelServer.start({
    replies: [{ calls: [read] }, { text: "one" }, { calls: [read] }, { text: "two" }, { text: "three" }],
  });
  const daemon = await TestDaemon.start({
    config: model.config,
  });
  return { model, daemon };
}

/** The prompts and replies that a client would draw if it opened the session now. */
async function drawn(daemon: TestDaemon, id: string, tail = 400): Promise<string[]> {
  const { events } = await daemon.connect().api.session.open.query({ sessionId: id, tail });
  const transcript = transcriptOf(events);
  return transcript.entries.flatMap((entry) => (entry.kind === "prompt" || entry.kind === "reply" ? [entry.text] : []));
}

const promptOf = ({ events }: TestSession, text: string): string =>
  events.flatMap((event) => (event.type === "prompt.received" && event.text === text ? [event.promptId] : []))[0] ?? "";

test("a client that opens a session later sees a prompt as it was edited in the queue", async () => {
  await using daemon = await TestDaemon.start();
  const asking = { calls: [{ tool: "ask_followup_question", input: { question: "Which?", follow_up: [{ text: "A" }, { text: "B" }] } }] };
  const session = await daemon.session({ model: script(daemon, [asking, { text: "one" }, { text: "two" }]) });
  await session.prompt("first");
  await session.untilOpen();
  const promptId = crypto.randomUUID();
  await session.wish({ type: "prompt", promptId, text: "secnd", delivery: "queue" });
  await session.wish({ type: "editPrompt", promptId, text: "second" });
  await session.answer({ choice: "1" });
  await session.until("both turns", ({ state }) => state.turns === 2 && !state.turn);
  const shown = await Promise.all([2, 3, 4, 5, 6, 7, 8, 400].map((tail) => drawn(daemon, session.id, tail)));
  expect(shown.filter((texts) => texts.includes("second")).length).toBeGreaterThan(3);
  expect(shown.flat()).not.toContain("secnd");
});

test("the newest part of a session begins with the first attempt of a step", async () => {
  await using daemon = await TestDaemon.start();
  const failing = { text: "one", fail: { code: "overloaded" as const, times: 2 } };
  const session = await daemon.session({ model: script(daemon, [failing]) });
  await session.runTurn("first");
  const { events } = await session.api.session.open.query({ sessionId: session.id, tail: 1 });
  expect(events.flatMap((event) => (event.type === "model.started" ? [event.attempt] : []))).toEqual([1, 2, 3]);
});

test("a rewind restores the conversation from before a prompt, for the model, for clients and after a restart", async () => {
  const { model, daemon } = await withModel();
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.runTurn("first");
  await session.runTurn("second", 2);
  await session.wish({ type: "rewind", promptId: promptOf(session, "second") });
  expect(await drawn(daemon, session.id)).toEqual(["first", "", "one"]);

  await session.prompt("instead");
  await session.until(
    "the end",
    ({ events }) => events.at(-1)?.type === "turn.ended" && events.filter((event) => event.type === "turn.ended").length === 3,
  );
  const texts = model.requests.at(-1)?.messages.flatMap((message) => (message.role === "user" ? [JSON.stringify(message.content)] : []));
  expect(texts).toEqual(['"first"', '"instead"']);
  expect(new Set(session.events.flatMap((event) => (event.type === "tool.started" ? [event.callId] : []))).size).toBe(3);
  await daemon.kill();
  await daemon.start();
  const { state } = await daemon.connect().api.session.open.query({ sessionId: session.id });
  expect([state.turns, state.counts.steps]).toEqual([3, 6]);
  expect(await drawn(daemon, session.id)).toEqual(["first", "", "one", "instead", "", "two"]);
  expect(model.violations).toEqual([]);
});

test("pages of any size have the same conversation, however much of the log was rewound", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ text: "Done." }]) });
  const { api } = daemon.connect();
  const { id: sessionId } = session;
  const textsOf = (events: readonly LoggedEvent[]) =>
    transcriptOf(events).entries.flatMap((entry) => (entry.kind === "prompt" || entry.kind === "reply" ? [entry.text] : []));
  const paged = async (size: number) => {
    let { from, events } = await api.session.open.query({ sessionId, tail: size });
    const first = textsOf(events).length;
    for (; from > 1;) {
      const page = await api.session.page.query({ sessionId, before: from, atLeast: size });
      events = [...page.events, ...events];
      ({ from } = page);
    }
    return { first, texts: textsOf(events) };
  };

  let count = 0;
  for (const [prompts, rewindTo] of [
    [8, 6],
    [2, 3],
    [1, 2],
    [6, 9],
  ] as const) {
    for (let i = 0; i < prompts; i++) await session.runTurn(`prompt ${++count}`, session.state.turns + 1);
    const kept = transcriptOf(session.events).entries.filter(({ kind }) => kind === "prompt");
    await session.wish({ type: "rewind", promptId: kept[rewindTo]?.id ?? kept.at(-1)?.id ?? "" });
    const expected = textsOf(session.events);
    for (const size of [1, 10, 50, 400]) {
      const { first, texts } = await paged(size);
      expect([size, texts]).toEqual([size, expected]);
      expect(first).toBeGreaterThan(0);
    }
  }
});

test("a later title and a later move to the archive are not undone, neither by a second rewind nor by a restart", async () => {
  const { model, daemon } = await withModel();
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.runTurn("first");
  await session.runTurn("second", 2);
  await session.wish({ type: "rename", title: "A title of its own" });
  await session.wish({ type: "archive", archived: true });
  await session.wish({ type: "rewind", promptId: promptOf(session, "second") });
  const { api } = daemon.connect();
  const stands = async () => {
    const { state } = await api.session.open.query({ sessionId: session.id });
    return [state.title, state.archived];
  };
  expect(await stands()).toEqual(["A title of its own", true]);
  await session.wish({ type: "rewind", promptId: promptOf(session, "first") });
  expect(await stands()).toEqual(["A title of its own", true]);
  expect(await drawn(daemon, session.id)).toEqual([]);
  await daemon.kill();
  await daemon.start();
  expect(await stands()).toEqual(["A title of its own", true]);
});

test("an invalid target of a rewind is refused, and nothing changes", async () => {
  const { model, daemon } = await withModel();
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.runTurn("first");
  const seq = session.events.length;
  expect(await session.wish({ type: "rewind", promptId: "nope" }).catch(refusalOf)).toMatchObject({ code: "prompt_not_found" });
  expect((await daemon.connect().api.session.open.query({ sessionId: session.id })).seq).toBe(seq);
});

test("a fork repeats a session under new ids and continues separately", async () => {
  const { model, daemon } = await withModel();
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.runTurn("first");
  const { api } = daemon.connect();
  const commandId = crypto.randomUUID();
  const { id } = await api.session.fork.mutate({ sessionId: session.id, commandId });
  expect(await api.session.fork.mutate({ sessionId: session.id, commandId })).toEqual({ id });
  expect(await drawn(daemon, id)).toEqual(["first", "", "one"]);
  const fork = daemon.attach(id);
  await fork.runTurn("on its own", 2);
  expect(await drawn(daemon, session.id)).toEqual(["first", "", "one"]);
  expect((await api.session.list.query({})).length).toBe(2);
  expect(model.violations).toEqual([]);
});
