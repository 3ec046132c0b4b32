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
export type Standing = { mode: ModeSlug; modeSince: number; promptModel?: string | undefined };

/** The one way a mode changes: one event, and a synthetic prompt that names the new mode and keeps the last prompt's model. */
export function transition({ mode: from, modeSince, promptModel: model }: Standing, wanted: Transition, now: number): SessionEvent[] {
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

/** Modes that work passes through: leaving them leads back to where it came from. */
export const passingModes: ReadonlySet<ModeSlug> = new Set(["coordinator", "plan", "configuration"]);

/** The mode to come back to after a change of mode. */
export const returningTo = (from: ModeSlug, before: ModeSlug | undefined): ModeSlug | undefined => (passingModes.has(from) ? before : from);
