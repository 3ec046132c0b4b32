import type { Config } from "../../config/config-schema.ts";
import { defaultLimits, type CommandLimits } from "../../system/commands/command-limit-watch.ts";

const MEGABYTE = 1024 * 1024;

/** The limits of the config for each command. */
export function commandLimits({ limits = {} }: Config): CommandLimits {
  const { processes, memory } = defaultLimits();
  const { commandProcesses = processes, commandMemory = memory / MEGABYTE } = limits;
  return { processes: commandProcesses, memory: commandMemory * MEGABYTE };
}
