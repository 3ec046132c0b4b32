import { PluginName } from "@baton/core/protocol/config/plugin";
import * as z from "zod";
import { issueText } from "../config/parse-language-servers.ts";
import { readJsonFile } from "./read-json-file.ts";
import { parsePluginSource, type PluginSource } from "./plugin-source.ts";
import { isWithinPlugin } from "./list-plugin-files.ts";

export const MARKETPLACE_FILE = ".claude-plugin/marketplace.json";

const Git = { ref: z.string().optional(), sha: z.string().optional() };
const Source = z.union([
  z.string(),
  z.looseObject({ source: z.literal("github"), repo: z.string(), ...Git }),
  z.looseObject({ source: z.literal("url"), url: z.string(), ...Git }),
  z.looseObject({ source: z.literal("git-subdir"), url: z.string(), path: z.string(), ...Git }),
  z.looseObject({ source: z.literal("npm"), package: z.string(), version: z.string().optional(), registry: z.string().optional() }),
]);
const Entry = z.looseObject({ name: PluginName, source: Source });
const Marketplace = z.looseObject({
  metadata: z.looseObject({ pluginRoot: z.string().optional() }).optional(),
  plugins: z.array(z.unknown()),
});

/** Where a listed plugin is: in a folder of the marketplace, or in another place, there perhaps in a folder. */
export type ListedSource = { folder: string } | { source: Exclude<PluginSource, { kind: "marketplace" }>; folder: string };

/** A plugin of a marketplace. `manifest`: the manifest of Claude Code that its entry stands for, for a plugin without one. */
type ListedPlugin = { place: ListedSource; manifest: Record<string, unknown> };

/** The fields of an entry that a manifest has as well. */
const OF_MANIFEST = ["name", "version", "description", "skills", "commands", "agents", "hooks", "mcpServers", "lspServers"];
const MAX_NAMED = 30;

/** Finds a plugin in the marketplace of a folder. Entries that are invalid are no plugins. */
export async function readMarketplace(root: string, name: string): Promise<ListedPlugin | { problem: string }> {
  const read = await readJsonFile(root, MARKETPLACE_FILE);
  if (!read) return { problem: `it has no ${MARKETPLACE_FILE}.` };
  if ("problem" in read) return read;
  const market = Marketplace.safeParse(read.value);
  if (!market.success) return { problem: `${MARKETPLACE_FILE} is invalid at ${issueText(market.error)}` };
  const { plugins, metadata } = market.data;
  const found = plugins.find((each) => nameIn(each) === name);
  if (found === undefined) return { problem: `it has no plugin ${name}. ${namesText(plugins)}` };
  const entry = Entry.safeParse(found);
  if (!entry.success) return { problem: `the entry of ${name} in ${MARKETPLACE_FILE} is invalid at ${issueText(entry.error)}` };
  const place = placeOf(entry.data.source, metadata?.pluginRoot);
  if ("problem" in place) return { problem: `the source of ${name} in ${MARKETPLACE_FILE} cannot be used: ${place.problem}` };
  return { place, manifest: Object.fromEntries(Object.entries(entry.data).filter(([key]) => OF_MANIFEST.includes(key))) };
}

/** The names of the plugins of a marketplace in a folder, as a sentence. Undefined if there is no marketplace. */
export async function marketplaceNames(root: string): Promise<string | undefined> {
  const read = await readJsonFile(root, MARKETPLACE_FILE);
  const market = read && "value" in read ? Marketplace.safeParse(read.value) : undefined;
  return market?.success ? namesText(market.data.plugins) : undefined;
}

function nameIn(entry: unknown): string | undefined {
  const { name } = typeof entry === "object" && entry !== null && "name" in entry ? entry : { name: undefined };
  return PluginName.safeParse(name).data;
}

function namesText(plugins: readonly unknown[]): string {
  const names = plugins.flatMap((entry) => nameIn(entry) ?? []);
  if (names.length === 0) return "It has no plugins.";
  return `Its plugins are: ${names.slice(0, MAX_NAMED).join(", ")}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ""}.`;
}

/** A plain name is a folder in `pluginRoot`. */
function placeOf(source: z.infer<typeof Source>, pluginRoot = "."): ListedSource | { problem: string } {
  if (typeof source === "string") {
    const folder = source.startsWith("./") || source === "." ? source : `${pluginRoot}/${source}`;
    return isWithinPlugin("", folder) ? { folder } : { problem: `${JSON.stringify(source)} is not a folder of the marketplace.` };
  }
  switch (source.source) {
    case "github":
      return elsewhere(`github:${source.repo}`, source);
    case "url":
      return elsewhere(source.url, source);
    case "git-subdir":
      if (!isWithinPlugin("", source.path)) return { problem: `${JSON.stringify(source.path)} is not a folder of the repository.` };
      return elsewhere(/^[\w.-]+\/[\w.-]+$/.test(source.url) ? `github:${source.url}` : source.url, source, source.path);
    case "npm":
      if (source.registry !== undefined)
        return { problem: "it names a registry. Set that in your .npmrc, and add the package by its name." };
      return elsewhere(`npm:${source.package}${source.version === undefined ? "" : `@${source.version}`}`, {});
  }
}

/** An exact commit counts more than a branch or a tag. */
function elsewhere(
  text: string,
  { ref, sha }: { ref?: string | undefined; sha?: string | undefined },
  folder = ".",
): ListedSource | { problem: string } {
  const at = sha ?? ref;
  const source = parsePluginSource(at === undefined ? text : `${text}#${at}`);
  if ("problem" in source) return source;
  if (source.kind !== "git" && source.kind !== "npm") return { problem: `${JSON.stringify(text)} is neither a repository nor a package.` };
  return { source, folder };
}
