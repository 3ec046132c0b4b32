import { omitUndefined } from "../text/omit-undefined.ts";
import type { SessionEvent } from "../protocol/event.ts";
import type { PromptId, RequestId } from "../protocol/ids.ts";
import type { ModeSlug, TransitionOrigin } from "../protocol/mode.ts";
import type { Actor } from "../protocol/request.ts";

/**
 * A requested mode change: the target, the reason and who requested it. `prompt`: the message with which the daemon continues the turn in
 * the new mode.
 */
export type ModeTransitionRequest = {
  to: ModeSlug;
  origin: TransitionOrigin;
  reason?: string | undefined;
  requestId?: RequestId | undefined;
  file?: string | undefined;
  by: Actor;
  prompt?: { id: PromptId; text: string } | undefined;
};

/** The mode of a session, since when it has it (epoch milliseconds), and the model of its newest prompt. */
export type ModeState = { mode: ModeSlug; modeSince: number; promptModel?: string | undefined };

/** Every mode change goes through this function. It returns one event and, if the turn continues, a synthetic prompt with the last prompt's model. */
export function transitionEvents(
  { mode: from, modeSince, promptModel: model }: ModeState,
  request: ModeTransitionRequest,
  now: number,
): SessionEvent[] {
  const { to, origin, reason, requestId, file, by, prompt } = request;
  const changed: SessionEvent = {
    type: "mode.changed",
    from,
    to,
    origin,
    by,
    tookMs: Math.max(0, now - modeSince),
    ...omitUndefined({ reason, requestId, file }),
  };
  if (!prompt) return [changed];
  const prompted: SessionEvent = {
    type: "prompt.received",
    promptId: prompt.id,
    text: prompt.text,
    delivery: "steer",
    mode: to,
    synthetic: origin,
    by: { daemon: true },
    ...omitUndefined({ model }),
  };
  return [changed, prompted];
}

/** Modes that a session enters temporarily. Leaving one leads back to the mode before it. */
const DETOURS: ReadonlySet<ModeSlug> = new Set(["coordinator", "plan", "configuration"]);

/** A mode that a detour returns to, and how the session left it. */
export type ReturnPoint = { mode: ModeSlug; origin: TransitionOrigin };

/**
 * The modes to return to after a mode change, the nearest last.
 *
 * - A detour adds the mode that it was entered from.
 * - A mode that is already in the list is returned to, and the detours after it end.
 * - Any other mode ends all detours.
 * - Coordination is always a new detour. A coordinator that switches is done, so the new mode does not lead back to it.
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
