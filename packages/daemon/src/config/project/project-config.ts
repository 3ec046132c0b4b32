import { readFileSync } from "node:fs";
import path from "node:path";
import { parseConfig, type ConfigDiagnostic, type LoadedConfig } from "../load-config.ts";
import type { SourcedRule } from "@baton/core/protocol/rule";
import type { Config } from "../config-schema.ts";
import { fileStamp } from "../watch-file.ts";

/** The sections of a project's config: they can only restrict the agent, choose the default mode, name checks, or ask for plugins that the user approved. */
export const projectSections: ReadonlySet<string> = new Set([
  "permissions",
  "disabledTools",
  "limits",
  "defaultMode",
  "network",
  "hooks",
  "plugins",
  "checks",
]);

type Known = { stamp: string; loaded: LoadedConfig };

/** The configs of workspaces, `.baton/config.jsonc`. */
export type ProjectConfigs = {
  /** The current config. It is read again when the file has changed. */
  of: (workspace: string) => LoadedConfig;
  /** The problems of the configs that have been read. */
  diagnostics: () => ConfigDiagnostic[];
};

const none: LoadedConfig = { file: "config.jsonc", config: {}, rules: [], diagnostics: [], lines: {} };

export function openProjectConfigs(actions: readonly string[]): ProjectConfigs {
  const known = new Map<string, Known>();
  const of = (workspace: string): LoadedConfig => {
    const file = path.join(workspace, ".baton", "config.jsonc");
    const stamp = fileStamp(file);
    if (stamp === undefined) {
      known.delete(workspace);
      return none;
    }
    const before = known.get(workspace);
    if (before?.stamp === stamp) return before.loaded;
    const loaded = onlyRestrictions(parseConfig(readFileSync(file, "utf8"), file, before?.loaded, { layer: "project", actions }), file);
    known.set(workspace, { stamp, loaded });
    return loaded;
  };
  return { of, diagnostics: () => [...known.values()].flatMap(({ loaded }) => loaded.diagnostics) };
}

function onlyRestrictions(loaded: LoadedConfig, file: string): LoadedConfig {
  const entries = Object.entries(loaded.config) as [keyof Config, unknown][];
  const refused = entries.filter(([name]) => !projectSections.has(name));
  const refusalDiagnostics = refused.map(([name]): ConfigDiagnostic => ({
    file,
    line: loaded.lines[name] ?? 1,
    column: 1,
    severity: "warning",
    message: `"${name}" only has an effect in your own config. A project can only add restrictions.`,
  }));
  const config: Config = Object.fromEntries(entries.filter(([name]) => projectSections.has(name)));
  const { insteadOfAsking, ...rest } = loaded;
  const rules = insteadOfAsking ? unread(insteadOfAsking.source) : loaded.rules;
  return { ...rest, rules, config, diagnostics: [...loaded.diagnostics, ...refusalDiagnostics] };
}

/** The rules while a project's config cannot be read: everything beyond the session asks. */
const unread = (source: string): SourcedRule[] =>
  [["*", "ask"] as const, ["session", "allow"] as const, ["question", "allow"] as const].map(([action, effect]) => ({
    action,
    resource: "*",
    effect,
    layer: "project",
    source,
  }));
