import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openRequests } from "@baton/core/session/state";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer, type Reply } from "../support/model-server.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const run = (command: string, more: object = {}) => ({ tool: "run_command", input: { command, ...more } });
const list = { tool: "list_files", input: {} };
const outcomes = ({ finished }: TestSession) => finished.map(({ result }) => result.outcome);

/** The messages to the model at each step, as roles and texts. */
const messagesIn = (model: ModelServer, nth: number) =>
  model.requests[nth]?.messages
    .slice(1)
    .map((message) => (message.role === "user" ? `user ${JSON.stringify(message.content)}` : message.role));

async function withModel(replies: Reply[], config: object = {}) {
  const model = await ModelServer.start({ replies });
  const daemon = await TestDaemon.start({
    config: { ...model.config, ...config },
  });
  return { model, daemon };
}

test("a steering prompt enters after the open results, and does not answer the request", async () => {
  const { model, daemon } = await withModel([{ calls: [run("echo one")] }, { text: "Steered." }]);
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.prompt("go");
  await session.untilOpen();
  await session.prompt("rather two", { delivery: "steer" });
  expect(openRequests(session.state)).toHaveLength(1);
  await session.answer({ choice: "deny", note: "not that one" });
  await session.untilEnd();
  expect(messagesIn(model, 1)).toEqual(['user "go"', "assistant", "tool", 'user "rather two"']);
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("not that one");
  expect(model.violations).toEqual([]);
});

test("a queued prompt waits for the end of the turn, and can be edited and withdrawn until then", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ calls: [run("echo one")] }, { text: "first" }, { text: "second" }]) });
  await session.prompt("go");
  await session.untilOpen();
  await session.prompt("later");
  await session.prompt("never");
  await session.until("the queue", ({ state }) => state.queue.length === 2);
  const [later, never] = session.state.queue;
  await session.wish({ type: "editPrompt", promptId: later?.promptId ?? "", text: "later, better" });
  await session.wish({ type: "withdrawPrompt", promptId: never?.promptId ?? "" });
  await session.answer({ choice: "once" });
  await session.untilEnd(2);
  expect(session.state.turns).toBe(2);
  expect(session.events.flatMap((event) => (event.type === "prompt.delivered" ? event.promptIds : []))).toEqual([
    expect.any(String),
    later?.promptId,
  ]);
});

test("an interrupt stops a running command and its processes, keeps the queue, and the session continues", async () => {
  await using daemon = await TestDaemon.start();
  const command = "sleep 300 & echo $! > pids; echo $$ >> pids; echo ready; wait";
  const session = await daemon.session({ model: script(daemon, [{ calls: [run(command)] }, { text: "next" }, { text: "queued" }]) });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "once" });
  await session.until("output", ({ frames }) => frames.some((frame) => frame.type === "output" && frame.text.includes("ready")));
  await session.prompt("held back");
  await session.wish({ type: "interrupt" });
  await session.untilEnd();
  expect(session.events.at(-1)).toMatchObject({ type: "turn.ended", reason: "stopped", by: { person: "test" } });
  const pids = daemon.read("pids").trim().split("\n").map(Number);
  const alive = () => pids.filter((pid) => isAlive(pid));
  for (const until = performance.now() + 5_000; alive().length > 0 && performance.now() < until;)
    await new Promise((look) => setTimeout(look, 50));
  expect(alive()).toEqual([]);
  expect(session.state.held).toBe(true);
  await session.runTurn("go on", 3);
  expect(session.state.queue).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("an interrupt during the model's reply ends the turn at once", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ text: "too slow", delayMs: 60_000 }]) });
  await session.prompt("go");
  await session.until("the model", ({ events }) => events.some((event) => event.type === "model.started"));
  await session.wish({ type: "interrupt" });
  await session.untilEnd();
  expect(await session.wish({ type: "interrupt" }).catch(refusalOf)).toMatchObject({ code: "nothing_running" });
});

test("the model's text from before a stop remains in the session", async () => {
  await using daemon = await TestDaemon.start();
  const text = "I take my time. ".repeat(500);
  const session = await daemon.session({ model: script(daemon, [{ text, stream: { characters: 8, everyMs: 20 } }]) });
  await session.prompt("go");
  await session.until("some text", ({ frames }) => frames.some((frame) => frame.type === "text"));
  await session.wish({ type: "interrupt" });
  await session.untilEnd();
  const transcript = transcriptOf(session.events);
  const reply = transcript.entries.find((entry) => entry.kind === "reply");
  expect(reply).toMatchObject({ phase: "cut", text: text.slice(0, reply?.text.length) });
  expect(reply?.text).not.toBe("");
});

test("read-only calls run in parallel, and calls that write run in order", async () => {
  const { model, daemon } = await withModel([
    { calls: [run("sleep 0.3; echo a >> order"), run("echo b >> order"), list, list] },
    { text: "ok" },
  ]);
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.prompt("go");
  await session.untilOpen(2);
  const [first, second] = openRequests(session.state);
  await session.answer({ choice: "once" }, second?.id);
  await session.answer({ choice: "once" }, first?.id);
  await session.untilEnd();
  expect(daemon.read("order")).toBe("a\nb\n");
  const finished = session.events.flatMap((event) => (event.type === "tool.finished" ? [event.callId] : []));
  expect(finished.slice(0, 2).toSorted((a, b) => a.localeCompare(b))).toEqual(["s1.3", "s1.4"]);
  expect(finished.slice(2)).toEqual(["s1.1", "s1.2"]);
});

test("a switch of the mode during a turn closes calls that it does not allow, and applies from the next step", async () => {
  const { model, daemon } = await withModel([{ calls: [run("echo one")] }, { calls: [run("echo two")] }, { text: "ok" }]);
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.prompt("go");
  await session.untilOpen();
  await session.wish({ type: "switchMode", mode: "ask" });
  await session.untilEnd();
  expect(outcomes(session)).toEqual(["failed", "failed"]);
  expect(model.requests.map(({ tools }) => tools.some((tool) => tool.function.name === "run_command"))).toEqual([true, false, false]);
  expect(session.events.flatMap((event) => (event.type === "mode.changed" ? [[event.from, event.to, event.origin]] : []))).toEqual([
    ["code", "ask", "user"],
  ]);
});

test("at the limit of steps Baton asks the user, continuing grants the same number again, and stopping ends the turn", async () => {
  await using daemon = await TestDaemon.start();
  const replies = Array.from({ length: 6 }, (_, i) => ({ calls: [{ tool: "read_file", input: { path: `${i}` } }] }));
  const session = await daemon.session({ model: script(daemon, replies) });
  await session.prompt("go", { stepLimit: 2 });
  await session.untilOpen();
  expect(openRequests(session.state)[0]).toMatchObject({
    kind: "approval",
    subject: { turn: 1 },
    choices: [{ id: "continue" }, { id: "stop" }],
  });
  await daemon.kill();
  await daemon.start();
  await session.answer({ choice: "continue" });
  await session.until("the limit again", ({ events }) => events.filter((event) => event.type === "request.opened").length === 2);
  await session.answer({ choice: "stop" });
  await session.untilEnd();
  expect(session.state.counts.steps).toBe(4);
  expect(session.events.at(-1)).toMatchObject({ reason: "limit" });
});

test("a choice or a text of the user answers a question", async () => {
  const ask = {
    tool: "ask_followup_question",
    input: { question: "Which?", follow_up: [{ text: "Red", mode: "code" }, { text: "Blue" }] },
  };
  const { model, daemon } = await withModel([{ calls: [ask] }, { calls: [ask] }, { text: "ok" }]);
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.prompt("go");
  await session.untilOpen();
  expect(openRequests(session.state)[0]).toMatchObject({
    kind: "question",
    text: "Which?",
    choices: [{ label: "Red" }, { label: "Blue" }],
  });
  await session.answer({ choice: "2" });
  await session.until("the second question", ({ events }) => events.filter((event) => event.type === "request.opened").length === 2);
  await session.answer({ text: "Green, if you can" });
  await session.untilEnd();
  const conversation = JSON.stringify(model.requests.at(-1)?.messages);
  expect(conversation).toContain("Blue");
  expect(conversation).toContain("Green, if you can");
  expect(session.state.mode).toBe("code");
});

test("if the file has changed since the approval was shown, Baton asks again", async () => {
  await using daemon = await TestDaemon.start();
  daemon.write("a.txt", "one\ntwo\n");
  const edit = { tool: "edit_file", input: { path: "a.txt", old_text: "two", new_text: "2" } };
  const session = await daemon.session({ model: script(daemon, [{ calls: [edit] }, { text: "ok" }]) });
  await session.prompt("go");
  await session.untilOpen();
  const [first] = openRequests(session.state);
  daemon.write("a.txt", "zero\none\ntwo\n");
  await session.answer({ choice: "once", ...(first?.hash === undefined ? {} : { hash: first.hash }) });
  await session.until("another request", ({ state }) => openRequests(state).some(({ id }) => id !== first?.id));
  expect(daemon.read("a.txt")).toBe("zero\none\ntwo\n");
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(daemon.read("a.txt")).toBe("zero\none\n2\n");
});

test("Baton does not ask about an impossible edit", async () => {
  await using daemon = await TestDaemon.start();
  daemon.write("a.txt", "one\n");
  const edit = (path: string) => ({ calls: [{ tool: "edit_file", input: { path, old_text: "two", new_text: "2" } }] });
  const session = await daemon.session({ model: script(daemon, [edit("a.txt"), edit("nowhere.txt"), { text: "ok" }]) });
  await session.runTurn("go");
  expect(outcomes(session)).toEqual(["failed", "failed"]);
  expect(session.events.filter(({ type }) => type === "request.opened")).toEqual([]);
});

test("a background command survives its call, and can be listed, read and stopped", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({
    model: script(daemon, [
      { calls: [run("echo up; sleep 300", { background: true })] },
      { calls: [{ tool: "command_output", input: { id: "s1.1", wait_ms: 300 } }] },
      { calls: [{ tool: "stop_command", input: { id: "s1.1" } }] },
      { text: "ok" },
    ]),
  });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "once" });
  await session.untilEnd();
  await session.until("its end", ({ events }) => events.some((event) => event.type === "process.ended"));
  expect(outcomes(session)).toEqual(["ok", "ok", "ok"]);
  expect(session.events.flatMap((event) => (event.type.startsWith("process.") ? [event.type] : []))).toEqual([
    "process.started",
    "process.ended",
  ]);
  expect(session.state.processes).toEqual([]);
});

test("processes that a session left running end when the session is deleted", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({
    model: script(daemon, [{ calls: [run("echo $$ > pid; exec sleep 300", { background: true })] }, { text: "ok" }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "once" });
  await session.untilEnd();
  const file = path.join(daemon.workspace, "pid");
  while (!existsSync(file) || readFileSync(file, "utf8") === "") await wait(20);
  const pid = Number(readFileSync(file, "utf8"));
  expect(process.kill(pid, 0)).toBe(true);
  const { api } = daemon.connect();
  await api.session.delete.mutate({ commandId: crypto.randomUUID(), sessionId: session.id });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(await api.session.list.query({})).toEqual([]);
});
