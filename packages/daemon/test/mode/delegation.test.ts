import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer, type ModelRequestSeen, type Reply } from "../support/model-server.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

type Replies = Parameters<typeof script>[1];
const call = (tool: string, input: object) => ({ tool, input });
const task = (mode: string, message: string, more: object = {}) => call("new_task", { mode, message, ...more });
const done = (result: string) => ({ calls: [call("attempt_completion", { result })] });

const results = ({ events }: TestSession) =>
  events.flatMap((event) => (event.type === "tool.finished" ? [`${event.callId} ${event.result.outcome}: ${event.result.text}`] : []));

/** Each mode has its own script, so that a subtask answers differently from its parent. */
const daemonWith = (replies: Record<string, Replies>, config: object = {}): Promise<TestDaemon> =>
  TestDaemon.start({
    config: (root) => ({
      ...config,
      modes: Object.fromEntries(Object.entries(replies).map(([mode, each]) => [mode, { model: script({ root }, each) }])),
    }),
  });

async function orchestrate(daemon: TestDaemon): Promise<TestSession> {
  const session = await daemon.session({ mode: "orchestrator" });
  await session.prompt("do it all");
  return session;
}

/** The subtask of a call, as soon as it exists. */
async function childOf(daemon: TestDaemon, parent: TestSession, callId: string): Promise<TestSession> {
  const id = `${parent.id}.${callId}`;
  while (!(await sessions(daemon)).includes(id)) {
    const { lastTurn, turn } = parent.state;
    if (lastTurn && !turn) throw new Error(`${id} was never begun: ${lastTurn.message ?? lastTurn.reason}`);
    await parent.until("a child", () => true);
  }
  return daemon.attach(id);
}

const sessions = async (daemon: TestDaemon) => (await daemon.connect().api.session.list.query({})).map((row) => row.id as string);
const inbox = (daemon: TestDaemon) => daemon.connect().api.request.list.query();

test("a task runs in its own session, its approval is in the inbox, and exactly one result comes back", async () => {
  await using daemon = await daemonWith({
    orchestrator: [
      {
        calls: [
          task("code", "Write a.txt", {
            context: "It is empty.",
            todos: "- [ ] write\n- [ ] check",
            priority: "high",
            estimatedMinutes: 90,
          }),
        ],
      },
      { text: "All done." },
    ],
    code: [{ calls: [call("write_file", { path: "a.txt", content: "by the child" })] }, done("Wrote a.txt.")],
  });
  const parent = await orchestrate(daemon);
  using child = await childOf(daemon, parent, "s1.1");
  await child.untilOpen();
  const [item] = await inbox(daemon);
  expect(item).toMatchObject({ sessionId: child.id, rootSessionId: parent.id, tool: "write_file", mode: "code" });
  await child.answer({ choice: "once" });
  await parent.untilEnd();
  expect(readFileSync(path.join(parent.state.workspace, "a.txt"), "utf8")).toBe("by the child");
  expect(results(parent)).toEqual([
    expect.stringMatching(
      /^s1\.1 ok: Task \S+\.s1\.1 in mode code completed after 2 steps\.\nDescription: Write a\.txt\. Priority: high\. Parent: \w+\. Duration: \d+\.\d s of an estimated 1 h 30 min\.\n\nWrote a\.txt\.$/,
    ),
  ]);
  expect(child.state).toMatchObject({ parent: { sessionId: parent.id, callId: "s1.1" }, mode: "code" });
  const rows = await daemon.connect().api.session.list.query({});
  expect(Object.fromEntries(rows.map(({ id, task: plan }) => [id, plan]))).toEqual({
    [parent.id]: null,
    [child.id]: { priority: "high", estimatedMinutes: 90 },
  });
  expect(child.state.todos.map(({ text }) => text)).toEqual(["write", "check"]);
});

test("an undo of the turn that delegated a task restores the task's changes", async () => {
  await using daemon = await daemonWith({
    orchestrator: [{ calls: [task("code", "Write a.txt")] }, { text: "All done." }],
    code: [{ calls: [call("write_file", { path: "a.txt", content: "by the child" })] }, done("Wrote a.txt.")],
  });
  const parent = await orchestrate(daemon);
  using child = await childOf(daemon, parent, "s1.1");
  await child.untilOpen();
  await child.answer({ choice: "once" });
  await parent.untilEnd();
  await parent.wish({ type: "undo", conversation: false });
  await parent.until("the undo", ({ events }) => events.some(({ type }) => type === "undo.finished"));
  expect(existsSync(path.join(parent.state.workspace, "a.txt"))).toBe(false);
});

test("tasks of one reply run in parallel, and a task waits for another if its call says so", async () => {
  await using daemon = await daemonWith({
    orchestrator: [{ calls: [task("code", "one"), task("debug", "two"), task("ask", "three", { after: ["1"] })] }, { text: "ok" }],
    code: [{ calls: [call("run_command", { command: "echo one" })] }, done("1")],
    debug: [{ calls: [call("run_command", { command: "echo two" })] }, done("2")],
    ask: [done("3")],
  });
  const parent = await orchestrate(daemon);
  using first = await childOf(daemon, parent, "s1.1");
  using second = await childOf(daemon, parent, "s1.2");
  await Promise.all([first.untilOpen(), second.untilOpen()]);
  await second.answer({ choice: "once" });
  await parent.until("the second result", (session) => results(session).length === 1);
  await first.answer({ choice: "once" });
  await parent.untilEnd();
  expect(results(parent).map((text) => text.slice(0, 4))).toEqual(["s1.2", "s1.1", "s1.3"]);
});

test("the variables of a task are available to later tasks, and several tasks end with one table", async () => {
  const done = (variables: object) => ({ calls: [call("attempt_completion", { result: "ok", variables })] });
  await using daemon = await daemonWith({
    orchestrator: [
      { calls: [task("code", "one"), task("debug", "two", { after: ["1"] })] },
      { calls: [task("ask", "three")] },
      { text: "All." },
    ],
    code: [done({ port: 1, host: "a" })],
    debug: [done({ port: 2 })],
    ask: [{ text: "I know." }],
  });
  const parent = await orchestrate(daemon);
  await parent.untilEnd();
  expect(parent.state.variables).toEqual({ port: 2, host: "a" });
  const last = daemon.attach(`${parent.id}.s2.1`);
  await last.untilEnd();
  const first = last.events.find((event) => event.type === "prompt.received");
  expect(first?.text).toContain('From earlier tasks: {"port":2,"host":"a"}');
  const [one, two] = results(parent);
  expect(one).toContain('Shared with later tasks: {"port":1,"host":"a"}.');
  expect(two).toContain('Shared with later tasks: {"port":2}.');
  expect(two).not.toContain("Another task");
});

test("killed while a subtask waits for an answer, parent and subtask continue, and there is one subtask and one result", async () => {
  await using daemon = await daemonWith({
    orchestrator: [{ calls: [task("code", "Run it")] }, { text: "ok" }],
    code: [{ calls: [call("run_command", { command: "echo ran >> effects" })] }, done("Ran.")],
  });
  const parent = await orchestrate(daemon);
  using child = await childOf(daemon, parent, "s1.1");
  await child.untilOpen();
  await daemon.kill();
  await daemon.start();
  await child.untilOpen();
  await child.answer({ choice: "once" });
  await parent.untilEnd();
  expect(readFileSync(path.join(parent.state.workspace, "effects"), "utf8")).toBe("ran\n");
  expect(results(parent)).toHaveLength(1);
  expect((await sessions(daemon)).toSorted()).toEqual([parent.id, child.id].toSorted());
});

test("stopping the parent stops the subtask", async () => {
  await using daemon = await daemonWith({
    orchestrator: [{ calls: [task("code", "Run it")] }, { text: "never" }],
    code: [{ calls: [call("run_command", { command: "echo ran" })] }, done("Ran.")],
  });
  const parent = await orchestrate(daemon);
  using child = await childOf(daemon, parent, "s1.1");
  await child.untilOpen();
  await parent.wish({ type: "interrupt" });
  await child.untilEnd();
  expect(child.state.lastTurn?.reason).toBe("stopped");
  expect(await inbox(daemon)).toEqual([]);
});

test("a subtask that the user stops is a cancelled task", async () => {
  await using daemon = await daemonWith({
    orchestrator: [{ calls: [task("code", "Run it")] }, { text: "I see." }],
    code: [{ calls: [call("run_command", { command: "echo ran" })] }],
  });
  const parent = await orchestrate(daemon);
  using child = await childOf(daemon, parent, "s1.1");
  await child.untilOpen();
  await child.wish({ type: "interrupt" });
  await parent.untilEnd();
  expect(results(parent)[0]).toContain("failed: Task");
  expect(results(parent)[0]).toContain("was cancelled");
});

test("a background task delivers its result as a message, even after a kill", async () => {
  await using daemon = await daemonWith({
    orchestrator: [{ calls: [task("code", "Run it", { background: true })] }, { text: "Meanwhile." }, { text: "Heard." }],
    code: [{ calls: [call("run_command", { command: "echo ran" })] }, done("Ran in the background.")],
  });
  const parent = await orchestrate(daemon);
  await parent.untilEnd();
  using child = await childOf(daemon, parent, "s1.1");
  await child.untilOpen();
  await daemon.kill();
  await daemon.start();
  await child.untilOpen();
  await child.answer({ choice: "once" });
  await parent.untilEnd(2);
  const messages = parent.events.filter((event) => event.type === "prompt.received" && event.synthetic === "delegate");
  expect(messages).toHaveLength(1);
  expect(JSON.stringify(messages[0])).toContain("Ran in the background.");
  expect(parent.state.children).toEqual([]);
});

test("an unknown mode, or a task that waits for a missing one, is reported at once", async () => {
  await using daemon = await daemonWith({
    orchestrator: [{ calls: [task("nowhere", "x")] }, { calls: [task("code", "x", { after: ["7"] })] }, { text: "ok" }],
    code: [done("x")],
  });
  const parent = await orchestrate(daemon);
  await parent.untilEnd();
  expect(results(parent)).toEqual([
    expect.stringContaining('There is no mode "nowhere". The modes are: code,'),
    expect.stringContaining("after: there is no earlier task 7"),
  ]);
});

test("no more subtasks run at once than the limit allows, and the rest wait by priority", async () => {
  const replies = [done("x")];
  await using daemon = await daemonWith(
    {
      orchestrator: [{ calls: [task("code", "a"), task("debug", "b"), task("architect", "c", { priority: "urgent" })] }, { text: "ok" }],
      code: [{ calls: [call("run_command", { command: "echo hold" })] }, done("x")],
      debug: replies,
      architect: replies,
    },
    { limits: { children: 1 } },
  );
  const parent = await orchestrate(daemon);
  using first = await childOf(daemon, parent, "s1.1");
  await first.untilOpen();
  expect(await sessions(daemon)).toHaveLength(2);
  await first.answer({ choice: "once" });
  await parent.untilEnd();
  expect(results(parent).map((text) => text.slice(0, 4))).toEqual(["s1.1", "s1.3", "s1.2"]);
});

test("a subtask that lacks a tool does not coordinate, and its parent learns that", async () => {
  await using daemon = await daemonWith({
    orchestrator: [{ calls: [task("ask", "write a file")] }, { text: "I see." }],
    ask: [
      { calls: [call("write_file", { path: "a", content: "b" })] },
      { calls: [call("attempt_completion", { result: "No.", outcome: "blocked" })] },
    ],
  });
  const parent = await orchestrate(daemon);
  await parent.untilEnd();
  expect(results(parent)[0]).toContain("is blocked");
});

/**
 * A tree of orchestrators. A prompt `tree DEPTH WIDTH NAME` delegates WIDTH trees of one level less. `cycle` delegates the same task
 * again. A model that gets the result of a task repeats it.
 */
function treeDialogue({ messages }: ModelRequestSeen): Reply {
  const prompts = messages.filter(({ role }) => role === "user").map((message) => JSON.stringify(message));
  const results = messages.filter(({ role }) => role === "tool").map((message) => JSON.stringify(message));
  if (results.length > 0) return { text: `done ${results.join(" ").includes("too deep") ? "deep" : ""}` };
  const task = prompts.map((text) => /(tree (\d+) (\d+) ([\d.]+)|cycle)/.exec(text)).find((match) => match !== null);
  if (task?.[0] === "cycle") return { calls: [{ tool: "new_task", input: { mode: "orchestrator", message: "cycle" } }] };
  const [depth, width, name] = [Number(task?.[2]), Number(task?.[3]), task?.[4] ?? "0"];
  if (!task || depth === 0) return { text: "leaf" };
  const message = (i: number) => `tree ${depth - 1} ${width} ${name}.${i}`;
  return { calls: Array.from({ length: width }, (_, i) => ({ tool: "new_task", input: { mode: "orchestrator", message: message(i) } })) };
}

async function daemonOfTrees(model: ModelServer, limits: object): Promise<TestDaemon> {
  model.options = { replies: [], replyTo: treeDialogue };
  return TestDaemon.start({ config: { ...model.config, limits, permissions: { new_task: "allow" } } });
}

const endedChildren = ({ events }: TestSession) =>
  events.flatMap((event) => (event.type === "tool.finished" ? [`${event.result.outcome} ${event.result.end ?? ""}`] : []));

test.each([
  { children: 1, depth: 4, width: 1 },
  { children: 1, depth: 3, width: 3 },
  { children: 2, depth: 2, width: 5 },
  { children: 4, depth: 2, width: 6 },
  { children: 10, depth: 3, width: 2 },
])("nested tasks end and delay no other session: %o", async ({ children, depth, width }) => {
  await using model = await ModelServer.start({ replies: [] });
  await using daemon = await daemonOfTrees(model, { children });
  const trees = await Promise.all(Array.from({ length: 2 }, () => daemon.session({ mode: "orchestrator" })));
  await Promise.all(trees.map((tree, i) => tree.prompt(`tree ${depth} ${width} ${i}`)));
  const other = await daemon.session({ mode: "orchestrator" });
  await other.runTurn("tree 1 1 9");
  await Promise.all(trees.map((tree) => tree.untilEnd()));
  for (const tree of trees) {
    const ended = endedChildren(tree);
    expect(ended).toHaveLength(width);
    expect(ended.filter((end) => !end.startsWith("ok completed"))).toEqual([]);
  }
});

test("a task below the deepest level does not start, and its model learns why", async () => {
  await using model = await ModelServer.start({ replies: [] });
  await using daemon = await daemonOfTrees(model, { children: 1, childDepth: 3 });
  const session = await daemon.session({ mode: "orchestrator" });
  await session.runTurn("tree 10 1 0");
  const ids = await sessions(daemon);
  expect(ids.filter((id) => id.startsWith(`${session.id}.`))).toHaveLength(3);
  using deepest = daemon.attach(ids.toSorted((a, b) => b.length - a.length)[0] ?? "");
  await deepest.untilEnd();
  expect(results(deepest)).toEqual([expect.stringContaining("This session is 3 levels below the user's session")]);
});

test("a task that delegates itself does not start again", async () => {
  await using model = await ModelServer.start({ replies: [] });
  await using daemon = await daemonOfTrees(model, {});
  const session = await daemon.session({ mode: "orchestrator" });
  await session.runTurn("cycle");
  expect((await sessions(daemon)).filter((id) => id.startsWith(`${session.id}.`))).toHaveLength(1);
  using child = daemon.attach(`${session.id}.s1.1`);
  await child.untilEnd();
  expect(results(child)).toEqual([expect.stringContaining("The same task in the same mode is already running")]);
});

test("nested tasks continue after every kill, and each starts once", { timeout: 180_000 }, async () => {
  await using model = await ModelServer.start({ replies: [] });
  await using daemon = await daemonOfTrees(model, { children: 1 });
  const session = await daemon.session({ mode: "orchestrator" });
  await session.prompt("tree 3 2 0");
  for (const wait of [50, 150, 300, 500]) {
    await new Promise((at) => setTimeout(at, wait));
    await daemon.kill("SIGKILL");
    await daemon.start();
  }
  using again = daemon.attach(session.id);
  await again.untilEnd();
  const ids = (await sessions(daemon)).filter((id) => id.startsWith(`${session.id}.`));
  expect(ids).toHaveLength(2 + 4 + 8);
  expect(endedChildren(again)).toHaveLength(2);
});

/** Two levels of orchestrators. Below them, one subtask that its parent waits for and one in the background write a file and then ask. */
function halvesDialogue({ messages }: ModelRequestSeen): Reply {
  const text = JSON.stringify(messages);
  if (text.includes("Write ")) {
    const name = /Write (\w\.txt)/.exec(text)?.[1] ?? "";
    return messages.some(({ role }) => role === "tool")
      ? { calls: [call("run_command", { command: "touch never" })] }
      : { calls: [call("write_file", { path: name, content: "of a subtask" })] };
  }
  if (text.includes("Half")) return { calls: [task("code", "Write b.txt", { background: true }), task("code", "Write a.txt")] };
  return { calls: [task("orchestrator", "Half of it")] };
}

test("an undo in a stopped parent restores the files of its subtask, and of the subtasks below it", async () => {
  await using model = await ModelServer.start({ replies: [], replyTo: halvesDialogue });
  await using daemon = await TestDaemon.start({
    config: { ...model.config, permissions: { edit: "allow", new_task: "allow" } },
  });
  daemon.write("a.txt", "mine");
  const parent = await orchestrate(daemon);
  using child = await childOf(daemon, parent, "s1.1");
  using background = await childOf(daemon, child, "s1.1");
  using awaited = await childOf(daemon, child, "s1.2");
  await Promise.all([background.untilOpen(), awaited.untilOpen()]);
  expect([daemon.read("a.txt"), daemon.read("b.txt")]).toEqual(["of a subtask", "of a subtask"]);
  await parent.wish({ type: "interrupt" });
  for (const file of ["a.txt", "b.txt"])
    await parent.until(`the change of ${file}`, ({ events }) =>
      events.some((event) => event.type === "file.changed" && event.path === file),
    );
  await parent.wish({ type: "undo", conversation: false });
  await parent.until("the undo", ({ events }) => events.some(({ type }) => type === "undo.finished"));
  expect(daemon.read("a.txt")).toBe("mine");
  expect(existsSync(path.join(daemon.workspace, "b.txt"))).toBe(false);
});
