import { existsSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { refusalOf } from "@baton/core/client/rpc-errors";
import type { HookEvent } from "@baton/core/protocol/hook";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const isNight = Boolean(process.env["BATON_EVERY_PAIR"]);
const commands = (...list: string[]) => ({ calls: list.map((command) => ({ tool: "run_command", input: { command } })) });
const hook = (command: string, more: object = {}) => ({ hooks: [{ type: "command", command, ...more }] });

async function withHooks(hooks: object, settings: object = {}): Promise<TestDaemon> {
  const daemon = await TestDaemon.start({ config: { permissions: { command: "allow", edit: "allow" }, ...settings, hooks } });
  await approve(daemon);
  return daemon;
}

async function approve(daemon: TestDaemon): Promise<void> {
  const { api } = daemon.connect();
  const { hooks } = await api.hook.list.query({ cwd: daemon.workspace });
  const hashes = hooks.map(({ hash }) => hash);
  await api.hook.settle.mutate({ commandId: crypto.randomUUID(), cwd: daemon.workspace, hashes, approved: true });
}

const outcomes = (session: TestSession) => session.finished.map(({ result }) => result.outcome);
const runs = (session: TestSession) => session.events.flatMap((each) => (each.type === "hook.started" ? [each.run] : []));
const ended = (session: TestSession) => session.events.flatMap((each) => (each.type === "hook.finished" ? [each.runId] : []));

test("PostToolUseFailure adds to a failed result, and a hook that reads the transcript gets the conversation in Claude's shape", async () => {
  const context = `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "try make" } })}'`;
  const copy = `f=$(python3 -c 'import json,sys; print(json.load(sys.stdin)["transcript_path"])'); cp "$f" seen.jsonl; echo "$f" > where`;
  await using daemon = await withHooks({
    PostToolUse: [hook("cat > succeeded.json")],
    PostToolUseFailure: [hook(`cat > failed.json; ${context}`)],
    Stop: [hook(copy)],
  });
  const session = await daemon.session({ model: script(daemon, [commands("echo fine", "exit 7"), { text: "Done." }]) });
  await session.runTurn("please build");
  expect(JSON.parse(daemon.read("failed.json"))).toMatchObject({
    hook_event_name: "PostToolUseFailure",
    tool_input: { command: "exit 7" },
    error: expect.stringContaining("exit 7") as string,
    is_interrupt: false,
    transcript_path: "",
  });
  expect(JSON.parse(daemon.read("succeeded.json"))).toMatchObject({ tool_input: { command: "echo fine" } });
  const lines = daemon
    .read("seen.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toMatchObject([
    { type: "user", sessionId: session.id, message: { role: "user", content: "please build" } },
    { type: "assistant", message: { content: [{ type: "tool_use", input: { command: "echo fine" } }] } },
    { type: "user", message: { content: [{ type: "tool_result", is_error: false }] } },
    { type: "assistant", message: { content: [{ type: "tool_use", input: { command: "exit 7" } }] } },
    { type: "user", message: { content: [{ type: "tool_result", is_error: true }] } },
    { type: "assistant", message: { content: [{ type: "text", text: "Done." }] } },
  ]);
  expect(existsSync(daemon.read("where").trim())).toBe(false);
});

const BUSY: Record<string, (session: TestSession) => Promise<unknown>> = {
  interrupt: (session) => session.wish({ type: "interrupt" }),
  "mode change": (session) => session.wish({ type: "switchMode", mode: "plan" }),
};

test.for(Object.keys(BUSY))("the session handles an event during a hook: %s", async (name) => {
  await using daemon = await withHooks({ PreToolUse: [{ matcher: "Write", ...hook("touch began; sleep 0.8") }] });
  const write = { calls: [{ tool: "write_file", input: { path: "a.txt", content: "x" } }] };
  const session = await daemon.session({ model: script(daemon, [write, { text: "Done." }]) });
  await session.prompt("go");
  await expect.poll(() => existsSync(path.join(daemon.workspace, "began")), { timeout: 20_000 }).toBe(true);
  await BUSY[name]?.(session);
  await session.untilEnd();
  expect(existsSync(path.join(daemon.workspace, "a.txt"))).toBe(false); // plan does not edit, and an interrupted call does not run
  expect(outcomes(session)).toEqual(name === "interrupt" ? [] : ["denied"]); // an interrupted call has no result of its own
  expect(runs(session)).toHaveLength(1);
  expect(session.state.hooks.filter(({ outcome }) => !outcome)).toEqual([]);
});

test("hooks run in a subtask and receive the id of its session", async () => {
  await using daemon = await TestDaemon.start({
    config: (root) => ({
      permissions: { command: "allow", new_task: "allow" },
      modes: {
        orchestrator: {
          model: script({ root }, [{ calls: [{ tool: "new_task", input: { mode: "code", message: "Make it." } }] }, { text: "Done." }]),
        },
        code: { model: script({ root }, [commands("echo hi"), { calls: [{ tool: "attempt_completion", input: { result: "Made." } }] }]) },
      },
      hooks: { PreToolUse: [{ matcher: "Bash", ...hook("cat > call.json") }], SubagentStop: [hook("cat > stop.json")] },
    }),
  });
  await approve(daemon);
  const session = await daemon.session({ mode: "orchestrator" });
  await session.runTurn("go");
  const input = { agent_id: expect.stringContaining(`${session.id}.`) as string, agent_type: "code", parent_session_id: session.id };
  for (const name of ["call.json", "stop.json"]) expect(JSON.parse(daemon.read(name))).toMatchObject(input);
});

const BACK: Record<string, (session: TestSession) => Promise<unknown>> = {
  undo: (session) => session.wish({ type: "undo", conversation: false }),
  rewind: (session) => {
    const [first] = session.events.flatMap((event) => (event.type === "prompt.received" ? [event.promptId] : []));
    return session.wish({ type: "rewind", promptId: first ?? "" });
  },
  fork: (session) => session.api.session.fork.mutate({ sessionId: session.id, commandId: crypto.randomUUID() }),
};

test("after an undo, a rewind or a fork during a hook, the hook runs once, and no request stays open", async () => {
  await using daemon = await withHooks({ PostToolUse: [hook("echo run >> hook.log; sleep 0.7")] });
  const write = { calls: [{ tool: "write_file", input: { path: "a.txt", content: "x" } }] };
  for (const [i, go] of Object.values(BACK).entries()) {
    const session = await daemon.session({ model: script(daemon, [write, { text: "Done." }]) });
    await session.prompt("go");
    await expect.poll(() => daemon.read("hook.log"), { timeout: 20_000 }).toBe("run\n".repeat(i + 1));
    await go(session).catch(refusalOf); // a refusal during the turn is also correct
    await session.until("rest", ({ state }) => !state.turn);
    expect([runs(session).length, session.state.hooks.filter(({ outcome }) => !outcome)]).toEqual([1, []]);
  }
  expect(daemon.read("hook.log")).toBe("run\n".repeat(Object.keys(BACK).length));
});

/** Ten in the nightly run. */
const MANY = isNight ? 10 : 2;

test(`ten hooks in ${MANY} sessions all run once for each call`, async () => {
  const names = Array.from({ length: 10 }, (_, i) => i);
  await using daemon = await withHooks({ PreToolUse: names.map((i) => hook(`echo ${i} >> hooks.log`)) });
  const sessions = await Promise.all(
    Array.from({ length: MANY }, () => daemon.session({ model: script(daemon, [commands("true"), { text: "Done." }]) })),
  );
  await Promise.all(sessions.map((session) => session.prompt("go")));
  for (const session of sessions) {
    await session.untilEnd();
    expect([outcomes(session), runs(session).length, ended(session).length]).toEqual([["ok"], 10, 10]);
  }
  const counts = Map.groupBy(daemon.read("hooks.log").trim().split("\n"), (line) => line);
  expect([...counts.values()].map((lines) => lines.length)).toEqual(names.map(() => MANY));
});

type Replies = Parameters<typeof script>[1];

/** How a session comes to an event. `watched`: the session whose hook it is. `more`: what the user does after the first turn. `once`: it happens once. */
type Scene = {
  once?: true;
  settings?: (root: string) => object;
  mode?: string;
  replies?: Replies;
  watched?: (session: TestSession) => string;
  more?: (session: TestSession) => Promise<unknown>;
  isOver?: (session: TestSession) => boolean;
};

const ONCE = "echo once >> once.txt";
const turns: Replies = [commands(ONCE), { text: "Done." }, { text: "Done." }];

const completion = () => ({ calls: [{ tool: "attempt_completion", input: { result: "Made." } }] });

/** Events before or after an action, each with the action that a refusing hook prevents, if it can. */
const SCENES: Partial<Record<HookEvent, Scene>> = {
  PreToolUse: {},
  PermissionRequest: { once: true, settings: () => ({ permissions: { command: "ask" } }) },
  UserPromptSubmit: {},
  SessionStart: {},
  PostToolUse: {},
  PostToolUseFailure: { replies: [commands(`${ONCE}; exit 1`), ...turns.slice(1)] },
  Stop: {},
  SubagentStop: {
    mode: "orchestrator",
    settings: (root) => ({
      permissions: { command: "allow", edit: "allow", new_task: "allow" },
      modes: {
        orchestrator: {
          model: script({ root }, [{ calls: [{ tool: "new_task", input: { mode: "code", message: "Make it." } }] }, { text: "Done." }]),
        },
        code: { model: script({ root }, [commands(ONCE), ...Array.from({ length: 3 }, completion)]) },
      },
    }),
    watched: ({ id }) => `${id}.s1.1`,
  },
  PreCompact: {
    once: true,
    replies: [commands(ONCE), { text: "x".repeat(4_000) }, { text: "y".repeat(400) }],
    more: async (session) => {
      await session.untilEnd();
      await session.runTurn("more", 2);
      await session.wish({ type: "compact" });
    },
    isOver: ({ events }) => events.some(({ type }) => type === "context.compacted"),
  },
};
const PHASES = ["running", "ended"] as const;
const DECISIONS = { passes: "exit 0", refuses: "echo no >&2; exit 2" } as const;
/** Every event, phase and decision. A push tests one of them, and the nightly run all. */
const every = Object.entries(SCENES).flatMap(([event, scene]) =>
  PHASES.flatMap((phase) => (["passes", "refuses"] as const).map((decision) => ({ event, scene, phase, decision }))),
);

test.for(isNight ? every : every.slice(1, 2))(
  "after a kill at $event while its hook is $phase and $decision, the hook and the command ran at most once",
  async ({ event, scene, phase, decision }) => {
    const wait = phase === "running" ? "sleep 30" : "true";
    const { settings = () => ({}), mode, replies = turns, more, watched = ({ id }) => id, isOver = () => true } = scene;
    await using daemon = await TestDaemon.start({
      config: (root) => ({
        permissions: { command: "allow", edit: "allow" },
        ...settings(root),
        hooks: { [event]: [hook(`echo run >> hook.log; ${wait}; ${DECISIONS[decision]}`)] },
      }),
    });
    await approve(daemon);
    const session = await daemon.session(mode === undefined ? { model: script(daemon, replies) } : { mode });
    await session.prompt("go");
    const going = more?.(session);
    await expect.poll(() => daemon.read("hook.log"), { timeout: 20_000 }).toContain("run\n");
    await going;
    if (phase === "ended") await daemon.attach(watched(session)).until("the end of a hook", (each) => ended(each).length > 0);
    await daemon.kill();
    await daemon.start();
    const again = daemon.attach(session.id);
    for (;;) {
      await again.until(
        "a request or the end",
        (each) => openRequests(each.state).length > 0 || (each.state.lastTurn !== undefined && !each.state.turn && isOver(each)),
      );
      if (openRequests(again.state).length === 0) break;
      await again.answer({ choice: "once" });
    }
    const hooked = daemon.attach(watched(again));
    await hooked.until("rest", (each) => runs(each).length > 0 && each.state.hooks.every(({ outcome }) => outcome !== undefined));
    const ran = runs(hooked).filter((run) => run.event === event);
    expect(ran.length).toBeGreaterThan(0);
    expect(new Set(ran.map(({ id }) => id)).size).toBe(ran.length);
    expect(daemon.read("hook.log").trim().split("\n").length).toBeLessThanOrEqual(ran.length);
    expect(scene.once === true && daemon.read("hook.log") !== "run\n").toBe(false);
    expect(["", "once\n"]).toContain(daemon.read("once.txt"));
  },
);
