import type { EffectContext } from "./effects/effect-context.ts";

type Patience = {
  /** The step before the next attempt if another daemon wrote or holds the stream. Without it, the conflict is final. */
  overtaken?: () => Promise<unknown>;
};

const FIRST_MS = 100;
const MAX_MS = 5_000;

/** Whether the store could not write. `conflict`: another daemon wrote this stream. */
export const isStoreFault = (error: unknown): error is Error & { conflict: boolean } =>
  error instanceof Error && "conflict" in error && typeof error.conflict === "boolean";

/**
 * Repeats `work` while the store cannot write, until the signal aborts. Clients see why the session is stalled. `work` may be
 * interrupted halfway, so it must be repeatable.
 */
export async function retryOnStoreError<T>(
  work: () => Promise<T>,
  { live, services }: Pick<EffectContext, "live" | "services">,
  signal: AbortSignal,
  { overtaken }: Patience = {},
): Promise<T> {
  for (let delay = FIRST_MS; ; delay = Math.min(delay * 2, MAX_MS)) {
    try {
      const done = await work();
      live.stall(null);
      return done;
    } catch (error) {
      if (!isStoreFault(error) || (error.conflict && !overtaken) || signal.aborted) throw error;
      live.stall(error.message);
      if (error.conflict) await overtaken?.().catch(() => undefined); // the store does not answer, and the next attempt reports it
      await services.clock.wait(delay, signal);
    }
  }
}
