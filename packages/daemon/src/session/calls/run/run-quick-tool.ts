import type { SessionEvent } from "@baton/core/protocol/event";
import type { EffectOf } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";
import { executeTool } from "./run-tool.ts";
import type { EffectContext } from "../../effects/effect-context.ts";

/** Created once, because creating an exception costs more than many a quick call. */
const OVER = new Error("the time limit is over");

/** How long a quick call may delay the commit of its own start, in milliseconds. */
const MOMENT_MS = 10;

/**
 * Runs a read-only call that takes only a moment and returns its result, which is committed together with its start. A crash in
 * between loses nothing. Returns nothing if the call takes longer; it then runs like any other call.
 */
export async function runQuickTool({ call }: EffectOf<"runTool">, state: SessionState, session: EffectContext): Promise<SessionEvent[]> {
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
