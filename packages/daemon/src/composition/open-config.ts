import type { McpServer } from "@baton/core/protocol/mcp";
import type { Rule } from "@baton/core/protocol/rule";
import { addRules } from "../config/add-rules.ts";
import { changeToolsetOfMode } from "../config/set-mode-toolset.ts";
import { changeServers } from "../config/change-servers.ts";
import { openEdit, type Edited } from "../config/edit-jsonc.ts";
import { loadConfig, type Loaded, type Reading } from "../config/load-config.ts";
import { stampOf } from "../config/file-stamp.ts";
import { watchFile } from "../config/watch-file.ts";
import { inBackground } from "../session/run-in-background.ts";

type Report = (problem: string, error: unknown) => void;

/** A config file as it was read last. */
type OpenFile = {
  now: () => Loaded;
  /** Reads the file if it is not the one that was read last: a script writes it and goes on at once. */
  look: () => Promise<void>;
  close: () => void;
};

export type OpenConfig = OpenFile & {
  /** What is written counts when they resolve. Rules are not where the config has them in a form that only a person can add to. */
  addRules: (rules: readonly Rule[]) => Promise<Edited>;
  changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<Edited>;
  changeToolsetOfMode: (mode: string, toolset: string | undefined) => Promise<Edited>;
};

/** The person's config. */
export async function openConfig(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenConfig> {
  const { again, ...open } = await openFile(file, report, changed, { layer: "user", actions });
  const edit = openEdit(file);
  const counting = async (editing: Promise<Edited>) => {
    const edited = await editing;
    await again();
    return edited;
  };
  return {
    ...open,
    addRules: (rules) => counting(addRules(edit, rules)),
    changeServers: (servers) => counting(changeServers(edit, servers)),
    changeToolsetOfMode: (mode, toolset) => counting(changeToolsetOfMode(edit, mode, toolset)),
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
