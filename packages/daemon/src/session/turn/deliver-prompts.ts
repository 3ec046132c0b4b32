import { transition } from "@baton/core/mode/transition";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { EffectOf } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";
import { hooksBeforePrompts } from "../hooks/hooks-before.ts";
import type { EffectContext } from "../effects/effect-context.ts";

/** Moves queued prompts into the conversation. A prompt that names a mode changes the mode now, not while it waited. */
export function deliverPrompts(effect: EffectOf<"deliver">, state: SessionState, session: EffectContext): SessionEvent[] {
  const { promptIds } = effect;
  const { services } = session;
  const hooks = hooksBeforePrompts(effect, state, session);
  if (hooks) return hooks;
  const delivered: SessionEvent = { type: "prompt.delivered", promptIds };
  const switching = state.queue.findLast(({ promptId, switchTo }) => promptIds.includes(promptId) && switchTo !== undefined);
  if (switching?.switchTo === undefined || switching.switchTo === state.mode) return [delivered];
  return [...transition(state, { to: switching.switchTo, origin: "user", by: switching.by }, services.clock.now()), delivered];
}
