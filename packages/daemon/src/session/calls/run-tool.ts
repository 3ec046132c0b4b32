import type { SessionEvent } from "@baton/core/protocol/event";
import type { EffectOf } from "@baton/core/session/next-effects";
import type { Call, SessionState } from "@baton/core/session/state";
import type { Keep } from "../../system/files/files.ts";
import type { PromptId } from "@baton/core/protocol/ids";
import type { ToolsetTool } from "@baton/core/toolset/definition";
import { failed, type Outcome, type ServerQuestion, type ModeRequest } from "../../tool/tool-types.ts";
import { askToStartServer } from "./ask-for-server.ts";
import { delegateTask } from "../delegation/delegate-task.ts";
import { snapshotFiles, filesNamedBy } from "./snapshot-files.ts";
import { runInBackground } from "../run-in-background.ts";
import { configureToolset } from "../servers/configure-toolset.ts";
import { callPorts } from "./call-ports.ts";
import type { EffectContext } from "../effect-context.ts";
import { modeChangeEvents } from "../coordination/mode-change-events.ts";

/** Runs a call that has been allowed and whose start is in the log, and reports its one result. */
export async function runTool({ key, call }: EffectOf<"runTool">, session: EffectContext, signal: AbortSignal): Promise<void> {
  const { changed, finished } = await executeTool(call, session.state, session, signal);
  if (signal.aborted) return runInBackground(session.note(changed), session.services.report);
  await session.report(key, [...changed, ...finished]);
}

/** What a call changed of files, and its one result with all that follows from it. */
export async function executeTool(
  call: Call,
  state: SessionState,
  session: EffectContext,
  signal: AbortSignal,
): Promise<{ changed: SessionEvent[]; finished: SessionEvent[] }> {
  const { clock } = session.services;
  const began = clock.now();
  const files = snapshotFiles(call, session);
  await files.keepAll(await filesNamedBy(call, session));
  const { events = [], transition, ...result } = await outcomeOf(call, state, files.keep, session, signal);
  const finished: SessionEvent = { type: "tool.finished", callId: call.id, result, tookMs: clock.now() - began };
  return {
    changed: await files.changed(),
    finished: [...events, finished, ...(transition ? leading(transition, call, session) : [])],
  };
}

/** A tool that acts may lead into another mode, as one that asks. */
function leading(wanted: ModeRequest, call: Call, { state, services }: EffectContext): SessionEvent[] {
  const prompt = { id: `mode-${call.id}` as PromptId, text: wanted.prompt };
  const by = call.answeredBy ?? { daemon: true };
  return modeChangeEvents({ ...wanted, by, requestId: call.request?.id, prompt }, state, call.id, services.clock.now());
}

async function outcomeOf(call: Call, state: SessionState, keep: Keep, session: EffectContext, signal: AbortSignal): Promise<Outcome> {
  const { services } = session;
  const tool = services.tools.of(state).get(call.tool);
  if (!tool || tool.kind === "asking") return failed(`The tool ${call.tool} does not exist any more.`);
  const input = tool.input.safeParse(call.input);
  if (!input.success) return failed(`The arguments of ${call.tool} do not fit it any more.`);
  if (tool.kind === "delegating") return delegateTask(call, tool, input.data, session, signal);
  const context = {
    ports: callPorts(call.verdict, state, services, keep),
    cwd: state.workspace,
    sessionId: session.id,
    callId: call.id,
    signal,
    output: (text: string) => session.live.output(call.id, text),
    note: (events: SessionEvent[]) => runInBackground(session.note(events), services.report),
    raw: (value: unknown) => (call.outside ? session.live.keepRaw(call.id, value) : undefined),
    through: call.outside ? session.live.through(call.id) : undefined,
    configure: (named: ToolsetTool, given: unknown, how = { dry: false }) =>
      configureToolset(named, given, { ...how, by: call.answeredBy ?? { daemon: true } }, session.state, services),
    ask: (question: ServerQuestion) => askToStartServer(call.id, question, session, signal),
  };
  try {
    return await tool.run(input.data, context);
  } catch (error) {
    if (!signal.aborted) services.report(`tool ${call.tool} failed`, error);
    return failed(error instanceof Error ? error.message : String(error));
  }
}
