import { readFileSync } from "node:fs";
import path from "node:path";
import { fileStamp } from "../config/watch-file.ts";
import type { HookFile } from "./hook-definition.ts";
import { parseHooks, type ParsedHooks } from "./parse-hooks.ts";

/** The folders in which files with hooks are. `managed` and `user` are Baton's own configs. */
export type HookFolders = { managed: string; user: string; home: string };

/** The agents whose files are read as well. */
export type HookSourceName = "claude" | "codex";

/** The files of a workspace, strongest layer first. `project`: the folder of a trusted project. */
export function hookFiles({ managed, user, home }: HookFolders, project: string | undefined, from: readonly HookSourceName[]): HookFile[] {
  const own = (file: string, layer: HookFile["layer"], label = path.basename(file)): HookFile => ({
    path: file,
    label,
    layer,
    dialect: "claude",
  });
  const claude = (file: string, layer: HookFile["layer"], label: string): HookFile => ({ path: file, label, layer, dialect: "claude" });
  const codex = (file: string, layer: HookFile["layer"], label: string): HookFile => ({ path: file, label, layer, dialect: "codex" });
  const inHome = (...names: string[]) => path.join(home, ...names);
  const inProject = (...names: string[]) => path.join(project ?? "", ...names);
  return [
    own(managed, "managed"),
    own(user, "user"),
    ...(from.includes("claude") ? [claude(inHome(".claude", "settings.json"), "user", "~/.claude/settings.json")] : []),
    ...(from.includes("codex") ? [codex(inHome(".codex", "hooks.json"), "user", "~/.codex/hooks.json")] : []),
    ...(project === undefined
      ? []
      : [
          own(inProject(".baton", "config.jsonc"), "project", ".baton/config.jsonc"),
          ...(from.includes("claude")
            ? ["settings.json", "settings.local.json"].map((name) => claude(inProject(".claude", name), "project", `.claude/${name}`))
            : []),
          ...(from.includes("codex") ? [codex(inProject(".codex", "hooks.json"), "project", ".codex/hooks.json")] : []),
        ]),
  ];
}

/** Whether a file is in the format of another agent, so that its unknown events are no mistake. */
const isForeignFile = ({ path: file, root }: HookFile): boolean => root !== undefined || !file.endsWith(".jsonc");

/** A file that cannot be read, such as one that nests too deeply, has an error, because it may define guards. */
function parseFile(file: HookFile): ParsedHooks {
  try {
    return parseHooks(readFileSync(file.path, "utf8"), file, isForeignFile(file));
  } catch (error) {
    const message = `The file cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
    return { hooks: [], problems: [{ file: file.label, line: 1, severity: "error", message }] };
  }
}

const nothing: ParsedHooks = { hooks: [], problems: [] };

/** Reads files with hooks, each again when it has changed. */
export function openHookReader(): (file: HookFile) => ParsedHooks {
  const known = new Map<string, { stamp: string; parsed: ParsedHooks }>();
  return (file) => {
    const stamp = fileStamp(file.path);
    if (stamp === undefined) return nothing;
    const key = `${file.path} ${file.layer} ${file.root ?? ""}`;
    const before = known.get(key);
    if (before?.stamp === stamp) return before.parsed;
    const parsed = parseFile(file);
    known.set(key, { stamp, parsed });
    return parsed;
  };
}
