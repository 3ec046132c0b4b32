import type { SessionEffectOf } from "@baton/core/session/next-effects";
import { storeGrantedRule } from "../calls/judge/resolve-approval.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { retryOnStoreError } from "../retry-on-store-error.ts";

/** Stores the rule that the user granted for a host. The connection that waited has read the answer itself. */
export async function resolveHostRequest(
  { key, request, answer, by }: SessionEffectOf<"settleServer">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const granted = await retryOnStoreError(() => storeGrantedRule(request, answer, by, session.state, session), session, signal);
  await session.report(key, [...granted, { type: "server.settled", requestId: request.id }]);
}
