import { userSelectable } from "@baton/core/mode/user-selectable";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import type { Mode } from "@baton/core/protocol/mode";
import type { OfferedTools } from "../../tool/offer-tools.ts";

/** A mode as the model sees it. `only`: the one tool that may name it, if it has several. */
export type NamedMode = { slug: string; use: string; only?: string };

/** Modes worth naming to a tool, regardless of rules: nobody stays in a mode for tasks, and coordination is no task. */
const naming: Readonly<Record<string, (to: Mode, from: Mode) => boolean>> = {
  switch_mode: (to, from) => to.slug !== from.slug && userSelectable(to),
  new_task: (to) => to.kind === "subagent" || (to.hidden !== true && !to.groups.includes("coordinator")),
};

/** Agents of other products describe themselves with whole dialogues. */
const MAX_USE = 500;

/** The modes that an agent may name with its tools, in list order, with their purposes. None without such a tool. */
export function offeredModes(mode: Mode, offered: readonly OfferedTools[], rules: RuleSet, all: readonly Mode[]): NamedMode[] {
  const tools = offered.map(({ tool }) => tool.name).filter((name) => Object.hasOwn(naming, name));
  return all.flatMap((to) => {
    const by = tools.filter(
      (tool) => naming[tool]?.(to, mode) && judge(rules, tool, [{ action: tool, resource: to.slug }]).effect !== "deny",
    );
    const [first] = by;
    if (first === undefined) return [];
    const use = (to.whenToUse.trim() || to.description).slice(0, MAX_USE);
    return [{ slug: to.slug, use, ...(by.length < tools.length ? { only: first } : {}) }];
  });
}
