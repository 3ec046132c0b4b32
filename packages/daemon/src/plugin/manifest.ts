import { PluginName } from "@baton/core/protocol/config/plugin";
import * as z from "zod";
import { issueText } from "../config/parse-language-servers.ts";
import { readJsonFile } from "./read-json-file.ts";
import { marketplaceNames } from "./marketplace.ts";

export const PLUGIN_SCHEMA_URL = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

const AgentManifest = z.strictObject({
  $schema: z.literal(PLUGIN_SCHEMA_URL),
  name: PluginName,
  version: z.string().optional(),
  description: z.string().optional(),
  author: z.strictObject({ name: z.string().optional(), email: z.string().optional(), url: z.string().optional() }).optional(),
  homepage: z.string().optional(),
  repository: z.string().optional(),
  license: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});

const Paths = z.union([z.string(), z.array(z.string())]);
const ClaudeManifest = z.looseObject({
  name: PluginName,
  version: z.string().optional(),
  description: z.string().optional(),
  skills: Paths.optional(),
  commands: Paths.optional(),
  agents: Paths.optional(),
  hooks: z.union([Paths, z.record(z.string(), z.unknown())]).optional(),
  mcpServers: z.union([Paths, z.record(z.string(), z.unknown())]).optional(),
  lspServers: z.union([Paths, z.record(z.string(), z.unknown())]).optional(),
});
export type ClaudeManifest = z.infer<typeof ClaudeManifest>;

/** Fields of Claude's manifest that have a meaning there and none in Baton. */
const CLAUDE_ONLY = ["outputStyles", "themes", "monitors", "experimental", "userConfig", "channels", "settings", "dependencies"];

/**
 * The manifest of a plugin. `agentPlugins`: it follows Agent Plugins 1.0. `claude`: it has a manifest of Claude Code. A plugin may have both.
 * `notes`: the parts of it that have no effect.
 */
export type PluginManifest = {
  name: string;
  version: string | undefined;
  description: string;
  agentPlugins: boolean;
  claude: ClaudeManifest | undefined;
  notes: string[];
};

export const CLAUDE_FILE = ".claude-plugin/plugin.json";

/** Reads the manifest of a folder. A manifest of an unknown version or with an invalid field makes the folder no plugin. */
export async function readManifest(root: string): Promise<PluginManifest | { problem: string }> {
  const [portable, claude] = [await readJsonFile(root, "plugin.json"), await readJsonFile(root, CLAUDE_FILE)];
  if (portable === undefined && claude === undefined) {
    const names = await marketplaceNames(root);
    if (names !== undefined) return { problem: `it is a marketplace. Add one of its plugins as NAME@SOURCE. ${names}` };
    return { problem: `it has neither plugin.json (Agent Plugins) nor ${CLAUDE_FILE} (Claude Code).` };
  }
  for (const read of [portable, claude]) if (read && "problem" in read) return read;
  const notes: string[] = [];
  const own = claude && "value" in claude ? ClaudeManifest.safeParse(claude.value) : undefined;
  if (own?.error) return { problem: `${CLAUDE_FILE} is invalid at ${issueText(own.error)}` };
  const theirs = portable && "value" in portable ? portable.value : undefined;
  const isPortable = theirs !== undefined && (own === undefined || hasSchema(theirs));
  const manifest = isPortable ? readPortable(theirs, notes) : undefined;
  if (manifest && "problem" in manifest) return manifest;
  if (theirs !== undefined && !isPortable)
    notes.push("plugin.json has no $schema of Agent Plugins, so Baton reads only Claude's manifest.");
  const named = manifest ?? own?.data;
  if (!named) return { problem: "its manifest is empty." };
  if (manifest && own?.data && own.data.name !== manifest.name)
    return { problem: `plugin.json names it ${manifest.name} and ${CLAUDE_FILE} names it ${own.data.name}.` };
  for (const key of Object.keys(own?.data ?? {}))
    if (CLAUDE_ONLY.includes(key)) notes.push(`${CLAUDE_FILE}: ${key} has no effect in Baton.`);
  const { name, version, description = "" } = named;
  return { name, version, description, agentPlugins: manifest !== undefined, claude: own?.data, notes };
}

const hasSchema = (value: unknown): boolean => typeof value === "object" && value !== null && "$schema" in value;

/** Unknown fields and extensions of the wrong type are reported and ignored. Every other fault is fatal. */
function readPortable(value: unknown, notes: string[]): z.infer<typeof AgentManifest> | { problem: string } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "plugin.json is not a JSON object." };
  const fields: Record<string, unknown> = { ...value };
  for (const key of Object.keys(fields)) {
    const isWrong = key === "extensions" && (typeof fields[key] !== "object" || fields[key] === null || Array.isArray(fields[key]));
    if (Object.hasOwn(AgentManifest.shape, key) && !isWrong) continue;
    notes.push(
      isWrong
        ? "plugin.json: extensions is not an object, so it has no effect."
        : `plugin.json: the field ${JSON.stringify(key)} is unknown and has no effect.`,
    );
    delete fields[key];
  }
  if (fields["$schema"] !== PLUGIN_SCHEMA_URL)
    return { problem: `plugin.json has the $schema ${JSON.stringify(fields["$schema"])}. Baton knows only ${PLUGIN_SCHEMA_URL}.` };
  const parsed = AgentManifest.safeParse(fields);
  return parsed.success ? parsed.data : { problem: `plugin.json is invalid at ${issueText(parsed.error)}` };
}
