import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { record } from "../harness/record.ts";
import { Coverage } from "./coverage.ts";
import { explain, play } from "./play.ts";
import type { Seen } from "./worker.ts";

/** `main.ts COUNT [FIRST]`: runs this many lives of a daemon, on all cores. A seed that breaks a promise is printed and stored. */
const [count = 10_000, first = 1] = process.argv.slice(2).map(Number);

const keptFile = new URL("kept-seeds.json", import.meta.url);
const coverage = new Coverage();
const broken: number[] = [];
const began = performance.now();
const cores = Math.min(availableParallelism(), count);

await Promise.all(
  Array.from({ length: cores }, (_, core) => {
    const worker = new Worker(new URL("worker.ts", import.meta.url), {
      workerData: { first: first + core, last: first + count - 1, every: cores },
    });
    worker.on("message", ({ seed, events, faults, fine }: Seen) => {
      coverage.add({ events, faults });
      if (!fine) broken.push(seed);
    });
    return new Promise((ended, failed) => worker.once("exit", ended).once("error", failed));
  }),
);

console.log(coverage.table());
const { user, system } = process.cpuUsage();
const [took, worked] = [(performance.now() - began) / 1_000, (user + system) / 1e6];
console.log(
  `${took.toFixed(1)} s on ${cores} cores (${((worked / count) * 1_000).toFixed(1)} ms of a core each), seeds ${first} to ${first + count - 1}, ${broken.length} of them broke a promise`,
);
const rare = coverage.rarerThan(0.01);
if (rare.length > 0) console.log(`in fewer than 1 %: ${rare.join(", ")}`);
for (const seed of broken.slice(0, 5)) console.log(`\n${await explain(seed, await play(seed))}`);
if (broken.length > 0) keep(broken);
record({ row: "11 39 S", tried: count, lost: broken.length });
process.exitCode = broken.length > 0 || rare.length > 0 ? 1 : 0;

function keep(seeds: readonly number[]): void {
  const before = JSON.parse(readFileSync(keptFile, "utf8")) as number[];
  const allSeeds = Array.from(new Set([...before, ...seeds])).sort((a, b) => a - b);
  writeFileSync(keptFile, `[${allSeeds.join(", ")}]\n`);
}
