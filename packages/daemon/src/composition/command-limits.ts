import type { Config } from "../config/config-schema.ts";
import { defaultLimits, type CommandLimits } from "../system/commands/resource-watch.ts";

const MEGABYTE = 1024 * 1024;

/** What the config lets each command take. */
export function commandLimits({ limits = {} }: Config): CommandLimits {
  const { processes, memory } = defaultLimits();
  const { commandProcesses = processes, commandMemory = memory / MEGABYTE } = limits;
  return { processes: commandProcesses, memory: commandMemory * MEGABYTE };
}
