import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const call = (tool: string, input: object) => ({ tool, input });
const write = (file: string) => call("write_file", { path: file, content: "x" });
const run = (file: string) => call("run_command", { command: `touch ${file}` });
const PERMISSIONS = { edit: "allow", command: "allow", external_directory: "allow" };

const isThere = (daemon: TestDaemon, file: string): boolean => existsSync(path.join(daemon.workspace, file));
const asking = (session: TestSession, step: number) =>
  session.until(`step ${step}`, ({ events }) => events.some((event) => event.type === "model.started" && event.step === step));

test("a queued prompt changes the mode when it is delivered, and not the mode of the running turn", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: PERMISSIONS, coordination: "off" } });
  const model = script(daemon, [
    { delayMs: 700, calls: [call("list_files", {})] },
    { calls: [write("in-plan.txt")] },
    { text: "Planned." },
    { calls: [write("in-code.txt")] },
    { text: "Done." },
    { text: "Back." },
  ]);
  const session = await daemon.session({ mode: "plan", model });
  await session.prompt("only plan");
  await asking(session, 1);
  await session.prompt("then do it", { mode: "code" });
  await session.runTurn("then plan again", 3, { mode: "plan" });
  expect(isThere(daemon, "in-plan.txt")).toBe(false);
  expect(isThere(daemon, "in-code.txt")).toBe(true);
  expect(session.events.flatMap((event) => (event.type === "mode.changed" ? [`${event.from} > ${event.to}`] : []))).toEqual([
    "plan > code",
    "code > plan",
  ]);
});

test("a queued prompt that is withdrawn, or that names no mode, changes no mode", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ mode: "plan", model: script(daemon, [{ delayMs: 500, text: "One." }, { text: "Two." }]) });
  await session.prompt("one");
  await asking(session, 1);
  await session.prompt("two", { mode: "code" });
  await session.until("the queue", ({ state }) => state.queue.length === 1);
  await session.wish({ type: "withdrawPrompt", promptId: session.state.queue[0]?.promptId ?? "" });
  await session.runTurn("three", 2);
  expect(session.state.mode).toBe("plan");
});

const changes: Record<string, (session: TestSession, mode: string) => Promise<unknown>> = {
  "a switch": (session, mode) => session.wish({ type: "switchMode", mode }),
  "a prompt that steers": (session, mode) => session.prompt("stop that", { delivery: "steer", mode }),
};

test.each(Object.keys(changes))("%s to a stricter mode also applies to the running reply", async (how) => {
  await using daemon = await TestDaemon.start({ config: { permissions: PERMISSIONS } });
  for (const mode of ["ask", "plan", "architect", "orchestrator", "configuration", "coordinator"]) {
    const calls = [write(`${mode}.txt`), run(`${mode}.out`)];
    const session = await daemon.session({ mode: "code", model: script(daemon, [{ delayMs: 400, calls }, { text: "Well." }]) });
    await session.prompt("go");
    await asking(session, 1);
    await changes[how]?.(session, mode);
    await session.untilEnd();
    expect([mode, isThere(daemon, `${mode}.txt`), isThere(daemon, `${mode}.out`)]).toEqual([mode, false, false]);
    session[Symbol.dispose]();
  }
});

test("a wider mode does not allow more in the running reply", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: PERMISSIONS, coordination: "off" } });
  const session = await daemon.session({
    mode: "ask",
    model: script(daemon, [{ delayMs: 400, calls: [write("a.txt")] }, { text: "Well." }]),
  });
  await session.prompt("go");
  await asking(session, 1);
  await session.wish({ type: "switchMode", mode: "code" });
  await session.untilEnd();
  expect(isThere(daemon, "a.txt")).toBe(false);
});

test("stopping a session stops all work below it, and nothing continues by itself", async () => {
  await using daemon = await TestDaemon.start({
    config: (root) => ({
      permissions: { ...PERMISSIONS, new_task: "allow" },
      modes: {
        orchestrator: {
          model: script({ root }, [{ calls: [call("new_task", { mode: "debug", message: "outer" })] }, { text: "Done." }]),
        },
        debug: {
          permissions: [{ action: "new_task", resource: "*", effect: "allow" }],
          model: script({ root }, [
            { calls: [call("new_task", { mode: "code", message: "inner", background: true })] },
            { delayMs: 60_000, text: "Waited." },
          ]),
        },
        code: { model: script({ root }, [{ delayMs: 2_500, calls: [write("late.txt")] }, { text: "Written." }]) },
      },
    }),
  });
  const session = await daemon.session({ mode: "orchestrator" });
  await session.prompt("go");
  const inner = `${session.id}.s1.1.s1.1`;
  await expect
    .poll(async () => (await daemon.connect().api.session.list.query({})).map(({ id }) => id as string), { timeout: 20_000 })
    .toContain(inner);
  await session.wish({ type: "interrupt" });
  await session.untilEnd();
  using child = daemon.attach(`${session.id}.s1.1`);
  using grandchild = daemon.attach(inner);
  await grandchild.until("the end of the task below", ({ state }) => state.turns > 0 && !state.turn);
  await child.until("the end of the task", ({ state, events }) => !state.turn && events.some(({ type }) => type === "child.ended"));
  expect([child.state.turns, grandchild.state.lastTurn?.reason]).toEqual([1, "stopped"]);
  expect(isThere(daemon, "late.txt")).toBe(false);
});
