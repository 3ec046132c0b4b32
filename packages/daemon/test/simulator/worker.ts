import { parentPort, workerData } from "node:worker_threads";
import { play } from "./play.ts";

/** The report of a worker about each of its seeds. */
export type Seen = { seed: number; events: Map<string, number>; faults: Set<string>; fine: boolean };

const { first, last, every } = workerData as { first: number; last: number; every: number };
for (let seed = first; seed <= last; seed += every) {
  const { events, faults, broken } = await play(seed);
  parentPort?.postMessage({ seed, events, faults, fine: broken.length === 0 } satisfies Seen);
}
