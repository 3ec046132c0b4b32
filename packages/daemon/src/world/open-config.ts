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

/** A config file as it was read last. */
type OpenFile = {
  now: () => Loaded;
  /** Reads the file if it is not the one that was read last: a script writes it and goes on at once. */
  look: () => Promise<void>;
  close: () => void;
};

export type OpenConfig = OpenFile & {
  /** Both count when they resolve. False: the config has its rules in a form that only a person can add to. */
  addRules: (rules: readonly Rule[]) => Promise<boolean>;
  changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<void>;
  changeToolsetOfMode: (mode: string, toolset: string | undefined) => Promise<void>;
};

/** The person's config. */
export async function openConfig(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenConfig> {
  const { again, ...open } = await openFile(file, report, changed, { layer: "user", actions });
  return {
    ...open,
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
  };
}

/** What the machine's own file says. While nobody knows what it forbids, as it has been broken from the first, all is denied. */
export async function openManaged(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenFile> {
  const { again: _, ...open } = await openFile(file, report, changed, { layer: "managed", actions });
  return open;
}

/** A config file, read again whenever it changes, one reading after the other; what is broken keeps what held before. */
async function openFile(
  file: string,
  report: Report,
  changed: () => void,
  reading: Reading,
): Promise<OpenFile & { again: () => Promise<void> }> {
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
    again,
    close,
  };
}
