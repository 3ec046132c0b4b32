import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { runStatusCommand } from "./run-status-command.ts";
import { MIN_INTERVAL_MS, StatusCommand } from "./status-command.ts";

const folder = mkdtempSync(path.join(tmpdir(), "baton-status-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, timeoutMs = 5_000, input: object = { mode: "code" }) =>
  runStatusCommand(command, input, { cwd: folder, timeoutMs, signal: new AbortController().signal });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

test("the command gets the JSON, and the first line of its output is the result", async () => {
  expect(await run("cat; echo; echo second")).toEqual({ line: '{"mode":"code"}' });
  expect(await run("pwd")).toEqual({ line: folder });
});

test("a command that ignores a large input breaks nothing", async () => {
  expect(await run("echo ok", 5_000, { text: "x".repeat(1_000_000) })).toEqual({ line: "ok" });
});

test.each([
  ["exit 3", "it ended with code 3"],
  ["kill -9 $$", "a signal ended it"],
  ["true", "it printed nothing"],
  ["echo; echo late", "it printed nothing"],
  ["no-such-command-here", "it ended with code 127"],
])("the command `%s` prints no line", async (command, problem) => {
  expect(await run(command)).toEqual({ problem });
});

test("a command that hangs is killed with its children", async () => {
  const pids = path.join(folder, "pids");
  const started = performance.now();
  expect(await run(`sleep 60 & echo $! $$ > ${pids}; wait`, 300)).toEqual({ problem: "it took longer than 0.3 s" });
  expect(performance.now() - started).toBeLessThan(3_000);
  const ended = readFileSync(pids, "utf8").trim().split(" ").map(Number);
  await expect.poll(() => ended.map(isAlive)).toEqual([false, false]); // the system may remove them a moment later
});

test("a child that keeps the output open does not outlive the command", async () => {
  const pid = path.join(folder, "pid");
  expect(await run(`sleep 60 & echo $! > ${pid}; echo line`, 1_000)).toEqual({ problem: "it took longer than 1 s" });
  await expect.poll(() => isAlive(Number(readFileSync(pid, "utf8")))).toBe(false);
});

test("a burst of changes runs one command at a time, and the last state is shown", async () => {
  const runs = path.join(folder, "runs");
  let n = 0;
  const status = new StatusCommand({
    command: `echo x >> ${runs}; cat`,
    cwd: folder,
    input: () => ({ n }),
    onChange: () => undefined,
    onProblem: () => undefined,
  });
  const began = performance.now();
  for (; n < 200; n++) {
    status.update();
    await sleep(2);
  }
  await expect.poll(() => status.line).toBe('{"n":200}');
  const most = Math.ceil((performance.now() - began) / MIN_INTERVAL_MS) + 2;
  const count = () => readFileSync(runs, "utf8").trim().split("\n").length;
  expect(count()).toBeLessThanOrEqual(most);
  const before = count();
  status.update(); // nothing has changed
  await sleep(400);
  expect(count()).toBe(before);
  status.close();
});

test("a problem is reported once, and the line comes back when the command works again", async () => {
  const problems: string[] = [];
  let n = 0;
  const status = new StatusCommand({
    command: `test -e ${folder}/works && echo fine`,
    cwd: folder,
    input: () => ({ n }),
    onChange: () => undefined,
    onProblem: (problem) => problems.push(problem),
  });
  for (n = 1; n < 4; n++) {
    status.update();
    await sleep(400);
  }
  expect([status.line, problems]).toEqual([undefined, ["it ended with code 1"]]);
  await run(`touch ${folder}/works`);
  expect(existsSync(path.join(folder, "works"))).toBe(true);
  status.update();
  await expect.poll(() => status.line).toBe("fine");
  status.close();
});
