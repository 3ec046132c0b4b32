import { modeLimitReason } from "@baton/core/mode/mode-rules";
import type { GroupName } from "@baton/core/protocol/mode";
import { actionTable } from "@baton/core/tool/tool-table";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { describeRule, fullyDenied, judge, type RuleSet } from "@baton/core/permission/judge";
import type { Tool } from "./tool-types.ts";
import { defaultAvailability, withheldReason, type ToolAvailability } from "./tool-availability.ts";

export type OfferedTools = { tool: Tool; action: string; effect: Effect; rule: SourcedRule | null };
/** `byMode`: the mode lacks the tool; no rule or setting denies it. */
export type WithheldTool = { tool: Tool; reason: string; rule: SourcedRule | null; byMode: boolean };

/**
 * The tools that the rules and the availability leave, and the reasons why others are missing. Model requests, the judging of calls and
 * clients use the same result.
 */
export function offerTools(
  tools: Iterable<Tool>,
  rules: RuleSet,
  situation: ToolAvailability = defaultAvailability,
): { offered: OfferedTools[]; withheld: WithheldTool[] } {
  const offered: OfferedTools[] = [];
  const withheld: WithheldTool[] = [];
  for (const tool of tools) {
    const denied = deniedAction(rules, tool) ?? deniedResource(rules, tool);
    const reason = withheldReason(tool.name, situation) ?? tool.unavailable;
    if (reason !== undefined) withheld.push({ tool, rule: null, reason, byMode: false });
    else if (denied) withheld.push({ tool, rule: denied, reason: reasonOf(tool, denied), byMode: isModeLimit(denied) });
    else offered.push({ tool, action: tool.action, ...effectOfTool(rules, tool) });
  }
  return { offered, withheld };
}

/** The rule that denies everything that a tool does, or everything of a kind that it declares. */
function deniedAction(rules: RuleSet, { action, name, declared }: Tool): SourcedRule | undefined {
  for (const each of [action, ...(declared?.actions ?? [])]) {
    const denied = fullyDenied(rules, each, name);
    if (denied) return denied;
  }
  return undefined;
}

/** The rule that denies the only resource of a tool. Such a tool is not offered. */
function deniedResource(rules: RuleSet, { name, action, resource }: Tool): SourcedRule | undefined {
  if (resource === undefined) return undefined;
  const { effect, rule } = judge(rules, name, [{ action, resource }]);
  return effect === "deny" && rule ? rule : undefined;
}

/** The effect for the tool before the call is known. If only some resources are denied, the effect for the others. */
function effectOfTool(rules: RuleSet, tool: Tool): { effect: Effect; rule: SourcedRule | null } {
  const access = { action: tool.action, resource: tool.resource ?? "*" };
  const { effect, rule } = judge(rules, tool.name, [access]);
  if (effect !== "deny") return { effect, rule };
  const free = withoutDenies(rules);
  const inside = judge(free, tool.name, [access]);
  // A rule of the mode for some resources decides where the mode limits the tool to these.
  const own = inside.rule?.layer === "defaults" ? free.rules.findLast((own) => own.layer === "mode" && concernsTool(own, tool)) : undefined;
  return own ? { effect: own.effect, rule: own } : { effect: inside.effect, rule: inside.rule };
}

const concernsTool = ({ action }: SourcedRule, tool: Tool): boolean => action === tool.action || action === tool.name;

const withoutDenies = ({ rules, ceilings, ...rest }: RuleSet): RuleSet => {
  const free = (list: readonly SourcedRule[]) => list.filter(({ effect }) => effect !== "deny");
  return { ...rest, rules: free(rules), ceilings: ceilings.map(free) };
};

const isModeLimit = (rule: SourcedRule): boolean => rule.layer === "ceiling" && rule.source.startsWith("mode ");

const groupOfAction = (action: string): GroupName | undefined => actionTable.find(({ name }) => name === action)?.group;

const reasonOf = (tool: Tool, rule: SourcedRule): string =>
  (isModeLimit(rule) ? modeLimitReason(rule.source, tool.group ?? groupOfAction(rule.action)) : undefined) ??
  `denied by ${describeRule(rule)}`;
