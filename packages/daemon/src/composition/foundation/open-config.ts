import type { McpServer } from "@baton/core/protocol/config/mcp";
import type { Rule } from "@baton/core/protocol/rule";
import {
  addLocalProvider,
  addRules,
  appendRule,
  setModeToolset,
  setEnvironment,
  setPlugin,
  changeServers,
  type LocalProvider,
} from "../../config/edit/change-config.ts";
import type { Config } from "../../config/config-schema.ts";
import { openConfigEditor, type EditResult } from "../../config/edit/edit-jsonc.ts";
import { changeRule, type RuleChange, type ShownRule } from "../../config/edit/change-rule.ts";
import { changeSetting, type SettingPath } from "../../config/edit/change-setting.ts";
import { loadConfig, type LoadedConfig, type ConfigParseOptions } from "../../config/load-config.ts";
import { fileStamp, watchFile } from "../../config/watch-file.ts";
import type { PluginSetting } from "@baton/core/protocol/config/plugin";
import { runInBackground } from "../../session/run-in-background.ts";

type Report = (problem: string, error: unknown) => void;

/** A config file as Baton read it last. */
type OpenFile = {
  now: () => LoadedConfig;
  /** Reads the file again if it has changed. A script may write the config and call Baton at once. */
  refresh: () => Promise<void>;
  close: () => void;
};

export type OpenConfig = OpenFile & {
  /**
   * A change is in effect when its promise resolves. Baton does not add rules to a config that defines its permissions as a
   * table, because only the user can extend that.
   */
  addRules: (rules: readonly Rule[]) => Promise<EditResult>;
  appendRule: (rule: Rule) => Promise<EditResult>;
  /** Undefined removes the rule. */
  changeRule: (rule: ShownRule, to: RuleChange | undefined) => Promise<EditResult>;
  changeServers: (servers: Readonly<Record<string, McpServer | undefined>>) => Promise<EditResult>;
  setModeToolset: (mode: string, toolset: string | undefined) => Promise<EditResult>;
  changeSetting: (setting: SettingPath, value: unknown) => Promise<EditResult>;
  addLocalProvider: (provider: LocalProvider) => Promise<EditResult>;
  setEnvironment: (folder: string, tools: NonNullable<Config["environments"]>[string] | undefined) => Promise<EditResult>;
  setPlugin: (name: string, on: PluginSetting | undefined) => Promise<EditResult>;
};

/** Opens the user's config. */
export async function openConfig(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenConfig> {
  const { again, ...open } = await openFile(file, report, changed, { layer: "user", actions });
  const edit = openConfigEditor(file);
  const apply = async (editing: Promise<EditResult>) => {
    const edited = await editing;
    await again();
    return edited;
  };
  return {
    ...open,
    addRules: (rules) => apply(addRules(edit, rules)),
    appendRule: (rule) => apply(appendRule(edit, rule)),
    changeRule: (rule, to) => apply(changeRule(edit, file, rule, to)),
    changeServers: (servers) => apply(changeServers(edit, servers)),
    setModeToolset: (mode, toolset) => apply(setModeToolset(edit, mode, toolset)),
    changeSetting: (setting, value) => apply(changeSetting(edit, setting, value)),
    addLocalProvider: (provider) => apply(addLocalProvider(edit, provider)),
    setEnvironment: (folder, tools) => apply(setEnvironment(edit, folder, tools)),
    setPlugin: (name, on) => apply(setPlugin(edit, name, on)),
  };
}

/** Opens the managed config of this machine. If it was never readable, Baton denies everything, because it may forbid anything. */
export async function openManagedConfig(file: string, report: Report, changed: () => void, actions: readonly string[]): Promise<OpenFile> {
  const { again: _, ...open } = await openFile(file, report, changed, { layer: "managed", actions });
  return open;
}

/** Reads a config file, and again whenever it changes, one read at a time. If it becomes invalid, its last valid version stays in use. */
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
    stamp = fileStamp(file); // taken first, so that a change during the read counts as a new version
    loaded = await loadConfig(file, loaded, reading);
    changed();
  };
  const again = () => (read = read.catch(() => undefined).then(readNow)); // its own caller reported the earlier failure
  const close = watchFile(file, () => runInBackground(again(), report));
  return {
    now: () => loaded,
    refresh: () => (fileStamp(file) === stamp ? read : again()).catch(() => undefined), // the watcher reports errors
    again,
    close,
  };
}
