import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Longer silences end a tunnel. Programs that wait for messages send keep-alive frames far more often. */
const SILENCE_MS = 60 * 60_000;

/** Passes bytes in both directions. The end of one direction leaves the other one open. An error of one side ends both. */
export function joinSockets(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.allowHalfOpen = true;
    if (from instanceof Socket) from.setTimeout(SILENCE_MS, () => from.destroy());
    from.on("error", () => to.destroy());
    from.once("close", () => (from.readableEnded ? undefined : to.destroy()));
    from.pipe(to);
  }
}
