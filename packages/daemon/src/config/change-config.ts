import type { Rule } from "@baton/core/protocol/rule";
import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { FORMAT, type ConfigEditor, type EditResult } from "./edit-jsonc.ts";
import type { McpServer } from "@baton/core/protocol/mcp";

/**
 * Puts rules before those of the config, so that the person's own have the last word. Comments stay. A config whose
 * permissions are written as a table is left alone.
 */
export const addRules = (edit: ConfigEditor, rules: readonly Rule[]): Promise<EditResult> =>
  edit((before) => {
    const root = parseTree(before, [], { allowTrailingComma: true });
    const there = root && findNodeAtLocation(root, ["permissions"]);
    if (!there) return applyEdits(before, modify(before, ["permissions"], rules, FORMAT));
    if (there.type !== "array") return undefined;
    const first = { ...FORMAT, isArrayInsertion: true };
    return rules.reduceRight((now, rule) => applyEdits(now, modify(now, ["permissions", 0], rule, first)), before);
  });

/** Puts servers into the config, or takes those out that are undefined. Comments stay. */
export function changeServers(edit: ConfigEditor, servers: Readonly<Record<string, McpServer | undefined>>): Promise<EditResult> {
  const put = (text: string, [name, server]: [string, McpServer | undefined]) =>
    applyEdits(text, modify(text, ["mcpServers", name], server, FORMAT));
  return edit((before) => Object.entries(servers).reduce(put, before));
}

/** Puts the toolset of a mode into the config, or takes it out when there is none. Comments stay. */
export function setModeToolset(edit: ConfigEditor, mode: string, toolset: string | undefined): Promise<EditResult> {
  return edit((before) => {
    const place = ["modes", mode, "toolset"];
    const root = parseTree(before, [], { allowTrailingComma: true });
    if (toolset === undefined && !(root && findNodeAtLocation(root, place))) return undefined;
    return applyEdits(before, modify(before, place, toolset, FORMAT));
  });
}
