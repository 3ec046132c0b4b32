import type { McpServer } from "@baton/core/protocol/mcp";
import type { Rule } from "@baton/core/protocol/rule";
import { addRules } from "../config/add-rules.ts";
import { changeToolsetOfMode } from "../config/change-mode.ts";
import { changeServers } from "../config/change-servers.ts";
import { loadConfig, type Loaded, type Reading } from "../config/load.ts";
import { watchFile } from "../config/watch.ts";
import { inBackground } from "../session/in-background.ts";

type Report = (problem: string, error: unknown) => void;

export type OpenConfig = {
  now: () => Loaded;
  /** Both count when they resolve. False: the config has its rules in a form that only a person can add to. */
  addRules: (rules: readonly Rule[]) => Promise<boolean>;
  changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<void>;
  changeToolsetOfMode: (mode: string, toolset: string | undefined) => Promise<void>;
  close: () => void;
};

/** The config, read again whenever its file changes; what is broken keeps what held before. */
export async function openConfig(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenConfig> {
  const reading: Reading = { layer: "user", actions };
  let loaded = await loadConfig(file, undefined, reading);
  const again = async () => {
    loaded = await loadConfig(file, loaded, reading);
    changed();
  };
  const close = watchFile(file, () => inBackground(again(), report));
  return {
    now: () => loaded,
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
