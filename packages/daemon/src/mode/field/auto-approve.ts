import { Effect, type Rule } from "@baton/core/protocol/rule";
import { actionTable } from "@baton/core/tool/tool-table";
import type { ReadContext } from "../mode-read-context.ts";
import type { MapNode, ModeSyntaxNode } from "../parse/syntax-node.ts";

const CATEGORIES = [...new Set(actionTable.flatMap(({ autoApprove }) => autoApprove ?? []))];

/** The actions that a category of Roo Code covers. Empty for an unknown category. */
const actionsOf = (category: string): string[] => actionTable.filter(({ autoApprove }) => autoApprove === category).map(({ name }) => name);

/**
 * The actions that the mode approves without asking, by category. They become the mode's first rules, so `permissions` can refine them. A
 * project's file approves nothing.
 */
export function readAutoApprove({ entries }: MapNode, reading: ReadContext): Rule[] {
  return entries.flatMap(({ key, at, value }): Rule[] => {
    const actions = actionsOf(key);
    const effect = effectOf(value);
    if (actions.length === 0)
      reading.error(at, "unknown_group", `There is no category ${key}.`, `The categories are: ${CATEGORIES.join(", ")}.`);
    else if (!effect) reading.error(value.at, "bad_value", `autoApprove.${key} must be allow, ask or deny.`, "Write one of them.");
    else if (effect === "allow" && reading.scope === "project")
      reading.warn(
        value.at,
        "project_cannot_grant",
        `A project's file cannot approve anything, so ${key} asks.`,
        "Put it into your own config.",
      );
    else return actions.map((action) => ({ action, resource: "*", effect }));
    return [];
  });
}

/** Other programs write true and false. */
function effectOf(node: ModeSyntaxNode): Effect | undefined {
  if (node.kind !== "scalar") return undefined;
  if (typeof node.value === "boolean") return node.value ? "allow" : "ask";
  return Effect.safeParse(node.value).data;
}
