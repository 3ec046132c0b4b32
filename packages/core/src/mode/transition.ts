import type { SessionEvent } from "../protocol/event.ts";
import type { PromptId, RequestId } from "../protocol/ids.ts";
import type { ModeSlug, TransitionOrigin } from "../protocol/mode.ts";
import type { Actor } from "../protocol/request.ts";

/**
 * A wanted change of mode: to where, why, and who wants it. `prompt` is there where the turn has to go on in the new
 * mode: what the daemon then says to the agent.
 */
export type Transition = {
  to: ModeSlug;
  origin: TransitionOrigin;
  reason?: string | undefined;
  requestId?: RequestId | undefined;
  file?: string | undefined;
  by: Actor;
  prompt?: { id: PromptId; text: string } | undefined;
};

/** Where a session stands: its mode since when (epoch milliseconds), and the model of its newest prompt. */
export type ModeState = { mode: ModeSlug; modeSince: number; promptModel?: string | undefined };

/** The one way a mode changes: one event, and a synthetic prompt that names the new mode and keeps the last prompt's model. */
export function transition({ mode: from, modeSince, promptModel: model }: ModeState, wanted: Transition, now: number): SessionEvent[] {
  const { to, origin, reason, requestId, file, by, prompt } = wanted;
  const changed: SessionEvent = {
    type: "mode.changed",
    from,
    to,
    origin,
    by,
    tookMs: Math.max(0, now - modeSince),
    ...(reason === undefined ? {} : { reason }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(file === undefined ? {} : { file }),
  };
  if (!prompt) return [changed];
  const said: SessionEvent = {
    type: "prompt.received",
    promptId: prompt.id,
    text: prompt.text,
    delivery: "steer",
    mode: to,
    synthetic: origin,
    by: { daemon: true },
    ...(model === undefined ? {} : { model }),
  };
  return [changed, said];
}

/** Modes that a session visits for a while: leaving one leads back to the mode that it was entered from. */
const DETOURS: ReadonlySet<ModeSlug> = new Set(["coordinator", "plan", "configuration"]);

/** A mode that a detour leads back to, and how the session left it. */
export type ReturnPoint = { mode: ModeSlug; origin: TransitionOrigin };

/**
 * The modes to return to after a change of mode, the nearest last. A detour adds the mode that it was entered from. A mode
 * that the stack already holds is returned to, which ends the detours above it. A mode that is no detour ends all of them.
 * Coordination always is a detour of its own.
 * A coordinator that switches is done, so the mode that it chooses never leads back to it.
 */
export function returnPointsAfter(
  before: readonly ReturnPoint[],
  { from, to, origin }: { from: ModeSlug; to: ModeSlug; origin: TransitionOrigin },
): readonly ReturnPoint[] {
  if (!DETOURS.has(to)) return [];
  const visited = origin === "coordination" && to === "coordinator" ? -1 : before.findIndex(({ mode }) => mode === to);
  if (visited >= 0) return before.slice(0, visited);
  const isDone = from === "coordinator" && origin === "switch_mode";
  return from === to || isDone ? before : [...before, { mode: from, origin }];
}
