import { once } from "node:events";
import type { Socket } from "node:net";

/** Waits until a socket has bytes, or has ended. Rejects if it fails. */
export async function waitUntilReadable(socket: Socket, signal?: AbortSignal): Promise<void> {
  const done = new AbortController();
  const limit = { signal: signal ? AbortSignal.any([signal, done.signal]) : done.signal };
  const waits = ["readable", "end", "close"].map((name) => once(socket, name, limit));
  try {
    await Promise.race(waits);
  } finally {
    done.abort();
    await Promise.allSettled(waits);
  }
}
