import type { ClaudeManifest, PluginManifest } from "./manifest.ts";
import { isWithinPlugin, type PluginFile } from "./list-plugin-files.ts";

/** The names of the files that hold the parts of a plugin. `inline`: whether Claude's manifest has the part itself. */
export type PluginPaths = {
  skills: string[];
  commands: string[];
  agents: string[];
  hooks: string[];
  servers: string[];
  languageServers: string[];
  notes: string[];
};

/** Parts of other programs that Baton does not have. */
const LEFT_OUT = ["bin/", "monitors/", "themes/", "output-styles/", "workflows/", "settings.json"];

/** Finds the parts of a plugin among its files. Agent Plugins have skills and servers in fixed places. Claude's manifest may name others. */
export function pluginPaths({ claude, agentPlugins }: PluginManifest, files: readonly PluginFile[]): PluginPaths {
  const names = new Set(files.map(({ name }) => name));
  const notes: string[] = [];
  const below = (folder: string) => [...names].filter((name) => name.startsWith(folder));
  const named = (key: keyof ClaudeManifest): string[] =>
    pathsOf(claude?.[key]).flatMap((written) => {
      const clean = written.replace(/^\.\//, "").replace(/\/+$/, "");
      if (!written.startsWith("./") || !isWithinPlugin("", written)) {
        notes.push(`${key}: ${JSON.stringify(written)} is not a path in the plugin that begins with ./, so it has no effect.`);
        return [];
      }
      const found = names.has(clean) ? [clean] : below(clean === "" || clean === "." ? "" : `${clean}/`);
      if (found.length === 0) notes.push(`${key}: there is no ${written} in the plugin.`);
      return found;
    });
  const skillsIn = (list: readonly string[]) => list.filter((name) => name.endsWith("/SKILL.md"));
  const pages = (list: readonly string[]) => list.filter((name) => name.endsWith(".md"));
  const fixed = (name: string, isThere = true) => (isThere && names.has(name) ? [name] : []);
  const isClaude = claude !== undefined;
  const skills = [...below("skills/").filter((name) => /^skills\/[^/]+\/SKILL\.md$/.test(name)), ...skillsIn(named("skills"))];
  const commands = !isClaude ? [] : claude.commands === undefined ? pages(below("commands/")) : pages(named("commands"));
  const agents = !isClaude ? [] : claude.agents === undefined ? pages(below("agents/")) : pages(named("agents"));
  if (isClaude) for (const part of LEFT_OUT) if (names.has(part) || below(part).length > 0) notes.push(`${part} has no effect in Baton.`);
  if (isClaude && names.has("SKILL.md") && skills.length === 0)
    notes.push("SKILL.md at the top has no effect. Move it to skills/NAME/SKILL.md.");
  return {
    skills: unique(skills),
    commands: unique(commands),
    agents: unique(agents),
    hooks: unique([...fixed("hooks/hooks.json", isClaude), ...named("hooks")]),
    servers: unique([...fixed("mcp.json", agentPlugins), ...fixed(".mcp.json", isClaude), ...named("mcpServers")]),
    languageServers: unique([...fixed(".lsp.json", isClaude), ...named("lspServers")]),
    notes,
  };
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];

/** The paths in a field of the manifest. An object in their place defines the part itself. */
const pathsOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
};
