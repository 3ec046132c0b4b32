import type { SessionEvent } from "@baton/core/protocol/event";
import type { EffectOf } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";
import { executeTool } from "./run-tool.ts";
import type { EffectContext } from "../effect-context.ts";

/** Made once: an exception for each look would cost more than many a look. */
const OVER = new Error("the moment is over");

/** How long a look may hold up the commit of its own start. */
const MOMENT_MS = 10;

/**
 * The result of a call that changes nothing and takes but a moment: it is committed together with its start, as a crash in
 * between leaves nothing that anybody would have to know of. Nothing where it takes longer; it is then run as all others are.
 */
export async function runQuickTool({ call }: EffectOf<"runTool">, state: SessionState, session: EffectContext): Promise<SessionEvent[]> {
  const {
    tools: { of: tools },
    clock,
  } = session.services;
  const tool = tools(state).get(call.tool);
  if (tool?.kind !== "acting" || !tool.quick) return [];
  const over = new AbortController();
  const late = clock.wait(MOMENT_MS, over.signal).catch(() => undefined); // it was there before
  const looked = await Promise.race([executeTool(call, state, session, over.signal), late]);
  over.abort(OVER);
  return looked ? looked.finished : [];
}
