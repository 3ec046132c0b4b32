import type { Clock } from "../system/clock.ts";
import { isStoreFault } from "../session/retry-on-store-error.ts";

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 2_000;

/**
 * Reads for a subscription, and repeats while the store cannot be read. An error would end the subscription for good, and its
 * client would receive no more events although it is connected. Rejects with the signal's reason when that aborts.
 */
export async function readWithRetry<T>(read: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    try {
      return await read();
    } catch (error) {
      if (!isStoreFault(error) || error.conflict) throw error;
      await clock.wait(wait, signal);
    }
  }
}
