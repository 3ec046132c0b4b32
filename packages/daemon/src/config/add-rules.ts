import type { Rule } from "@baton/core/protocol/rule";
import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { FORMAT, type ConfigEditor, type EditResult } from "./edit-jsonc.ts";

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
