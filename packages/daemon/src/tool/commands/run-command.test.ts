import { expect, test } from "vitest";
import { toolByName } from "../builtin-tools.ts";
import { Workbench } from "../../../test/support/workbench.ts";

test("the result says how the command ended, and then shows its output", async () => {
  await using bench = await Workbench.open();
  const { outcome, text, end, view } = await bench.run("run_command", { command: "pwd" });
  expect([outcome, text.replace(/\d+ ms/, "N ms"), end?.replace(/\d+/, "N")]).toEqual([
    "ok",
    `exit 0, N ms\n${bench.folder.path}\n`,
    "N ms",
  ]);
  expect(view).toEqual({ type: "terminal", head: `${bench.folder.path}\n`, tail: "", omittedLines: 0, exitCode: 0 });
});

test("a command that fails is a failure with its exit code", async () => {
  await using bench = await Workbench.open();
  const failing = await bench.run("run_command", { command: "echo no >&2; exit 2" });
  expect([failing.outcome, failing.text.startsWith("exit 2, "), failing.end]).toEqual(["failed", true, "exit 2"]);
  expect(await bench.run("run_command", { command: "kill -9 $$" })).toMatchObject({ outcome: "failed", end: "ended by SIGKILL" });
});

test("a command without output is reported as such", async () => {
  await using bench = await Workbench.open();
  expect((await bench.run("run_command", { command: "true" })).text).toMatch(/^exit 0, \d+ ms, no output$/);
});

test("the message about a time limit says what to do", async () => {
  await using bench = await Workbench.open();
  expect(await bench.run("run_command", { command: "echo a; sleep 100", timeout_ms: 2_000 })).toMatchObject({
    outcome: "failed",
    text: "time limit 2.0 s reached, so Baton ended it. Run long commands in the background\na\n",
    end: "time limit 2.0 s",
  });
});

test("the model gets both ends of a long output, and the length of the part between them", async () => {
  await using bench = await Workbench.open();
  const { text, view } = await bench.run("run_command", { command: "seq 1 100000" });
  const [before = "", after = ""] = text.split(/\n… [\d,]+ lines omitted; to see more, write the output to a file or filter it …\n/);
  const first = before.trimEnd().split("\n").length - 1;
  const last = after.trimEnd().split("\n").length;
  expect(text.length).toBeLessThan(30_000);
  expect(text).toContain(`… ${(100_000 - first - last).toLocaleString("en-US")} lines omitted`);
  expect(after.endsWith("\n99999\n100000\n")).toBe(true);
  expect(view?.type === "terminal" && view.blob).toMatch(/^[0-9a-f]{64}$/);
});

test("an approval shows the exact command, its folder and its time limit", async () => {
  await using bench = await Workbench.open();
  expect(await bench.preview("run_command", { command: "a\nb", timeout_ms: 5_000 })).toEqual({
    type: "command",
    command: "a\nb",
    cwd: bench.folder.path,
    timeLimitMs: 5_000,
  });
  expect(await bench.preview("run_command", { command: "a", terminal: true })).toEqual({
    type: "command",
    command: "a",
    cwd: bench.folder.path,
    terminal: true,
  });
  expect(await bench.preview("run_command", { command: "a", background: true })).toEqual({
    type: "command",
    command: "a",
    cwd: bench.folder.path,
  });
});

test("a background command can be read further and waited for, and is listed", async () => {
  await using bench = await Workbench.open();
  expect(await bench.run("run_command", { command: "echo one; exit 3", background: true })).toEqual({
    outcome: "ok",
    text: "Started in the background as s1.1. Poll it with command_output, end it with stop_command.",
    end: "background s1.1",
  });
  expect(await bench.run("command_output", { id: "s1.1", wait_ms: 10_000 })).toEqual({
    outcome: "ok",
    text: "exit 3\none\n",
    view: { type: "terminal", head: "one\n", tail: "", omittedLines: 0, exitCode: 3 },
    end: "exit 3",
  });
  expect(bench.notes).toEqual([
    { type: "process.started", processId: "s1.1", callId: "s1.1", command: "echo one; exit 3" },
    { type: "process.ended", processId: "s1.1", exitCode: 3, reason: "exited" },
  ]);
});

test("a background command is stopped, and only by its own session", async () => {
  await using bench = await Workbench.open();
  await bench.run("run_command", { command: "sleep 1000", background: true });
  expect(await bench.run("command_output", { id: "s1.1" })).toMatchObject({ text: "running, nothing new", end: "running" });
  expect(await bench.run("stop_command", { id: "s1.1" }, "two")).toEqual({
    outcome: "failed",
    text: "This session has no background command s1.1. It has none. If one ran before the daemon restarted, its outcome is unknown; check before you start it again. Start one with run_command and background.",
  });
  expect(await bench.run("stop_command", { id: "s1.1" })).toMatchObject({ outcome: "ok", text: "stopped, nothing new", end: "stopped" });
  expect(await bench.run("stop_command", { id: "nope" })).toMatchObject({
    text: "This session has no background command nope. Its commands are: s1.1 (sleep 1000, ended).",
  });
});

test("processes that a command leaves running become a background command", async () => {
  await using bench = await Workbench.open();
  const { outcome, text } = await bench.run("run_command", { command: "sleep 1000 & echo started" });
  expect([outcome, text.split("\n").slice(1)]).toEqual([
    "ok",
    ["started", "", "(a process that it started is still running as s1.1; see command_output and stop_command)"],
  ]);
  expect(bench.notes).toMatchObject([{ type: "process.started", processId: "s1.1" }]);
});

test("a command runs in its workdir, even if it has several parts", async () => {
  await using bench = await Workbench.open({ "a b/x.txt": "x\n", "-d/y.txt": "y\n" });
  const lines = async (input: { command: string; workdir: string }) =>
    (await bench.run("run_command", input)).text.split("\n").slice(1, -1);
  const { path } = bench.folder;
  expect(await lines({ command: "pwd", workdir: "a b" })).toEqual([`${path}/a b`]);
  expect(await lines({ command: "true; pwd", workdir: "./a b" })).toEqual([`${path}/a b`]);
  expect(await lines({ command: "sleep 0 & pwd; wait", workdir: `${path}/-d` })).toEqual([`${path}/-d`]);
  expect(await lines({ command: "cat y.txt", workdir: "-d" })).toEqual(["y"]);
  expect(await lines({ command: "pwd", workdir: "." })).toEqual([path]);
  expect(await bench.run("run_command", { command: "pwd", workdir: "nowhere" })).toEqual({
    outcome: "failed",
    text: "There is no folder nowhere, so nothing was run.",
  });
});

test("a workdir is judged and shown as a cd command", async () => {
  await using bench = await Workbench.open();
  const runCommand = toolByName.get("run_command");
  expect(runCommand?.access({ command: "npm test", workdir: "../other" })).toEqual([
    { action: "command", resource: "cd ../other && npm test" },
  ]);
  expect(runCommand?.access({ command: "a & b", workdir: "x'y" })).toEqual([{ action: "command", resource: "cd 'x'\\''y'\na & b" }]);
  expect(runCommand?.label({ command: "npm test", workdir: "../other" })).toEqual({ verb: "run", object: "cd ../other && npm test" });
  expect(await bench.preview("run_command", { command: "npm test", workdir: "web" })).toMatchObject({ command: "cd web && npm test" });
});
