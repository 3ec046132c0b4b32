import { tracked, type TrackedEnvelope } from "@trpc/server";
import type { Clock } from "../system/clock.ts";
import type { ChangeSignal } from "../session/change-signal.ts";
import { waitUntilDrained, type SocketBuffer } from "./http/backpressure.ts";
import { readWithRetry } from "./read-with-retry.ts";

export type WatchOptions = {
  socket: SocketBuffer;
  clock: Clock;
  signal: AbortSignal;
  /** The minimum pause between two reads, in milliseconds. Several changes in between cost one read. */
  restMs: number;
};

/** Yields the result of `look`, now and after each change. A reader that reconnects gets the whole value again. */
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
    if (restMs > 0 && !signal.aborted) await clock.wait(restMs, signal).catch(() => undefined); // aborted: no client watches anymore
  }
}
