import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { record } from "../harness/record.ts";
import { bundleCrashing } from "../support/fault/crashing-bundle.ts";
import { bundle, TestDaemon, type DaemonOptions } from "../support/daemon.ts";
import { ModelServer, type Reply } from "../support/model-server.ts";
import type { TestSession } from "../support/session.ts";

/** A whole turn: a read, an approved command with an outside effect, an approved edit, the end. */
const dialogue = (effects: string): Reply[] => [
  { text: "I look first.", calls: [{ tool: "read_file", input: { path: "notes.txt" } }] },
  { calls: [{ tool: "run_command", input: { command: `echo ran >> ${effects}` } }] },
  { calls: [{ tool: "edit_file", input: { path: "notes.txt", old_text: "old", new_text: "new" } }] },
  { text: "Done." },
];

async function worldWith(replies: (daemon: TestDaemon) => Reply[], started: Pick<DaemonOptions, "program" | "env"> = {}) {
  const model = await ModelServer.start({ replies: [] });
  const daemon = await TestDaemon.start({
    ...started,
    config: model.config,
  });
  model.options = { replies: replies(daemon) };
  return { model, daemon };
}

const effectsOf = (daemon: TestDaemon) => path.join(daemon.root, "effects");
const timesRun = (daemon: TestDaemon) =>
  existsSync(effectsOf(daemon)) ? readFileSync(effectsOf(daemon), "utf8").split("\n").length - 1 : 0;

/** The client from before the crash reconnects too, and may be the first. */
function unlessAnswered(error: unknown): void {
  if (refusalOf(error)?.code !== "already_answered") throw error;
}

/** Answers every request until the turn has ended. */
async function answerAll(session: TestSession): Promise<void> {
  for (;;) {
    await session.until("a request or the end", ({ state }) => openRequests(state).length > 0 || (state.turns > 0 && !state.turn));
    if (!session.state.turn) return;
    const [request] = openRequests(session.state);
    if (request) await session.answer({ choice: "once" }, request.id).catch(unlessAnswered);
    await session.until("the answer", ({ state }) => !openRequests(state).some(({ id }) => id === request?.id));
  }
}

test("an approval survives the daemon, any client can answer it, and the command then runs once", async () => {
  const { model, daemon } = await worldWith((made) => dialogue(effectsOf(made)).slice(1));
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.prompt("clean up");
  await session.untilOpen();
  await daemon.kill();
  await daemon.start();

  const other = daemon.attach(session.id, "page");
  await other.untilOpen();
  expect(timesRun(daemon)).toBe(0);
  await other.answer({ choice: "once" });
  await other.until("the result", ({ events }) => events.some((event) => event.type === "tool.finished"));
  expect(timesRun(daemon)).toBe(1);
  await session.until("the same at the first client", ({ events }) => events.some((event) => event.type === "tool.finished"));
  expect(session.events.map(({ seq }) => seq)).toEqual(session.events.map((_, i) => i + 1));
});

test("a command that a crash interrupted is shown as unknown and does not run again, and the turn continues", async () => {
  const { model, daemon } = await worldWith((made) => [
    { calls: [{ tool: "run_command", input: { command: `echo ran >> ${effectsOf(made)}; kill -9 $PPID` } }] },
    { text: "I will look." },
  ]);
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.prompt("go");
  await session.untilOpen();
  const ended = daemon.ended();
  await session.answer({ choice: "once" }).catch(() => undefined); // the daemon may die before it can report that
  await ended;
  await daemon.start();
  await session.untilEnd();
  expect(session.events.filter((event) => event.type === "tool.finished").map(({ result }) => result.outcome)).toEqual(["unknown"]);
  expect(timesRun(daemon)).toBe(1);
  expect(session.events.at(-1)).toMatchObject({ type: "turn.ended", reason: "completed" });
  expect(model.violations).toEqual([]);
});

test("the output of a command that a crash interrupted is in its result", async () => {
  const { model, daemon } = await worldWith(() => [
    { calls: [{ tool: "run_command", input: { command: "echo step 1 of 2 is done; sleep 1; kill -9 $PPID" } }] },
    { text: "I will look." },
  ]);
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.prompt("go");
  await session.untilOpen();
  const ended = daemon.ended();
  await session.answer({ choice: "once" }).catch(() => undefined); // the daemon may die before it can report that
  await ended;
  await daemon.start();
  await session.untilEnd();
  const result = session.events.find((event) => event.type === "tool.finished")?.result;
  expect(result).toMatchObject({ outcome: "unknown", view: { type: "terminal", tail: "step 1 of 2 is done\n" } });
  expect(result?.text).toMatch(/The end of its output until then:\nstep 1 of 2 is done$/);
  expect(readdirSync(path.join(daemon.home, "outputs", session.id))).toEqual([]);
});

test("a process that a command leaves behind adds nothing to the output of the ended call", async () => {
  const { model, daemon } = await worldWith(() => [
    { calls: [{ tool: "run_command", input: { command: "(sleep 1; echo late; sleep 5) & echo now" } }] },
    { calls: [{ tool: "run_command", input: { command: "sleep 2" } }] },
    { text: "Done." },
  ]);
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session();
  await session.prompt("go");
  await answerAll(session);
  await session.untilEnd();
  const folder = path.join(daemon.home, "outputs", session.id);
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
});

/** Runs the whole turn with a crash at one commit, starts again and finishes the turn. `broken` names every promise that did not hold. */
async function wholeTurn(program: string, crash: string): Promise<{ crashed: boolean; broken: string[] }> {
  const { model, daemon } = await worldWith((made) => dialogue(effectsOf(made)), { program, env: { BATON_TEST_CRASH: crash } });
  await using _model = model;
  await using _daemon = daemon;
  daemon.write("notes.txt", "old\n");
  const ended = daemon.ended();
  let accepted = false;
  const turn = daemon.session().then(async (session) => {
    await session.prompt("go");
    accepted = true;
    await answerAll(session);
  });
  const crashed = await Promise.race([turn.then(() => false), ended.then(() => true)]).catch(() => ended.then(() => true));
  if (crashed) await daemon.start({ program: bundle });
  return { crashed, broken: [...(await brokenPromises(daemon, accepted)), ...model.violations].map((what) => `${crash}: ${what}`) };
}

async function brokenPromises(daemon: TestDaemon, accepted: boolean): Promise<string[]> {
  const [row] = await daemon.connect().api.session.list.query({});
  if (!row) return accepted ? ["the session of an accepted prompt is gone"] : [];
  const session = daemon.attach(row.id);
  await session.until("the log", ({ events }) => events.length >= row.seq);
  if (!session.events.some((event) => event.type === "prompt.received")) return accepted ? ["an accepted prompt is gone"] : [];
  await answerAll(session);
  const outcomes = session.events.flatMap((event) => (event.type === "tool.finished" ? [event.result.outcome] : []));
  const last = session.events.at(-1);
  const [times, notes] = [timesRun(daemon), daemon.read("notes.txt")];
  const whole = times === 1 && notes === "new\n";
  return [
    outcomes.some((outcome) => outcome !== "ok" && outcome !== "unknown") ? `outcomes ${outcomes.join(" ")}` : "",
    last?.type === "turn.ended" && last.reason === "completed" ? "" : "the turn did not go on to its end",
    times > 1 ? `the command ran ${times} times` : "",
    whole || outcomes.includes("unknown") ? "" : `said to be done, but the command ran ${times} times and the file holds ${notes}`,
  ].filter((what) => what !== "");
}

/** A push kills on one side of each commit, in turns. A night kills on both. */
const sidesOf = (commit: number): string[] =>
  ["before", "after"].filter((_, nth) => Boolean(process.env["BATON_EVERY_PAIR"]) || commit % 2 === nth);

test("killed before and after each commit of a turn, the daemon loses nothing and does nothing twice", { timeout: 300_000 }, async () => {
  const program = await bundleCrashing();
  const broken: string[] = [];
  let tried = 0;
  for (let commit = 1; ; commit++) {
    const turns = await Promise.all(sidesOf(commit).map((side) => wholeTurn(program, `${side} ${commit}`)));
    broken.push(...turns.flatMap((turn) => turn.broken));
    if (turns.every(({ crashed }) => !crashed)) break;
    tried += turns.length;
  }
  record({ row: "1", tried, lost: broken.length });
  expect(broken).toEqual([]);
  expect(tried).toBeGreaterThan(10);
});

test("toolsets that were stored despite an error exist, and so does the next one", async () => {
  const good = { command: process.execPath, args: [fileURLToPath(new URL("../support/mcp/mcp-server.ts", import.meta.url)), "good"] };
  const started = { program: await bundleCrashing(), env: { BATON_TEST_CRASH: "lost profile" } };
  await using daemon = await TestDaemon.start({ ...started, config: { mcpServers: { good } } });
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  expect(await api.mcp.test.mutate({ cwd, name: "good" })).toMatchObject({ problem: null });
  for (const name of ["one", "two"]) {
    const input = { name, tools: [{ namespacedName: "good__say" }] };
    expect(await api.toolset.act.mutate({ cwd, tool: "build-toolset", input })).toMatchObject({ ok: true });
  }
});
