import { homedir } from "node:os";
import path from "node:path";
import type { BatonPaths } from "../client/paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { bubblewrap, type Sandbox } from "../system/commands/sandbox.ts";
import { protectedRoots } from "./protected-roots.ts";
import type { Config } from "../config/config-schema.ts";
import { defaultLimits, type CommandLimits } from "../system/commands/resource-watch.ts";

/** The sandbox of the current config. Keys and the daemon's own folders are hidden inside it. */
export function configuredSandbox({ config }: LoadedConfig, paths: BatonPaths): Sandbox | undefined {
  if (config.sandbox !== "on") return undefined;
  const home = homedir();
  const hidden = [...protectedRoots(paths), ...[".ssh", ".gnupg", ".aws", ".config/gcloud"].map((name) => path.join(home, name))];
  return bubblewrap({ hidden, network: config.network !== "off" });
}

const MEGABYTE = 1024 * 1024;

/** The limits of the config for each command. */
export function commandLimits({ limits = {} }: Config): CommandLimits {
  const { processes, memory } = defaultLimits();
  const { commandProcesses = processes, commandMemory = memory / MEGABYTE } = limits;
  return { processes: commandProcesses, memory: commandMemory * MEGABYTE };
}
