import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildMessages } from "@baton/core/session/context/build-messages";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const allowed = { permissions: { edit: "allow", command: "allow" } };
const write = (file: string, content: string) => ({ calls: [{ tool: "write_file", input: { path: file, content } }] });
const done = { text: "Done." };

type Check = { command: string; files?: string | string[]; after?: string; timeout?: number };
const start = (commands: Check[], more: { checks?: object; config?: object } = {}): Promise<TestDaemon> =>
  TestDaemon.start({ config: { ...allowed, ...more.config, checks: { commands, ...more.checks } } });

/** The checks that ran, each with its command and the end of its result. */
function checksOf({ events, finished }: TestSession): string[] {
  return events.flatMap((event) => {
    if (event.type !== "call.received" || !event.check) return [];
    const result = finished.find(({ callId }) => callId === event.call.id)?.result;
    return [`${(event.call.input as { command: string }).command}: ${result?.outcome}`];
  });
}

const promptsOf = ({ events }: TestSession): string[] =>
  events.flatMap((event) => (event.type === "prompt.received" && event.synthetic === "check" ? [event.text] : []));

async function go(session: TestSession): Promise<void> {
  await session.runTurn("go");
}

test("two checks run for the files that changed, and the output of the one that fails continues the turn until it is fixed", async () => {
  const checks = [
    { command: "grep -c good $FILES", files: "**/*.txt" },
    { command: "echo never", files: "**/*.md" },
    { command: "test ! -e 'bad name.txt' || echo as well", files: ["*.md", "*.txt"], after: "edit" },
  ];
  await using daemon = await start(checks);
  const replies = [write("bad name.txt", "bad"), done, write("bad name.txt", "good"), { text: "Fixed." }, { text: "Only words." }];
  const session = await daemon.session({ model: script(daemon, replies) });
  await go(session);
  const [, , edited = ""] = checks.map(({ command }) => command);
  expect(checksOf(session)).toEqual([
    `${edited}: ok`,
    "grep -c good 'bad name.txt': failed",
    `${edited}: ok`,
    "grep -c good 'bad name.txt': ok",
  ]);
  expect(promptsOf(session)).toEqual([expect.stringContaining("The check `grep -c good $FILES` failed after your edits: exit 1")]);
  expect(session.state.lastTurn).toMatchObject({ reason: "completed", said: "Fixed." });
  expect(session.state.lastTurn?.message).toBeUndefined();
  await go(session);
  expect(checksOf(session)).toHaveLength(4); // a turn that changes nothing is not checked
  const transcript = transcriptOf(session.events);
  const messages = buildMessages(transcript, new WeakMap());
  expect(messages.flatMap((message) => (message.role === "assistant" ? message.calls.map(({ tool }) => tool) : []))).toEqual([
    "write_file",
    "write_file",
  ]);
});

test.each([0, 2])("a check that always fails continues a turn %i times, and the end says that it still fails", async (times) => {
  await using daemon = await start([{ command: "false" }], { checks: { continue: times } });
  const tries = Array.from({ length: times + 1 }, (_, i) => [write("a.txt", String(i)), done]).flat();
  const session = await daemon.session({ model: script(daemon, tries) });
  await go(session);
  expect(checksOf(session)).toEqual(Array.from({ length: times + 1 }, () => "false: failed"));
  expect(promptsOf(session)).toHaveLength(times);
  expect(session.state.lastTurn).toMatchObject({ reason: "completed", message: "The check `false` still fails (exit 1)." });
});

test("ten turns are checked once each, and a check that changes files causes no other", async () => {
  await using daemon = await start([{ command: "echo x >> out.txt" }]);
  const turns = Array.from({ length: 10 }, (_, i) => [write("a.txt", String(i)), done]).flat();
  const session = await daemon.session({ model: script(daemon, turns) });
  for (let i = 0; i < 10; i++) await go(session);
  expect(daemon.read("out.txt")).toBe("x\n".repeat(10));
  expect(new Set(session.events.flatMap((event) => (event.type === "call.received" ? event.call.id : []))).size).toBe(10);
});

test("a check that hangs ends at its time limit", async () => {
  await using daemon = await start([{ command: "sleep 600", timeout: 0.2 }], { checks: { continue: 0 } });
  const session = await daemon.session({ model: script(daemon, [write("a.txt", "1"), done]) });
  await go(session);
  expect(session.state.lastTurn?.message).toMatch(/still fails \(time limit/);
});

async function startHanging(): Promise<{ daemon: TestDaemon; session: TestSession }> {
  const daemon = await start([{ command: "echo x >> ran.txt; sleep 600" }]);
  const session = await daemon.session({ model: script(daemon, [write("a.txt", "1"), done]) });
  await session.prompt("go");
  await session.until("the check runs", ({ state }) => state.calls.some(({ check, phase }) => check && phase === "running"));
  await expect.poll(() => existsSync(path.join(daemon.workspace, "ran.txt")), { timeout: 20_000 }).toBe(true);
  return { daemon, session };
}

test("after a kill in the middle of a check, the turn ends with an unknown result and the check is not repeated", async () => {
  const { daemon, session } = await startHanging();
  await using _ = daemon;
  await daemon.kill();
  await daemon.start();
  await session.untilEnd();
  expect(session.state.lastTurn?.message).toMatch(/Its result is unknown, and Baton did not repeat it/);
  expect([daemon.read("a.txt"), daemon.read("ran.txt"), checksOf(session)]).toEqual(["1", "x\n", [expect.stringContaining(": unknown")]]);
});

test("an interrupt ends a check and the turn", async () => {
  const { daemon, session } = await startHanging();
  await using _ = daemon;
  await session.wish({ type: "interrupt" });
  await session.untilEnd();
  expect([session.state.lastTurn?.reason, session.state.calls.at(-1)?.result?.outcome, promptsOf(session)]).toEqual([
    "stopped",
    "interrupted",
    [],
  ]);
});

test("a check is asked about as a command, the question survives a kill, and a denied check is skipped", async () => {
  await using daemon = await start([{ command: "touch ran.txt" }], { config: { permissions: { edit: "allow" } } });
  const session = await daemon.session({ model: script(daemon, [write("a.txt", "1"), done]) });
  await session.prompt("go");
  const { id } = await session.untilOpen();
  await daemon.kill();
  await daemon.start();
  await session.answer({ choice: "deny" }, id);
  await session.untilEnd();
  expect(checksOf(session)).toEqual(["touch ran.txt: denied"]);
  expect(session.state.lastTurn?.message).toBe("The check `touch ran.txt` was skipped, because it was not allowed.");
});

test("a check that a project names runs only in a trusted folder, and only after a question or by a rule of the user", async () => {
  await using daemon = await start([], { config: { permissions: { edit: "allow" } } });
  mkdirSync(path.join(daemon.workspace, ".baton"));
  const config = { checks: { commands: [{ command: "echo mine" }] }, permissions: { command: "allow" } };
  writeFileSync(path.join(daemon.workspace, ".baton", "config.jsonc"), JSON.stringify(config));
  const { api } = daemon.connect();
  const turns = Array.from({ length: 3 }, (_, i) => [write("a.txt", String(i)), done]).flat();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const session = await daemon.session({ model: script(daemon, turns) });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "session" });
  await session.untilEnd();
  await go(session);
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: false });
  await go(session);
  expect(checksOf(session)).toEqual(["echo mine: ok", "echo mine: ok"]);
});

test("a mode that does not edit has no checks, and one without commands skips the check of the edits of its subtask", async () => {
  const task = { calls: [{ tool: "new_task", input: { mode: "code", message: "write b.txt" } }] };
  await using daemon = await TestDaemon.start({
    config: (root) => ({
      permissions: { ...allowed.permissions, new_task: "allow" },
      checks: { commands: [{ command: "false" }], continue: 0 },
      modes: {
        orchestrator: { model: script({ root }, [task, done]) },
        code: { model: script({ root }, [write("b.txt", "1"), done]) },
      },
    }),
  });
  const asking = await daemon.session({ mode: "ask", model: script(daemon, [write("a.txt", "1"), done]) });
  await go(asking);
  const parent = await daemon.session({ mode: "orchestrator" });
  await go(parent);
  const child = daemon.attach(`${parent.id}.s1.1` as TestSession["id"]);
  await child.untilEnd();
  expect([checksOf(asking), checksOf(parent), checksOf(child)]).toEqual([[], ["false: denied"], ["false: failed"]]);
  expect(parent.finished.find(({ callId }) => callId === "s1.1")?.result.text).toContain("The check `false` still fails (exit 1).");
});
