import type { EffectOf } from "@baton/core/session/next-effects";
import { startModel } from "./start-model.ts";
import type { EffectContext } from "../effect-context.ts";

/** Waits until the model may be asked again, then says that it is asked. An interrupt ends the wait at once. */
export async function awaitRetry(effect: EffectOf<"awaitRetry">, session: EffectContext, signal: AbortSignal): Promise<void> {
  const { clock } = session.parts;
  await clock.wait(Math.max(0, effect.until - clock.now()), signal);
  await session.report(effect.key, startModel(effect, session.state, session.parts));
}
