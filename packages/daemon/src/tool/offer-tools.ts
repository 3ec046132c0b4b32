import type { GroupName } from "@baton/core/protocol/mode";
import type { Effect, PlacedRule } from "@baton/core/protocol/rule";
import { describeRule, fullyDenied, judge, type RuleSet } from "@baton/core/permission/judge";
import type { Tool } from "./tool-types.ts";
import { defaultAvailability, withheldReason, type ToolAvailability } from "./tool-availability.ts";

export type OfferedTools = { tool: Tool; action: string; effect: Effect; rule: PlacedRule | null };
/** `byMode`: it is the mode that lacks the tool, no rule or setting of anyone. */
export type WithheldTool = { tool: Tool; reason: string; rule: PlacedRule | null; byMode: boolean };

/**
 * Which tools these rules and this situation leave, and why not the others. The same answer serves the model's request, the judging of a
 * call and the screen.
 */
export function offerTools(
  tools: Iterable<Tool>,
  rules: RuleSet,
  situation: ToolAvailability = defaultAvailability,
): { offered: OfferedTools[]; withheld: WithheldTool[] } {
  const offered: OfferedTools[] = [];
  const withheld: WithheldTool[] = [];
  for (const tool of tools) {
    const denied = fullyDenied(rules, tool.action, tool.name) ?? deniedThing(rules, tool);
    const reason = withheldReason(tool.name, situation);
    if (reason !== undefined) withheld.push({ tool, rule: null, reason, byMode: false });
    else if (denied) withheld.push({ tool, rule: denied, reason: reasonOf(tool, denied), byMode: isOfMode(denied) });
    else offered.push({ tool, action: tool.action, ...standing(rules, tool) });
  }
  return { offered, withheld };
}

/** A tool that always touches the same thing is not there where that thing is denied. */
function deniedThing(rules: RuleSet, { name, action, resource }: Tool): PlacedRule | undefined {
  if (resource === undefined) return undefined;
  const { effect, rule } = judge(rules, name, [{ action, resource }]);
  return effect === "deny" && rule ? rule : undefined;
}

/** What holds for the tool as long as nothing more is known of the call: where its use is limited, what holds inside the limits. */
function standing(rules: RuleSet, tool: Tool): { effect: Effect; rule: PlacedRule | null } {
  const access = { action: tool.action, resource: tool.resource ?? "*" };
  const { effect, rule } = judge(rules, tool.name, [access]);
  if (effect !== "deny") return { effect, rule };
  const inside = judge(withoutDenies(rules), tool.name, [access]);
  return { effect: inside.effect, rule: inside.rule };
}

const withoutDenies = ({ rules, ceilings, ...rest }: RuleSet): RuleSet => {
  const free = (list: readonly PlacedRule[]) => list.filter(({ effect }) => effect !== "deny");
  return { ...rest, rules: free(rules), ceilings: ceilings.map(free) };
};

const isOfMode = (rule: PlacedRule): boolean => rule.layer === "ceiling" && rule.source.startsWith("mode ");

const reasonOf = (tool: Tool, rule: PlacedRule): string =>
  isOfMode(rule) ? `${rule.source.slice("mode ".length)} has no ${groupTitle(tool.group)} tools` : `denied by ${describeRule(rule)}`;

const groupTitle = (group: GroupName | undefined) => group ?? "such";
