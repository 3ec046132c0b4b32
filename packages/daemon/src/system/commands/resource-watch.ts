import { existsSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { suspendGroup, usageOf, type Tree } from "./process-tree.ts";

/** What one command may take of the machine, together with all that it started. `memory` is in bytes. */
export type CommandLimits = { processes: number; memory: number };

/** Which of its bounds a command went past, and how far. */
export type ExceededLimit = { of: keyof CommandLimits; had: number; most: number };

/** As the beginning of a sentence that says what came of it. */
export function exceededLimitText({ of, had, most }: ExceededLimit): string {
  if (of === "processes") return `it had ${had} processes at once, more than the ${most} that a command may have`;
  return `it took ${megabytes(had)} MB of memory, more than the ${megabytes(most)} MB that a command may have`;
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

/** Watches what commands take. `add` gives what ends the watch; `over` is called at most once. */
export type ResourceWatch = { add(command: Watched): () => void };

type Watched = Tree & { over: (excess: ExceededLimit) => void };

/** Far more than a build takes, and far less than makes a machine stand still. */
export const defaultLimits = (): CommandLimits => ({ processes: 2_000, memory: Math.floor(machineMemory() * 0.8) });

/** What there is, or what of it this process and its children may have. */
const machineMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());

const GLANCE_MS = 100;
/** So many glances apart are two looks: at least, and at most. */
const MIN_INTERVAL_FACTOR = 3;
const MAX_INTERVAL_FACTOR = 20;

/**
 * Commands that go past their bounds are told of. A glance at two numbers of the whole machine is enough most of the
 * time; only when one of them has moved far, and every two seconds, is it counted who has what. When very many threads
 * have come since the last glance, commands stand still while they are counted. Needs /proc; elsewhere nobody is watched.
 */
export function openResourceWatch(bounds: () => CommandLimits): ResourceWatch {
  const watched = new Set<Watched>();
  let running = false;

  const look = async (): Promise<void> => {
    const most = bounds();
    for (const { tree: command, ...used } of await usageOf([...watched])) {
      const of = used.processes > most.processes ? "processes" : used.memory > most.memory ? "memory" : undefined;
      if (of !== undefined && watched.delete(command)) command.over({ of, had: used[of], most: most[of] });
    }
  };

  /** What forks faster than it can be counted is held up meanwhile. */
  const lookHolding = async (): Promise<void> => {
    for (const command of watched) suspendGroup(command, true);
    try {
      await look();
    } finally {
      for (const command of watched) suspendGroup(command, false);
    }
  };

  const watch = async (): Promise<void> => {
    let last = glance();
    let calm = last;
    for (let since = MIN_INTERVAL_FACTOR; watched.size > 0; since++) {
      await new Promise((next) => setTimeout(next, GLANCE_MS).unref());
      const now = glance();
      const isBursting = now.tasks - last.tasks > bounds().processes / 8;
      if (isBursting) await lookHolding();
      else if (since >= MAX_INTERVAL_FACTOR || (since >= MIN_INTERVAL_FACTOR && isUneasy(now, calm, bounds()))) {
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
        watch().catch(() => (running = false)); // without /proc nobody is watched
      }
      return () => void watched.delete(command);
    },
  };
}

/** How many threads there are on the machine, and how many bytes are free. */
type Glance = { tasks: number; memory: number };

const glance = (): Glance => ({
  tasks: Number(/\/(\d+) /.exec(readFileSync("/proc/loadavg", "latin1"))?.[1] ?? 0),
  memory: process.availableMemory(),
});

/** Whether somebody may have taken half of what a command may, or little is left for all. */
const isUneasy = (now: Glance, calm: Glance, most: CommandLimits): boolean =>
  now.tasks - calm.tasks > most.processes / 2 || calm.memory - now.memory > most.memory / 2 || now.memory < machineMemory() / 8;
