import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Group } from "@baton/core/protocol/mode";
import type { PluginItem } from "@baton/core/protocol/config/plugin";
import { shellQuoted } from "../mcp/server-definition.ts";
import type { HookFile } from "../hook/hook-definition.ts";
import { parseHooks } from "../hook/parse-hooks.ts";
import { headerText } from "../instructions/open-skill-library.ts";
import { CLAUDE_FILE, readManifest, type PluginManifest } from "./manifest.ts";
import type { PluginLanguageServer } from "./plugin-language-servers.ts";
import { readPluginMode, type PluginMode } from "./plugin-modes.ts";
import { pluginPaths } from "./plugin-paths.ts";
import { readServerFiles, envAssignments } from "./read-server-files.ts";
import type { PluginFolders, PluginServer } from "./plugin-servers.ts";
import type { PluginFile } from "./list-plugin-files.ts";

/** A plugin in a folder, ready for the loaders. Skills and commands by name. `notes`: the parts that have no effect, and why. */
export type PluginParts = {
  manifest: PluginManifest;
  folders: PluginFolders;
  skills: readonly { name: string; file: string }[];
  commands: readonly { name: string; file: string }[];
  modes: readonly PluginMode[];
  hookFiles: readonly HookFile[];
  servers: Readonly<Record<string, PluginServer>>;
  languageServers: Readonly<Record<string, PluginLanguageServer>>;
  items: readonly PluginItem[];
  notes: readonly string[];
};

/** Reads a plugin. `folders.root` has `files`. Runs nothing of it. */
export async function readPlugin(folders: PluginFolders, files: readonly PluginFile[]): Promise<PluginParts | { problem: string }> {
  const { root } = folders;
  const manifest = await readManifest(root);
  if ("problem" in manifest) return manifest;
  const { name: plugin, claude } = manifest;
  const paths = pluginPaths(manifest, files);
  const notes = [...manifest.notes, ...paths.notes];
  const items: PluginItem[] = [];
  const at = (name: string) => path.join(root, ...name.split("/"));
  const textOf = (name: string) => readFile(at(name), "utf8");

  const named = (list: readonly string[], nameOf: (file: string) => string) =>
    list.flatMap((file) => {
      const name = nameOf(file);
      if (PART_NAME.test(name)) return [{ name, file }];
      notes.push(`${JSON.stringify(file)} has no effect, because its name has other characters than letters, digits and . _ -`);
      return [];
    });
  const skills = named(paths.skills, (file) => path.posix.basename(path.posix.dirname(file)));
  const commands = named(paths.commands, (file) => path.posix.basename(file, ".md"));
  for (const [kind, list] of [
    ["skill", skills],
    ["command", commands],
  ] as const)
    for (const { name, file } of list)
      items.push({ kind, name: `${plugin}:${name}`, detail: (await headerText(await textOf(file), "description")) ?? "", file });

  const agents = await Promise.all(paths.agents.map(async (name) => ({ file: at(name), name, text: await textOf(name), plugin })));
  const siblings = new Set(agents.map(({ name }) => path.posix.basename(name, ".md")));
  const modes: PluginMode[] = [];
  for (const agent of agents) {
    const read = await readPluginMode({ ...agent }, siblings);
    notes.push(...read.notes);
    for (const found of read.modes.filter(({ mode }) => modes.every((other) => other.mode.slug !== mode.slug))) {
      modes.push(found);
      const groups = found.mode.groups.map(groupText);
      items.push({ kind: "mode", name: found.mode.slug, detail: `may use ${groups.join(", ") || "nothing"}`, file: agent.name });
    }
  }

  const inlineHooks = typeof claude?.hooks === "object" && !Array.isArray(claude.hooks) ? [CLAUDE_FILE] : [];
  const hookFiles = [...paths.hooks, ...inlineHooks].map((name): HookFile => ({
    path: at(name),
    label: `plugin ${plugin}, ${name}`,
    layer: "project",
    dialect: "claude",
    root,
  }));
  for (const [i, file] of hookFiles.entries()) {
    const name = [...paths.hooks, ...inlineHooks][i] ?? "";
    const { hooks, problems } = parseHooks(await textOf(name), file, true);
    notes.push(...problems.map(({ line, message }) => `${name}:${line}: ${message}`));
    for (const { event, matcher = "", launch } of hooks) {
      const run =
        launch.type === "http"
          ? ["POST", launch.url, ...envAssignments(launch.headers)].join(" ")
          : [launch.command, ...(launch.args ?? []).map(shellQuoted)].join(" ");
      items.push({ kind: "hook", name: [event, matcher].filter(Boolean).join(" "), detail: run, file: name });
    }
  }

  const { servers, languageServers, ...found } = await readServerFiles(manifest, paths, folders);
  items.push(...found.items);
  notes.push(...found.notes);
  return { manifest, folders, skills, commands, modes, hookFiles, servers, languageServers, items, notes };
}

/** A group of tools with its limits, such as `read (tools: read_file)`. */
function groupText(group: Group): string {
  if (typeof group === "string") return group;
  const { name, description: _, ...limits } = group;
  return `${name} (${Object.entries(limits)
    .map(([limit, value]) => `${limit}: ${String(value)}`)
    .join(", ")})`;
}

/** The names of skills and commands are part of prompts and lists, so they are one plain word. */
const PART_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u;
