import type { WebSocket } from "ws";

const MOST_BUFFERED = 1024 * 1024;
const PATIENCE_MS = 2_000;
const LOOK_MS = 20;

/**
 * Resolves when the socket has room again. A reader that takes nothing for 2 s is cut off: it can come back and go on
 * from its last seq. The socket has no event for this, so it is looked at while, and only while, it is full.
 */
export async function drained(socket: WebSocket, signal: AbortSignal): Promise<void> {
  let [least, since] = [socket.bufferedAmount, performance.now()];
  while (socket.bufferedAmount > MOST_BUFFERED && !signal.aborted) {
    await new Promise((look) => setTimeout(look, LOOK_MS));
    if (socket.bufferedAmount < least) [least, since] = [socket.bufferedAmount, performance.now()];
    if (performance.now() - since > PATIENCE_MS) return socket.terminate();
  }
}
