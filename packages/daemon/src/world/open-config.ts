import type { McpServer } from "@baton/core/protocol/mcp";
import type { Rule } from "@baton/core/protocol/rule";
import { addRules } from "../config/add-rules.ts";
import { changeToolsetOfMode } from "../config/change-mode.ts";
import { changeServers } from "../config/change-servers.ts";
import { loadConfig, type Loaded, type Reading } from "../config/load.ts";
import { stampOf } from "../config/stamp.ts";
import { watchFile } from "../config/watch.ts";
import { inBackground } from "../session/in-background.ts";

type Report = (problem: string, error: unknown) => void;

export type OpenConfig = {
  now: () => Loaded;
  /** Reads the file if it is not the one that was read last: a script writes it and goes on at once. */
  look: () => Promise<void>;
  /** Both count when they resolve. False: the config has its rules in a form that only a person can add to. */
  addRules: (rules: readonly Rule[]) => Promise<boolean>;
  changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<void>;
  changeToolsetOfMode: (mode: string, toolset: string | undefined) => Promise<void>;
  close: () => void;
};

/** The config, read again whenever its file changes, one reading after the other; what is broken keeps what held before. */
export async function openConfig(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenConfig> {
  const reading: Reading = { layer: "user", actions };
  let stamp = stampOf(file);
  let loaded = await loadConfig(file, undefined, reading);
  let read: Promise<void> = Promise.resolve();
  const readNow = async () => {
    stamp = stampOf(file); // before it is read: what is written meanwhile is another one
    loaded = await loadConfig(file, loaded, reading);
    changed();
  };
  const again = () => (read = read.catch(() => undefined).then(readNow)); // whoever waited for the one before was told
  const close = watchFile(file, () => inBackground(again(), report));
  return {
    now: () => loaded,
    look: () => (stampOf(file) === stamp ? read : again()).catch(() => undefined), // the watch tells what went wrong
    async addRules(rules) {
      const isAdded = await addRules(file, rules);
      await again();
      return isAdded;
    },
    async changeServers(servers) {
      await changeServers(file, servers);
      await again();
    },
    async changeToolsetOfMode(mode, toolset) {
      await changeToolsetOfMode(file, mode, toolset);
      await again();
    },
    close,
  };
}
