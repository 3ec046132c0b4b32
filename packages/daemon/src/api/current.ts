import { tracked, type TrackedEnvelope } from "@trpc/server";
import type { WebSocket } from "ws";
import type { Change } from "../session/change.ts";
import { drained } from "./drained.ts";

export type CurrentOptions = {
  socket: WebSocket;
  signal: AbortSignal;
  /** At least this long between two looks, in milliseconds: what changes many times meanwhile is looked at once. */
  restMs: number;
};

/** What `look` finds, at first and after each change of it. A reader that comes back gets the whole of it anew. */
export async function* current<T>(
  change: Change,
  look: () => Promise<T>,
  { socket, signal, restMs }: CurrentOptions,
): AsyncGenerator<TrackedEnvelope<T>> {
  while (!signal.aborted) {
    const next = change.next(signal);
    yield tracked(String(change.version), await look());
    await drained(socket, signal);
    await next;
    if (restMs > 0 && !signal.aborted) await new Promise((rested) => setTimeout(rested, restMs));
  }
}
