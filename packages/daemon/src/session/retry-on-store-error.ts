import type { EffectContext } from "./effect-context.ts";

type Patience = {
  /** What to do before the next try where another daemon has written the stream or holds it. Without it, that is an end. */
  overtaken?: () => Promise<unknown>;
};

const FIRST_MS = 100;
const MAX_MS = 5_000;

/** Whether the store could not write; `conflict` means that somebody else wrote this stream. */
export const isStoreFault = (error: unknown): error is Error & { conflict: boolean } =>
  error instanceof Error && "conflict" in error && typeof error.conflict === "boolean";

/**
 * Does what needs the store, again and again while the store cannot write, until the signal aborts. Meanwhile the session
 * says why it stands still. `work` may have been done in part, so it has to be such that it can be done again.
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
      if (error.conflict) await overtaken?.().catch(() => undefined); // the store does not answer: the next try says so
      await services.clock.wait(delay, signal);
    }
  }
}
