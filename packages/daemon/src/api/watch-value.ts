import { tracked, type TrackedEnvelope } from "@trpc/server";
import type { Clock } from "../system/clock.ts";
import type { Change } from "../session/change-signal.ts";
import { drained, type Sink } from "./http/backpressure.ts";
import { patientRead } from "./read-with-retry.ts";

export type CurrentOptions = {
  socket: Sink;
  clock: Clock;
  signal: AbortSignal;
  /** At least this long between two looks, in milliseconds: what changes many times meanwhile is looked at once. */
  restMs: number;
};

/** What `look` finds, at first and after each change of it. A reader that comes back gets the whole of it anew. */
export async function* current<T>(
  change: Change,
  look: () => Promise<T>,
  { socket, clock, signal, restMs }: CurrentOptions,
): AsyncGenerator<TrackedEnvelope<T>> {
  while (!signal.aborted) {
    const next = change.next(signal);
    yield tracked(String(change.version), await patientRead(look, clock, signal));
    await drained(socket, clock, signal);
    await next;
    if (restMs > 0 && !signal.aborted) await clock.wait(restMs, signal).catch(() => undefined); // aborted: nobody looks any more
  }
}
