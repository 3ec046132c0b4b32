import { Effect, type Rule } from "@baton/core/protocol/rule";
import type { ReadContext } from "../read-context.ts";
import type { MapNode, Node } from "../parse/syntax-node.ts";

/** What the categories mean in actions. */
const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  read: ["read"],
  edit: ["edit"],
  command: ["command"],
  mcp: ["mcp"],
  browser: ["browser", "fetch"],
  question: ["question"],
  subtask: ["new_task"],
};

/**
 * What is approved in this mode without asking, by category: the mode's first rules, so its own `permissions` say it more
 * exactly. A project file approves nothing.
 */
export function readAutoApprove({ entries }: MapNode, reading: ReadContext): Rule[] {
  return entries.flatMap(({ key, at, value }): Rule[] => {
    const actions = Object.hasOwn(CATEGORIES, key) ? CATEGORIES[key] : undefined;
    const effect = effectOf(value);
    if (!actions) reading.error(at, "unknown_group", `There is no category ${key}.`, `They are: ${Object.keys(CATEGORIES).join(", ")}.`);
    else if (!effect) reading.error(value.at, "bad_value", `autoApprove.${key} is allow, ask or deny.`, "Write one of them.");
    else if (effect === "allow" && reading.scope === "project")
      reading.warn(
        value.at,
        "project_cannot_grant",
        `A project file approves nothing by itself: ${key} asks.`,
        "Put it into your own config.",
      );
    else return actions.map((action) => ({ action, resource: "*", effect }));
    return [];
  });
}

/** true and false are what other programs write. */
function effectOf(node: Node): Effect | undefined {
  if (node.kind !== "scalar") return undefined;
  if (typeof node.value === "boolean") return node.value ? "allow" : "ask";
  return Effect.safeParse(node.value).data;
}
