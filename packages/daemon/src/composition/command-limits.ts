import type { Config } from "../config/config-schema.ts";
import { usualBounds, type Bounds } from "../system/commands/resource-watch.ts";

const MEGABYTE = 1024 * 1024;

/** What the config lets each command take. */
export function boundsOf({ limits = {} }: Config): Bounds {
  const { processes, memory } = usualBounds();
  const { commandProcesses = processes, commandMemory = memory / MEGABYTE } = limits;
  return { processes: commandProcesses, memory: commandMemory * MEGABYTE };
}
