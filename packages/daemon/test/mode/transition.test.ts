import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

type Replies = Parameters<typeof script>[1];
const call = (tool: string, input: object) => ({ tool, input });
const write = (file: string, content = "x") => call("write_file", { path: file, content });

const switches = ({ events }: TestSession) =>
  events.flatMap((event) => (event.type === "mode.changed" ? [`${event.from} > ${event.to} (${event.origin})`] : []));
const results = ({ events }: TestSession) =>
  events.flatMap((event) => (event.type === "tool.finished" ? [`${event.callId} ${event.result.outcome}: ${event.result.text}`] : []));
const synthetic = ({ events }: TestSession) =>
  events.flatMap((event) =>
    event.type === "prompt.received" && event.synthetic ? [`${event.synthetic} in ${event.mode}: ${event.text}`] : [],
  );

/** A session of a scripted model in a mode, with its first prompt sent. */
async function begin(daemon: TestDaemon, mode: string, replies: Replies): Promise<TestSession> {
  const session = await daemon.session({ model: script(daemon, replies), mode });
  await session.prompt("do it");
  return session;
}

test("a plan is requested, sent back with a note, accepted completely, and then built in the mode before it", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ mode: "build" });
  const model = script(daemon, [
    { calls: [call("enter_plan", {})] },
    { calls: [write(`.baton/plans/${session.id}.md`, "# Plan\n\nDo the thing in two steps.")] },
    { calls: [write("src/other.js")] },
    { calls: [call("exit_plan", {})] },
    { calls: [call("exit_plan", {})] },
    { text: "Built." },
  ]);
  await session.prompt("a large change", { model });

  expect((await session.untilOpen()).choices.map(({ id }) => id)).toEqual(["accept", "stay"]);
  await session.answer({ choice: "accept" });

  const first = await session.untilOpen();
  expect(first.view).toEqual({ type: "text", text: "# Plan\n\nDo the thing in two steps.", format: "markdown" });
  expect(first.choices.map(({ id }) => id)).toEqual(["accept", "accept_with_grants", "stay"]);
  expect(existsSync(path.join(session.state.workspace, ".baton/plans", `${session.id}.md`))).toBe(true);
  expect(existsSync(path.join(session.state.workspace, "src/other.js"))).toBe(false);
  await session.answer({ choice: "stay", note: "name the tests" });

  const second = await session.untilOpen();
  expect(second.id).not.toBe(first.id);
  await session.answer({ choice: "accept_with_grants" });
  await session.untilEnd();

  expect(switches(session)).toEqual(["build > plan (enter_plan)", "plan > build (exit_plan)"]);
  expect(results(session).join("\n")).toContain("The user says: name the tests");
  expect(synthetic(session)).toEqual([
    expect.stringContaining(`enter_plan in plan: Plan the work`),
    `exit_plan in build: The user approved the plan in .baton/plans/${session.id}.md. Build it.`,
  ]);
  expect(session.state.grants.map(({ rule, mode }) => [rule, mode])).toEqual([
    [{ action: "edit", resource: "*", effect: "allow" }, "build"],
  ]);
  expect(session.events.findLast(({ type }) => type === "model.started")).toMatchObject({ mode: "build", model });
});

/** A session that wrote a plan and asks to build it, after it went through these modes. */
async function planned(daemon: TestDaemon, path: readonly string[]): Promise<TestSession> {
  const session = await daemon.session({ mode: path[0] ?? "plan" });
  for (const mode of path.slice(1)) await session.wish({ type: "switchMode", mode });
  const writing = { calls: [write(`.baton/plans/${session.id}.md`, "# Plan\n\nDo the thing.")] };
  await session.prompt("plan it", { model: script(daemon, [writing, { calls: [call("exit_plan", {})] }, { text: "Built." }]) });
  await session.untilOpen();
  return session;
}

test.each([
  [["code", "plan"], "code"],
  [["debug", "plan"], "debug"],
  [["debug", "configuration", "plan"], "debug"],
  [["debug", "plan", "coordinator", "plan"], "debug"],
])("an accepted plan is built in the nearest mode on the way into plan that can build: %s", async (path, to) => {
  await using daemon = await TestDaemon.start();
  const session = await planned(daemon, path);
  await session.answer({ choice: "accept" });
  await session.untilEnd();
  expect(session.state.mode).toBe(to);
});

test.each([[["plan"]], [["ask", "plan"]], [["architect", "plan"]], [["orchestrator", "plan"]], [["ask", "coordinator", "plan"]]])(
  "if no mode on the way into plan can build, the user chooses one: %s",
  async (path) => {
    await using daemon = await TestDaemon.start();
    const session = await planned(daemon, path);
    const [request] = openRequests(session.state);
    expect(request?.choices.map(({ id }) => id)).toEqual(["accept", "accept_with_grants", "accept_in_code", "accept_in_debug", "stay"]);
    expect(request?.choices[0]?.description).toContain("Switches to Build.");
    await session.answer({ choice: "accept_in_debug" });
    await session.untilEnd();
    expect(session.state.mode).toBe("debug");
  },
);

test("a switch by the user says if the new mode cannot change the file in view", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ mode: "code" });
  for (const [mode, file] of [
    ["architect", "src/a.ts"],
    ["code", "src/a.ts"],
    ["architect", "notes.md"],
  ] as const)
    await session.wish({ type: "switchMode", mode, file });
  await session.until("three switches", ({ events }) => events.filter(({ type }) => type === "mode.changed").length === 3);
  expect(session.events.flatMap((event) => (event.type === "mode.changed" ? [event.reason] : []))).toEqual([
    "src/a.ts is open in the editor; architect cannot change it",
    undefined,
    undefined,
  ]);
});

test("leaving an unwritten plan is refused, and causes no request", async () => {
  await using daemon = await TestDaemon.start();
  const session = await begin(daemon, "plan", [{ calls: [call("exit_plan", {})] }, { text: "I see." }]);
  await session.untilEnd();
  expect(results(session)[0]).toContain(`There is no plan yet. Write it to .baton/plans/${session.id}.md`);
  expect(switches(session)).toEqual([]);
});

test.each([
  ["the choice to stay", { choice: "stay" }],
  ["own words", { text: "yes, accept" }],
])("%s keeps the mode", async (_, answer) => {
  await using daemon = await TestDaemon.start();
  const session = await begin(daemon, "coordinator", [{ calls: [call("switch_mode", { mode_slug: "code" })] }, { text: "Stayed." }]);
  await session.untilOpen();
  await session.answer(answer);
  await session.untilEnd();
  expect(switches(session)).toEqual([]);
  expect(results(session)[0]).toMatch(/^s1\.1 ok: The user refused the switch. The session stays in coordinator/);
});

test("an impossible switch is reported at once, and nothing changes", async () => {
  await using daemon = await TestDaemon.start();
  const session = await begin(daemon, "coordinator", [
    { calls: [call("switch_mode", { mode_slug: "nowhere" })] },
    { calls: [call("switch_mode", { mode: "coordinator" })] },
    { calls: [call("coordinate_mode", { outcome: "return", reason: "no need" })] },
    { text: "Well." },
  ]);
  await session.untilEnd();
  expect(results(session)).toEqual([
    expect.stringContaining('s1.1 failed: There is no mode "nowhere". The modes are: code,'),
    expect.stringContaining("s2.1 failed: The session is already in coordinator."),
    expect.stringContaining("s3.1 failed: No other mode asked for coordination"),
  ]);
  expect(switches(session)).toEqual([]);
});

test("a tool that a mode lacks calls the coordinator, which asks for the switch, and the work continues there", async () => {
  await using daemon = await TestDaemon.start();
  const session = await begin(daemon, "ask", [
    { calls: [write("a.txt"), call("list_files", {})] },
    { calls: [call("switch_mode", { mode_slug: "code", reason: "a file is to be written" }), write("b.txt")] },
    { calls: [write("a.txt", "hello")] },
    { text: "Done." },
  ]);
  const request = await session.untilOpen();
  expect(request).toMatchObject({ kind: "question", tool: "switch_mode" });
  expect(JSON.stringify(request.view)).toContain("a file is to be written");
  await session.answer({ choice: "accept" });
  expect((await session.untilOpen()).tool).toBe("write_file");
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(readFileSync(path.join(session.state.workspace, "a.txt"), "utf8")).toBe("hello");
  expect(existsSync(path.join(session.state.workspace, "b.txt"))).toBe(false);
  expect(switches(session)).toEqual(["ask > coordinator (coordination)", "coordinator > code (switch_mode)"]);
  expect(results(session).filter((result) => result.includes("Not run: the mode changed"))).toHaveLength(1);
});

test("a coordinator that returns, or ends without text, leaves everything as it was, and the same missing tool does not call it again", async () => {
  await using daemon = await TestDaemon.start();
  const session = await begin(daemon, "ask", [
    { calls: [write("a.txt")] },
    { calls: [call("coordinate_mode", { outcome: "return", reason: "Reading is enough." })] },
    { calls: [write("a.txt")] },
    { calls: [call("run_command", { command: "ls" })] },
    { text: "I leave it at that." },
  ]);
  await session.untilEnd();
  expect(switches(session)).toEqual([
    "ask > coordinator (coordination)",
    "coordinator > ask (coordination)",
    "ask > coordinator (coordination)",
    "coordinator > ask (coordination)",
  ]);
  expect(results(session)[2]).toContain("The tool write_file is not available in mode ask");
  expect(session.state.mode).toBe("ask");
  expect(session.state.lastTurn?.reason).toBe("completed");
});

test("a third missing tool ends the turn as blocked", async () => {
  await using daemon = await TestDaemon.start();
  const back = { calls: [call("coordinate_mode", { outcome: "return", reason: "no" })] };
  const session = await begin(daemon, "ask", [
    { calls: [write("a.txt")] },
    back,
    { calls: [call("run_command", { command: "ls" })] },
    back,
    { calls: [call("edit_file", { path: "a", old_text: "a", new_text: "b" })] },
    { text: "never" },
  ]);
  await session.untilEnd();
  expect(session.state.lastTurn?.reason).toBe("blocked");
});

test("a turn that ends as blocked calls the coordinator", async () => {
  await using daemon = await TestDaemon.start();
  const session = await begin(daemon, "ask", [
    { calls: [call("attempt_completion", { result: "I cannot write.", outcome: "blocked", needs: "a mode that edits" })] },
    { calls: [call("switch_mode", { mode_slug: "code" })] },
    { text: "Done." },
  ]);
  await session.untilOpen();
  await session.answer({ choice: "accept" });
  await session.untilEnd();
  expect(switches(session)).toEqual(["ask > coordinator (coordination)", "coordinator > code (switch_mode)"]);
  expect(synthetic(session)[0]).toContain("a mode that edits");
});

test("if coordination is set to ask, Baton asks the user first, and a denial leaves a plain result", async () => {
  await using daemon = await TestDaemon.start({ config: { coordination: "ask" } });
  const session = await begin(daemon, "ask", [{ calls: [write("a.txt")] }, { text: "Then not." }]);
  expect(await session.untilOpen()).toMatchObject({ kind: "question", header: "Coordinate?" });
  await session.answer({ choice: "stay" });
  await session.untilEnd();
  expect(switches(session)).toEqual([]);
  expect(results(session)[0]).toContain("not available in mode ask");
});

test("coordination does not replace a mode that the user chose during the turn, and calls that the mode does not allow are closed", async () => {
  await using daemon = await TestDaemon.start();
  const session = await begin(daemon, "code", [{ calls: [write("a.txt")] }, { calls: [write("b.txt")] }, { text: "Then not." }]);
  await session.untilOpen();
  await session.wish({ type: "switchMode", mode: "ask" });
  await session.untilEnd();
  expect(openRequests(session.state)).toEqual([]);
  expect(switches(session)).toEqual(["code > ask (user)"]);
  expect(results(session)).toEqual([
    expect.stringContaining("s1.1 failed: The tool write_file is not available in mode ask"),
    expect.stringContaining("s2.1 failed: The tool write_file is not available in mode ask"),
  ]);
});

test("a grant of one mode does not apply in another, and applies again after switching back", async () => {
  await using daemon = await TestDaemon.start();
  const reply = (file: string) => ({ calls: [write(file)] });
  const session = await begin(daemon, "code", [reply("a"), { text: "1" }, reply("a"), { text: "2" }, reply("a"), { text: "3" }]);
  await session.untilOpen();
  await session.answer({ choice: "session" });
  await session.untilEnd(1);
  await session.wish({ type: "switchMode", mode: "debug" });
  await session.prompt("again");
  await session.untilOpen();
  await session.answer({ choice: "once" });
  await session.untilEnd(2);
  await session.wish({ type: "switchMode", mode: "code" });
  await session.runTurn("again", 3);
  expect(session.state.counts.opened).toBe(2);
});

test("a rule of the user can allow a switch without a request", async () => {
  const permissions = [{ action: "switch_mode", resource: "code", effect: "allow" }];
  await using daemon = await TestDaemon.start({ config: { permissions } });
  const session = await begin(daemon, "coordinator", [{ calls: [call("switch_mode", { mode_slug: "code" })] }, { text: "There." }]);
  await session.untilEnd();
  expect(switches(session)).toEqual(["coordinator > code (switch_mode)"]);
});

test.each([
  ["coordinator", call("switch_mode", { mode_slug: "code" })],
  ["build", call("enter_plan", {})],
  ["plan", call("exit_plan", {})],
  ["code", call("enter-configuration-mode", {})],
])("a rule for every action approves no change of the mode %s", async (mode, change) => {
  await using daemon = await TestDaemon.start({ config: { permissions: { "*": "allow" } } });
  const session = await daemon.session({ mode });
  const plan = { calls: [write(`.baton/plans/${session.id}.md`, "A plan.")] };
  const model = script(daemon, [...(mode === "plan" ? [plan] : []), { calls: [change] }, { text: "There." }]);
  await session.prompt("do it", { model });
  expect((await session.untilOpen()).tool).toBe(change.tool);
  expect(session.state.mode).toBe(mode);
  expect(switches(session)).toEqual([]);
});

test("an open request about a switch survives a kill, and then switches once", async () => {
  await using daemon = await TestDaemon.start();
  const session = await begin(daemon, "coordinator", [{ calls: [call("switch_mode", { mode_slug: "code" })] }, { text: "There." }]);
  await session.untilOpen();
  await daemon.kill();
  await daemon.start();
  await session.untilOpen();
  await session.answer({ choice: "accept" });
  await session.untilEnd();
  expect(switches(session)).toEqual(["coordinator > code (switch_mode)"]);
});

test("if coordination is off, every mode has switch_mode, which still asks, and no missing tool calls the coordinator", async () => {
  await using daemon = await TestDaemon.start({ config: { coordination: "off" } });
  const session = await begin(daemon, "ask", [
    { calls: [write("a.txt")] },
    { calls: [call("switch_mode", { mode_slug: "code" })] },
    { text: "There." },
  ]);
  await session.untilOpen();
  await session.answer({ choice: "accept" });
  await session.untilEnd();
  expect(switches(session)).toEqual(["ask > code (switch_mode)"]);
});
