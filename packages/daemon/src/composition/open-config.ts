import type { McpServer } from "@baton/core/protocol/mcp";
import type { Rule } from "@baton/core/protocol/rule";
import { addRules, setModeToolset, changeServers } from "../config/change-config.ts";
import { openConfigEditor, type EditResult } from "../config/edit-jsonc.ts";
import { loadConfig, type LoadedConfig, type ConfigParseOptions } from "../config/load-config.ts";
import { fileStamp, watchFile } from "../config/watch-file.ts";
import { runInBackground } from "../session/run-in-background.ts";

type Report = (problem: string, error: unknown) => void;

/** A config file as it was read last. */
type OpenFile = {
  now: () => LoadedConfig;
  /** Reads the file if it is not the one that was read last: a script writes it and goes on at once. */
  look: () => Promise<void>;
  close: () => void;
};

export type OpenConfig = OpenFile & {
  /** What is written counts when they resolve. Rules are not where the config has them in a form that only a person can add to. */
  addRules: (rules: readonly Rule[]) => Promise<EditResult>;
  changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<EditResult>;
  changeToolsetOfMode: (mode: string, toolset: string | undefined) => Promise<EditResult>;
};

/** The person's config. */
export async function openConfig(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenConfig> {
  const { again, ...open } = await openFile(file, report, changed, { layer: "user", actions });
  const edit = openConfigEditor(file);
  const counting = async (editing: Promise<EditResult>) => {
    const edited = await editing;
    await again();
    return edited;
  };
  return {
    ...open,
    addRules: (rules) => counting(addRules(edit, rules)),
    changeServers: (servers) => counting(changeServers(edit, servers)),
    changeToolsetOfMode: (mode, toolset) => counting(setModeToolset(edit, mode, toolset)),
  };
}

/** What the machine's own file says. While nobody knows what it forbids, as it has been broken from the first, all is denied. */
export async function openManagedConfig(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenFile> {
  const { again: _, ...open } = await openFile(file, report, changed, { layer: "managed", actions });
  return open;
}

/** A config file, read again whenever it changes, one reading after the other; what is broken keeps what held before. */
async function openFile(
  file: string,
  report: Report,
  changed: () => void,
  reading: ConfigParseOptions,
): Promise<OpenFile & { again: () => Promise<void> }> {
  let stamp = fileStamp(file);
  let loaded = await loadConfig(file, undefined, reading);
  let read: Promise<void> = Promise.resolve();
  const readNow = async () => {
    stamp = fileStamp(file); // before it is read: what is written meanwhile is another one
    loaded = await loadConfig(file, loaded, reading);
    changed();
  };
  const again = () => (read = read.catch(() => undefined).then(readNow)); // whoever waited for the one before was told
  const close = watchFile(file, () => runInBackground(again(), report));
  return {
    now: () => loaded,
    look: () => (fileStamp(file) === stamp ? read : again()).catch(() => undefined), // the watch tells what went wrong
    again,
    close,
  };
}
