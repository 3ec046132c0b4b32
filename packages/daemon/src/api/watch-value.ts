import { tracked, type TrackedEnvelope } from "@trpc/server";
import type { Clock } from "../system/clock.ts";
import type { ChangeSignal } from "../session/change-signal.ts";
import { waitUntilDrained, type SocketBuffer } from "./http/backpressure.ts";
import { readWithRetry } from "./read-with-retry.ts";

export type WatchOptions = {
  socket: SocketBuffer;
  clock: Clock;
  signal: AbortSignal;
  /** At least this long between two looks, in milliseconds: what changes many times meanwhile is looked at once. */
  restMs: number;
};

/** What `look` finds, at first and after each change of it. A reader that comes back gets the whole of it anew. */
export async function* watchValue<T>(
  change: ChangeSignal,
  look: () => Promise<T>,
  { socket, clock, signal, restMs }: WatchOptions,
): AsyncGenerator<TrackedEnvelope<T>> {
  while (!signal.aborted) {
    const next = change.next(signal);
    yield tracked(String(change.version), await readWithRetry(look, clock, signal));
    await waitUntilDrained(socket, clock, signal);
    await next;
    if (restMs > 0 && !signal.aborted) await clock.wait(restMs, signal).catch(() => undefined); // aborted: nobody looks any more
  }
}
