import type { Rule } from "@baton/core/protocol/rule";
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree, type Node } from "jsonc-parser";
import type { Config } from "../config-schema.ts";
import { JSONC_EDIT_OPTIONS, type ConfigEditor, type EditResult } from "./edit-jsonc.ts";
import { removeSetting } from "./remove-setting.ts";
import type { PluginSetting } from "@baton/core/protocol/config/plugin";
import type { McpServer } from "@baton/core/protocol/config/mcp";

/**
 * Inserts rules before the rules of the config, so that the user's own rules win. Comments remain. A config whose permissions are a table
 * is not changed.
 */
export const addRules = (edit: ConfigEditor, rules: readonly Rule[]): Promise<EditResult> =>
  edit((before) => {
    const root = parseTree(before, [], { allowTrailingComma: true });
    const there = root && findNodeAtLocation(root, ["permissions"]);
    if (!there) return applyEdits(before, modify(before, ["permissions"], rules, JSONC_EDIT_OPTIONS));
    if (there.type !== "array") return undefined;
    const first = { ...JSONC_EDIT_OPTIONS, isArrayInsertion: true };
    return rules.reduceRight((now, rule) => applyEdits(now, modify(now, ["permissions", 0], rule, first)), before);
  });

/**
 * Adds a rule after all rules of the config, so that it wins. In a table it is the last one of its action, and replaces the one for the same
 * resource. Comments remain. A table has no place for an exact text or an expression, so such a rule is not added there.
 */
export const appendRule = (edit: ConfigEditor, { action, resource, effect }: Rule): Promise<EditResult> =>
  edit((before) => {
    const root = parseTree(before, [], { allowTrailingComma: true });
    const there = root && findNodeAtLocation(root, ["permissions"]);
    const atEnd = { ...JSONC_EDIT_OPTIONS, getInsertionIndex: (names: readonly string[]) => names.length };
    const put = (text: string, location: string[], value: unknown) => applyEdits(text, modify(text, location, value, atEnd));
    if (!there) return put(before, ["permissions"], [{ action, resource, effect }]);
    if (there.type === "array") {
      const last = { ...JSONC_EDIT_OPTIONS, isArrayInsertion: true };
      return applyEdits(before, modify(before, ["permissions", there.children?.length ?? 0], { action, resource, effect }, last));
    }
    if (typeof resource !== "string") return undefined;
    const known = findNodeAtLocation(there, [action]);
    if (known && known.type !== "object")
      return put(before, ["permissions", action], { "*": getNodeValue(known) as unknown, [resource]: effect });
    const isThere = known !== undefined && findNodeAtLocation(known, [resource]) !== undefined;
    const without = isThere ? removeSetting(before, ["permissions", action, resource]) : before;
    return put(without, ["permissions", action, resource], effect);
  });

/** Adds servers to the config and removes those that are undefined. Comments remain. */
export function changeServers(edit: ConfigEditor, servers: Readonly<Record<string, McpServer | undefined>>): Promise<EditResult> {
  const put = (text: string, [name, server]: [string, McpServer | undefined]) =>
    applyEdits(text, modify(text, ["mcpServers", name], server, JSONC_EDIT_OPTIONS));
  return edit((before) => Object.entries(servers).reduce(put, before));
}

/** Sets whether a plugin is used, or in which modes. Undefined removes its entry, and the section with the last one. Comments remain. */
export function setPlugin(edit: ConfigEditor, name: string, on: PluginSetting | undefined): Promise<EditResult> {
  return edit((before) => {
    const location = ["plugins", name];
    if (on !== undefined) return applyEdits(before, modify(before, location, on, JSONC_EDIT_OPTIONS));
    const section = findNodeAtLocation(parseTree(before, [], { allowTrailingComma: true }) ?? NO_NODE, ["plugins"]);
    if (!section || !findNodeAtLocation(section, [name])) return undefined;
    return removeSetting(before, section.children?.length === 1 ? ["plugins"] : location);
  });
}

const NO_NODE: Node = { type: "null", offset: 0, length: 0 };

/** Sets or removes the toolset of a mode in the config. Comments remain. */
export function setModeToolset(edit: ConfigEditor, mode: string, toolset: string | undefined): Promise<EditResult> {
  return edit((before) => {
    const location = ["modes", mode, "toolset"];
    const root = parseTree(before, [], { allowTrailingComma: true });
    if (toolset === undefined && !(root && findNodeAtLocation(root, location))) return undefined;
    return applyEdits(before, modify(before, location, toolset, JSONC_EDIT_OPTIONS));
  });
}

/** Sets which tools give commands the environment of a folder. Undefined removes the entry. Comments remain. */
export function setEnvironment(
  edit: ConfigEditor,
  folder: string,
  tools: NonNullable<Config["environments"]>[string] | undefined,
): Promise<EditResult> {
  return edit((before) => {
    const location = ["environments", folder];
    if (tools !== undefined) return applyEdits(before, modify(before, location, tools, JSONC_EDIT_OPTIONS));
    const section = findNodeAtLocation(parseTree(before, [], { allowTrailingComma: true }) ?? NO_NODE, ["environments"]);
    if (!section || !findNodeAtLocation(section, [folder])) return undefined;
    return removeSetting(before, section.children?.length === 1 ? ["environments"] : location);
  });
}

/** A model server of the user: its name in model names, and its OpenAI-compatible address. */
export type LocalProvider = { name: string; baseUrl: string };

/** Adds a provider without a key, or changes its address. Comments remain. */
export const addLocalProvider = (edit: ConfigEditor, { name, baseUrl }: LocalProvider): Promise<EditResult> =>
  edit((before) => {
    const put = (text: string, key: string, value: string) =>
      applyEdits(text, modify(text, ["providers", name, key], value, JSONC_EDIT_OPTIONS));
    return put(put(before, "baseUrl", baseUrl), "kind", "openai-compatible");
  });
