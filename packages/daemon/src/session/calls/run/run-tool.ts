import type { SessionEvent } from "@baton/core/protocol/event";
import { commandPrefixes } from "@baton/core/session/command-prefix";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import type { Call, SessionState } from "@baton/core/session/state";
import type { BeforeFileChange } from "../../../system/files/files.ts";
import { type PromptId, requestIdOf, type CallId } from "@baton/core/protocol/ids";
import type { ToolsetTool } from "@baton/core/toolset/toolset-inputs";
import { failed, type ToolExecutionResult, type ElicitationQuestion, type ModeRequest } from "../../../tool/tool-types.ts";
import { formatEdits } from "./format-edits.ts";
import { delegateTask } from "../../delegation/delegate-task.ts";
import { snapshotFiles, filesToSnapshot } from "./snapshot-files.ts";
import { runInBackground } from "../../run-in-background.ts";
import { configureToolset } from "../../servers/change-session-toolset.ts";
import { callPorts } from "./call-ports.ts";
import { modeOfStep } from "../../mode-of-step.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import { modeChangeEvents } from "../../coordination/mode-change-events.ts";
import type { RequestAnswer } from "@baton/core/protocol/request";

/** Runs a call that is allowed and whose start is in the log. Reports exactly one result. */
export async function runTool({ key, call }: SessionEffectOf<"runTool">, session: EffectContext, signal: AbortSignal): Promise<void> {
  const { changed, finished } = await executeTool(call, session.state, session, signal);
  if (signal.aborted) return runInBackground(session.note(changed), session.services.report);
  await session.report(key, [...changed, ...finished]);
}

/** The file changes of a call, its result, and the events that follow from it. */
async function executeTool(
  call: Call,
  state: SessionState,
  session: EffectContext,
  signal: AbortSignal,
): Promise<{ changed: SessionEvent[]; finished: SessionEvent[] }> {
  const { clock } = session.services;
  const began = clock.now();
  const files = snapshotFiles(call, session);
  await files.keepAll(await filesToSnapshot(call, session));
  const outcome = await callOutcome(call, state, files.keep, session, signal);
  const { events = [], transition, ...result } = await formatEdits(outcome, files.edited(), session, signal);
  const tookMs = clock.now() - began;
  const awaitsDiagnostics = files.awaitsDiagnostics() && !call.outside;
  const finished: SessionEvent = {
    type: "tool.finished",
    callId: call.id,
    result,
    tookMs,
    ...(awaitsDiagnostics ? { awaitsDiagnostics } : {}),
  };
  return {
    changed: await files.changed(),
    finished: [...events, finished, ...(transition ? modeChange(transition, call, session) : [])],
  };
}

/** An acting tool may change the mode, like an asking one. */
function modeChange(modeRequest: ModeRequest, call: Call, { state, services }: EffectContext): SessionEvent[] {
  const prompt = { id: `mode-${call.id}` as PromptId, text: modeRequest.prompt };
  const by = call.answeredBy ?? { daemon: true };
  return modeChangeEvents({ ...modeRequest, by, requestId: call.request?.id, prompt }, state, call.id, services.clock.now());
}

async function callOutcome(
  call: Call,
  state: SessionState,
  keep: BeforeFileChange,
  session: EffectContext,
  signal: AbortSignal,
): Promise<ToolExecutionResult> {
  const { services } = session;
  const tool = services.tools.of(state).get(call.tool);
  if (!tool || tool.kind === "asking") return failed(`The tool ${call.tool} no longer exists.`);
  const input = tool.input.safeParse(call.input);
  if (!input.success) return failed(`The arguments of ${call.tool} no longer fit it.`);
  if (tool.kind === "delegating") return delegateTask(call, tool, input.data, session, signal);
  if (tool.action === "command") await services.environments.prepare(state.workspace); // after a restart, nothing has read it yet
  let isRunning = true;
  const context = {
    ports: callPorts(call.verdict, state, services, keep, call.tool),
    cwd: state.workspace,
    sessionId: session.id,
    callId: call.id,
    programs: commandPrefixes(call.verdict),
    signal,
    code: services.code(modeOfStep(state)),
    codeSearch: services.codeIndex.search,
    plan: session.plans.of(call),
    output: (text: string) => {
      session.live.output(call.id, text);
      if (isRunning) services.outputs.add(session.id, call.id, text); // a process that is left prints even later
    },
    note: (events: SessionEvent[]) => runInBackground(session.note(events), services.report),
    raw: (value: unknown) => (call.outside ? session.live.keepRaw(call.id, value) : undefined),
    through: call.outside ? session.live.through(call.id) : undefined,
    configure: (toolsetTool: ToolsetTool, toolInput: unknown, how = { dry: false }) =>
      configureToolset(toolsetTool, toolInput, { ...how, by: call.answeredBy ?? { daemon: true } }, session.state, services),
    ask: (question: ElicitationQuestion) => askToStartServer(call.id, question, session, signal),
  };
  try {
    return await tool.run(input.data, context);
  } catch (error) {
    if (!signal.aborted) services.report(`tool ${call.tool} failed`, error);
    return failed(error instanceof Error ? error.message : String(error));
  } finally {
    isRunning = false;
  }
}

/**
 * Puts a server's question into the inbox and waits for the answer. The question depends on the server's process, so it cannot
 * survive the daemon: a restart closes it. Rejects when the call ends first.
 */
async function askToStartServer(
  call: CallId,
  { server, ...question }: ElicitationQuestion,
  session: EffectContext,
  signal: AbortSignal,
): Promise<RequestAnswer> {
  const { services } = session;
  const openedAt = services.clock.now();
  const id = requestIdOf(session.id, `${call}.${openedAt.toString(36)}.${session.state.counts.opened}`);
  await session.note([
    { type: "request.opened", request: { ...question, id, subject: { server }, folder: session.state.workspace, openedAt } },
  ]);
  for (;;) {
    const changed = session.live.changed(signal);
    const closed = session.state.closed.find((request) => request.id === id);
    if (closed?.answer) return closed.answer;
    if (signal.aborted || closed) {
      if (!closed) runInBackground(session.note([{ type: "request.closed", requestId: id, reason: "expired" }]), services.report);
      throw new Error("the call ended before the question was answered");
    }
    await changed;
  }
}

/** Created once, because creating an exception costs more than many a quick call. */
const OVER = new Error("the time limit is over");

/** How long a quick call may delay the commit of its own start, in milliseconds. */
const MOMENT_MS = 10;

/**
 * Runs a read-only call that takes only a moment and returns its result, which is committed together with its start. A crash in
 * between loses nothing. Returns nothing if the call takes longer; it then runs like any other call.
 */
export async function runQuickTool(
  { call }: SessionEffectOf<"runTool">,
  state: SessionState,
  session: EffectContext,
): Promise<SessionEvent[]> {
  const {
    tools: { of: tools },
    clock,
  } = session.services;
  const tool = tools(state).get(call.tool);
  if (tool?.kind !== "acting" || !tool.quick) return [];
  const over = new AbortController();
  const late = clock.wait(MOMENT_MS, over.signal).catch(() => undefined); // cached earlier
  const looked = await Promise.race([executeTool(call, state, session, over.signal), late]);
  over.abort(OVER);
  return looked ? looked.finished : [];
}
