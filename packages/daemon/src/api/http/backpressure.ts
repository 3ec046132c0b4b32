import type { WebSocket } from "ws";
import type { Clock } from "../../system/clock.ts";

/** The part of a socket that matters here. */
export type SocketBuffer = Pick<WebSocket, "bufferedAmount" | "terminate">;

const MAX_BUFFERED = 1024 * 1024;
const PATIENCE_MS = 2_000;
const LOOK_MS = 20;

/**
 * Resolves when the socket has space again. A reader that takes nothing for 2 s is disconnected; it can return and continue
 * from its last seq. Sockets have no event for this, so it is polled while the socket is full.
 */
export async function waitUntilDrained(socket: SocketBuffer, clock: Clock, signal: AbortSignal): Promise<void> {
  let [least, since] = [socket.bufferedAmount, clock.ticks()];
  while (socket.bufferedAmount > MAX_BUFFERED && !signal.aborted) {
    await clock.wait(LOOK_MS, signal).catch(() => undefined); // aborted: no client waits anymore
    if (socket.bufferedAmount < least) {
      least = socket.bufferedAmount;
      since = clock.ticks();
    }
    if (clock.ticks() - since > PATIENCE_MS) return socket.terminate();
  }
}
