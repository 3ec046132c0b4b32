import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { openBlobs } from "../files/blob.ts";
import { openShell, type RunOptions, type Shell } from "./shell.ts";
import { sweepTagged } from "../platform/process-tree.ts";

let folder: Folder;
let shell: Shell;
const bootId = `test${process.pid}`;

beforeEach(async () => {
  folder = new Folder();
  shell = await openShell({
    bootId,
    folder: folder.at("pipes"),
    blobs: openBlobs(folder.at("blobs")),
    env: { ...process.env, MY_TOKEN: "secret", SEEN: "yes" },
    passEnv: () => ["SEEN"],
  });
});

afterEach(async () => {
  await shell.close();
  folder[Symbol.dispose]();
});

const owner = { sessionId: "one", callId: "s1.1" };
const { signal } = new AbortController();

async function run(command: string, options: Partial<RunOptions> = {}) {
  const finished = await shell.run(command, { cwd: folder.path, timeoutMs: 20_000, signal, onOutput: () => {}, owner, ...options });
  if ("fault" in finished) throw new Error(finished.message);
  return finished;
}

/** Processes with the tag of these tests. */
const alive = (): number => {
  const marked = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isMarked(pid));
  return marked.length;
};

function isMarked(pid: string): boolean {
  try {
    return (
      !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ") &&
      readFileSync(`/proc/${pid}/environ`, "latin1").includes(`BATON_CALL=${bootId}.`)
    );
  } catch {
    return false;
  }
}

test("the result of a command has its output and how it ended", async () => {
  expect(await run("echo hello; exit 3")).toMatchObject({
    exitCode: 3,
    signal: null,
    head: "hello\n",
    tail: "",
    omittedLines: 0,
    timedOut: false,
  });
  expect(await run("kill -SEGV $$")).toMatchObject({ exitCode: null, signal: "SIGSEGV" });
  expect(await run("nonsense-xyz")).toMatchObject({ exitCode: 127, head: "bash: line 1: nonsense-xyz: command not found\n" });
});

test("stdout and stderr arrive in the order in which they were written", async () => {
  const { head } = await run("for i in 1 2 3; do echo out$i; echo err$i >&2; done; echo again > /dev/stderr");
  expect(head).toBe("out1\nerr1\nout2\nerr2\nout3\nerr3\nagain\n");
});

test("a command runs in its folder, without input, and with a limited environment", async () => {
  const { head } = await run("pwd; cat; echo ${MY_TOKEN-none} $SEEN $BATON_CALL ${BASH_ENV-none}");
  expect(head).toBe(`${folder.path}\nnone yes ${bootId}.one/s1.1 none\n`);
});

test("files that a command creates have the permissions of the user's umask", async () => {
  await run("touch a");
  expect(statSync(folder.at("a")).mode & 0o777).toBe(0o666 & ~process.umask());
});

test("a missing folder is reported", async () => {
  expect(await shell.run("true", { cwd: folder.at("gone"), timeoutMs: 1_000, signal, onOutput: () => {}, owner })).toEqual({
    fault: "not_started",
    message: `The command could not be started: the folder ${folder.at("gone")} no longer exists.`,
  });
});

test("output is shown as soon as it arrives", async () => {
  execFileSync("mkfifo", [folder.at("go")]);
  const seen = Promise.withResolvers<string>();
  const running = run("echo first; read -r line < go; echo $line", { onOutput: seen.resolve });
  expect(await seen.promise).toBe("first\n");
  await folder.write("go", "second\n");
  expect((await running).head).toBe("first\nsecond\n");
});

test("letters that are cut between two writes stay whole, and bytes that are none do no harm", async () => {
  const { head } = await run("printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80 \\xff\\n'");
  expect(head).toBe("😀 \ufffd\n");
});

test("progress bars are folded, and colours are removed", async () => {
  expect((await run("printf '\\e[32m 1%%\\r 2%%\\r100%%\\e[0m\\ndone\\n'")).head).toBe("100%\ndone\n");
});

test("a time limit ends the whole process tree, including processes that ignore the signal or have left the group", async () => {
  const began = performance.now();
  const finished = await run(
    "trap '' TERM; setsid sleep 1000 & setsid bash -c 'trap \"\" TERM; sleep 1000; sleep 1000' & (env -i setsid sleep 1000) & echo started; sleep 1000; sleep 1000",
    { timeoutMs: 300 },
  );
  expect(finished).toMatchObject({ timedOut: true, head: "started\n" });
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(alive()).toBe(0);
});

test("a command that stops itself is ended too", async () => {
  expect(await run("kill -STOP $$", { timeoutMs: 200 })).toMatchObject({ timedOut: true, signal: "SIGTERM" });
});

test("an abort ends a command within a moment", async () => {
  const stop = new AbortController();
  const seen = Promise.withResolvers<number>();
  const running = run("echo ready; sleep 1000", { signal: stop.signal, onOutput: () => seen.resolve(performance.now()) });
  await seen.promise;
  const began = performance.now();
  stop.abort();
  expect(await running).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: false });
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(alive()).toBe(0);
});

test("what it leaves running does not hold the call, and is a process of the session", async () => {
  const began = performance.now();
  const finished = await run("(sleep 1000; echo never) & echo started");
  expect(performance.now() - began).toBeLessThan(10_000);
  expect([finished.exitCode, finished.head, finished.left?.id]).toEqual([0, "started\n", "s1.1"]);
  expect(shell.list("one")).toEqual([{ id: "s1.1", command: "(sleep 1000; echo never) & echo started", running: true, terminal: false }]);
  const ended = Promise.withResolvers<unknown>();
  finished.left?.onEnd(ended.resolve);
  await shell.stop("one", "s1.1");
  expect(await ended.promise).toEqual({ exitCode: 0, reason: "stopped" });
  expect(alive()).toBe(0);
});

test("what it leaves running in silence is found too", async () => {
  const finished = await run("sleep 1000 > /dev/null 2>&1 &");
  expect(finished.left?.id).toBe("s1.1");
});

test("only its own session can read and stop a background command", async () => {
  execFileSync("mkfifo", [folder.at("go")]);
  const started = await shell.start("echo one; read -r _ < go; echo two; exit 4", { cwd: folder.path, owner });
  if ("fault" in started) throw new Error(started.message);
  expect(await shell.output("two", "s1.1", { waitMs: 0, signal })).toBeUndefined();
  expect(await shell.stop("two", "s1.1")).toBeUndefined();
  expect(shell.list("two")).toEqual([]);
  const ended = Promise.withResolvers<unknown>();
  started.onEnd(ended.resolve);
  await folder.write("go", "on\n");
  expect(await ended.promise).toEqual({ exitCode: 4, reason: "exited" });
  expect(await shell.output("one", "s1.1", { waitMs: 0, signal })).toMatchObject({
    text: "one\ntwo\n",
    end: { exitCode: 4, reason: "exited" },
  });
  expect(await shell.output("one", "s1.1", { waitMs: 0, signal })).toMatchObject({ text: "" });
});

test("waiting for a background command ends with the command, with the time limit or with an abort", async () => {
  await shell.start("sleep 0.1; echo done", { cwd: folder.path, owner });
  expect(await shell.output("one", "s1.1", { waitMs: 10, signal })).not.toHaveProperty("end");
  expect(await shell.output("one", "s1.1", { waitMs: 10_000, signal })).toMatchObject({ text: "done\n", end: { exitCode: 0 } });
  await shell.start("sleep 1000", { cwd: folder.path, owner: { sessionId: "one", callId: "s1.2" } });
  const stop = new AbortController();
  const waiting = shell.output("one", "s1.2", { waitMs: 10_000, signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});

test("a session can run sixteen background commands", async () => {
  for (let i = 0; i < 16; i++) await shell.start("sleep 1000", { cwd: folder.path, owner: { sessionId: "one", callId: `s1.${i}` } });
  expect(await shell.start("sleep 1000", { cwd: folder.path, owner })).toMatchObject({ fault: "too_many" });
  expect(await shell.start("true", { cwd: folder.path, owner: { sessionId: "two", callId: "s1.1" } })).toHaveProperty("id");
  await shell.stopSession("one");
  expect(shell.list("one").every(({ running }) => !running)).toBe(true);
});

test("closing the shell ends all running commands", async () => {
  const running = run("setsid sleep 1000 > /dev/null 2>&1 & sleep 1000");
  await shell.start("sleep 1000", { cwd: folder.path, owner });
  await run("setsid -f sleep 1000 > /dev/null 2>&1", { owner: { sessionId: "three", callId: "s1.1" } });
  await shell.close();
  expect(await running).toMatchObject({ timedOut: false });
  expect(alive()).toBe(0);
  expect(await shell.run("true", { cwd: folder.path, timeoutMs: 1_000, signal, onOutput: () => {}, owner })).toMatchObject({
    fault: "not_started",
  });
});

test("in a hurry, a command that is still being stopped is killed", async () => {
  const hurry = new AbortController();
  const other = await openShell({ bootId, folder: folder.at("pipes"), blobs: openBlobs(folder.at("blobs")), hurry: hurry.signal });
  const ready = Promise.withResolvers<void>();
  const onOutput = (text: string) => {
    if (text.includes("ready")) ready.resolve();
    if (text.includes("asked")) hurry.abort();
  };
  const running = other.run("trap 'echo asked; sleep 1.8; touch late; exit' TERM; echo ready; while true; do sleep 0.05; done", {
    cwd: folder.path,
    timeoutMs: 60_000,
    signal,
    onOutput,
    owner,
  });
  await ready.promise;
  await other.close();
  expect(await running).toMatchObject({ signal: "SIGKILL" });
  expect([alive(), existsSync(folder.at("late"))]).toEqual([0, false]);
});

test("what a dead daemon left is found by its mark", async () => {
  execFileSync("setsid", ["-f", "sleep", "1000"], { env: { ...process.env, BATON_CALL: `${bootId}.dead/s1.1` }, stdio: "ignore" });
  await expect.poll(alive).toBe(1); // setsid has forked, and the child needs some time to become the program
  await sweepTagged(`${bootId}.`);
  expect(alive()).toBe(0);
});

test("a flood of output keeps both ends, and a blob holds at most 50 MB of the rest", { timeout: 60_000 }, async () => {
  let shown = 0;
  const before = process.memoryUsage().rss;
  const finished = await run("yes 0123456789abcde | head -c 200000000", { onOutput: (text) => (shown += text.length) });
  expect([finished.head.startsWith("0123456789abcde\n"), finished.tail.length > 60_000]).toEqual([true, true]);
  expect(finished.omittedBytes).toBe(200_000_000 - finished.head.length - finished.tail.length);
  expect(statSync(folder.at(`blobs/${finished.blob?.slice(0, 2)}/${finished.blob}`)).size).toBe(50 * 1024 * 1024);
  expect(Math.abs(finished.omittedLines - 12_500_000)).toBeLessThan(100_000);
  expect(shown).toBeLessThan(2_000_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
});

test("a command also works without named pipes", async () => {
  const path = process.env["PATH"];
  process.env["PATH"] = tmpdir();
  const bare = await openShell({ bootId, folder: folder.at("other"), blobs: openBlobs(folder.at("blobs")), env: {} });
  process.env["PATH"] = path;
  const finished = await bare.run("echo out; echo err >&2", { cwd: folder.path, timeoutMs: 5_000, signal, onOutput: () => {}, owner });
  expect("head" in finished && finished.head.split("\n").toSorted()).toEqual(["", "err", "out"]);
  await bare.close();
  expect(existsSync(folder.at("other"))).toBe(true);
});

test("pipes that a killed daemon left are removed", async () => {
  mkdirSync(folder.at("pipes/pipes-4194305-x"));
  const next = await openShell({ bootId, folder: folder.at("pipes"), blobs: openBlobs(folder.at("blobs")) });
  expect(readdirSync(folder.at("pipes")).length).toBe(2);
  await next.close();
});

test("many concurrent commands do not mix their outputs", async () => {
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  const heads = await Promise.all(
    numbers.map(async (i) => (await run(`echo ${i}`, { owner: { sessionId: "one", callId: `s1.${i}` } })).head),
  );
  expect(heads).toEqual(numbers.map((i) => `${i}\n`));
});

const REPOSITORY =
  "git init -q . && git config user.name T && git config user.email t@example.test && for i in 1 2 3; do echo $i > f; git add f; git commit -qm $i; done";

test.each([
  "git commit --allow-empty",
  "git commit --amend",
  "git rebase -i HEAD~1",
  "git tag -a v1",
  "git notes add",
  'sh -c "$EDITOR f"',
])("%s says at once that there is no editor", async (command) => {
  await run(REPOSITORY);
  const before = (await run("git rev-parse HEAD")).head;
  const ended = await run(`${command}; echo "ended with $?"`);
  expect(ended.head).not.toContain("ended with 0");
  expect(ended.head).not.toContain("\u001b");
  expect(ended.head).toContain("No editor can be opened here");
  expect((await run("git rev-parse HEAD")).head).toBe(before);
});

test.each(["$EDITOR f", "$VISUAL f", "$GIT_EDITOR f"])("%s fails, even if the shell splits it at spaces", async (command) => {
  expect((await run(command)).exitCode).not.toBe(0);
});

test("a command can set an editor and a pager for itself", async () => {
  await run(REPOSITORY);
  expect((await run("GIT_EDITOR=true git commit --amend; echo $?")).head).toContain("0");
  const rebased = await run("GIT_SEQUENCE_EDITOR='sed -i s/^pick/drop/' git rebase -i HEAD~1 && git log --format=%s");
  expect(rebased.head).toContain("2\n1\n");
  expect((await run("git -c core.pager=less -c color.ui=auto log --format=%s")).head).toBe("2\n1\n");
  expect((await run("echo $TERM")).head).toBe("dumb\n");
});
