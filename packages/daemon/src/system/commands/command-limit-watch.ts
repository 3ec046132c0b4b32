import { existsSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { suspendGroup, usageOf, type ProcessTree } from "../platform/process-tree.ts";

/** The limits of a command and all processes that it started. `memory` is in bytes. */
export type CommandLimits = { processes: number; memory: number };

/** The limit that a command exceeded, and by how much. */
export type ExceededLimit = { of: keyof CommandLimits; had: number; most: number };

/** The beginning of a sentence about an exceeded limit. */
export function exceededLimitText({ of, had, most }: ExceededLimit): string {
  if (of === "processes") return `it had ${had} processes at once, more than the limit of ${most}`;
  return `it used ${megabytes(had)} MB of memory, more than the limit of ${megabytes(most)} MB`;
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

/** Watches the resources of commands. `add` returns a function that ends the watch. `over` is called at most once. */
export type ResourceWatch = { add(command: Watched): () => void };

type Watched = ProcessTree & { over: (excess: ExceededLimit) => void };

/** Far more than a build needs, and far less than what brings a machine to a standstill. */
export const defaultLimits = (): CommandLimits => ({ processes: 2_000, memory: Math.floor(machineMemory() * 0.8) });

/** The memory of the machine, or the part that this process may use. */
const machineMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());

const SAMPLE_MS = 100;
/** The number of samples between two full counts: the minimum and the maximum. */
const MIN_INTERVAL_FACTOR = 3;
const MAX_INTERVAL_FACTOR = 20;

/**
 * Reports commands that exceed their limits. Usually it only samples two numbers of the whole machine. It counts the processes of each
 * command when one of these numbers has changed much, and every two seconds. If very many threads have started since the last sample,
 * commands are suspended while they are counted. Needs /proc; without it nothing is watched.
 */
export function openResourceWatch(bounds: () => CommandLimits): ResourceWatch {
  const watched = new Set<Watched>();
  let running = false;

  const look = async (): Promise<void> => {
    const most = bounds();
    for (const { tree: command, ...used } of await usageOf([...watched])) {
      const of = exceededKind(used, most);
      if (of !== undefined && watched.delete(command)) command.over({ of, had: used[of], most: most[of] });
    }
  };

  /** Suspends commands that fork faster than they can be counted. */
  const lookHolding = async (): Promise<void> => {
    for (const command of watched) suspendGroup(command, true);
    try {
      await look();
    } finally {
      for (const command of watched) suspendGroup(command, false);
    }
  };

  const watch = async (): Promise<void> => {
    let last = sample();
    let calm = last;
    for (let since = MIN_INTERVAL_FACTOR; watched.size > 0; since++) {
      await new Promise((next) => setTimeout(next, SAMPLE_MS).unref());
      const now = sample();
      const isBursting = now.tasks - last.tasks > bounds().processes / 8;
      if (isBursting) await lookHolding();
      else if (since >= MAX_INTERVAL_FACTOR || (since >= MIN_INTERVAL_FACTOR && needsCount(now, calm, bounds()))) {
        await look();
        since = 0;
      }
      last = now;
      calm = { tasks: Math.min(calm.tasks, now.tasks), memory: Math.max(calm.memory, now.memory) };
    }
    running = false;
  };

  return {
    add(command) {
      if (!existsSync("/proc/loadavg")) return () => undefined;
      watched.add(command);
      if (!running) {
        running = true;
        watch().catch(() => (running = false)); // without /proc nothing is watched
      }
      return () => void watched.delete(command);
    },
  };
}

function exceededKind(used: CommandLimits, most: CommandLimits): keyof CommandLimits | undefined {
  if (used.processes > most.processes) return "processes";
  return used.memory > most.memory ? "memory" : undefined;
}

/** The number of threads of the machine, and its free memory in bytes. */
type Sample = { tasks: number; memory: number };

const sample = (): Sample => ({
  tasks: Number(/\/(\d+) /.exec(readFileSync("/proc/loadavg", "latin1"))?.[1] ?? 0),
  memory: process.availableMemory(),
});

/** True if a command may have used half of its limit, or if little is left for all. */
const needsCount = (now: Sample, calm: Sample, most: CommandLimits): boolean =>
  now.tasks - calm.tasks > most.processes / 2 || calm.memory - now.memory > most.memory / 2 || now.memory < machineMemory() / 8;
