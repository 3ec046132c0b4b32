import type { Access, AccessVerdict, Effect, PlacedRule, Verdict } from "../protocol/rule.ts";
import { matchesResource, matchesWildcard } from "./wildcard.ts";

/**
 * All rules that hold for a call. `rules` are ordered low to high and the last match wins. In `ceilings` the last match
 * wins too, and what it says can only make the answer stricter.
 */
export type RuleSet = {
  rules: readonly PlacedRule[];
  ceilings: readonly PlacedRule[];
  /** While the person's own rules cannot be read, this denies what would otherwise ask. */
  insteadOfAsking?: PlacedRule | undefined;
};

/** An access with what its gate already says about it: a floor that no rule can go below. */
export type Gated = Access & { floor?: PlacedRule };

const strictness: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };

/**
 * What a call of `tool` that touches `accesses` may do. The strictest access decides; one without a matching rule asks;
 * a call that states no access asks.
 */
export function judge(ruleSet: RuleSet, tool: string, accesses: readonly Gated[]): Verdict {
  const verdicts = accesses.map((access) => judgeAccess(ruleSet, tool, access));
  const deciding = verdicts.reduce<AccessVerdict | undefined>(
    (strictest, verdict) => (strictest && strictness[strictest.effect] >= strictness[verdict.effect] ? strictest : verdict),
    undefined,
  );
  if (!deciding) return { effect: "ask", rule: null, accesses: [], why: `${tool} does not say what it touches, so it asks.` };
  return { effect: deciding.effect, rule: deciding.rule, accesses: verdicts, why: explain(deciding) };
}

/** Whether the last rule that can match `action` for any resource forbids all of it: such a tool is not offered. */
export function fullyDenied(ruleSet: RuleSet, action: string, tool: string): PlacedRule | undefined {
  const about = (rule: PlacedRule) => matchesAction(rule, action, tool);
  return [ruleSet.ceilings, ruleSet.rules]
    .map((rules) => rules.findLast(about))
    .find((last) => last?.effect === "deny" && last.resource === "*");
}

function judgeAccess(ruleSet: RuleSet, tool: string, access: Gated): AccessVerdict {
  const last = (rules: readonly PlacedRule[]) =>
    rules.findLast((rule) => matchesAction(rule, access.action, tool) && matchesResource(rule.resource, access.resource));
  const rule = last(ruleSet.rules) ?? null;
  const said: { effect: Effect; rule: PlacedRule | null } = { effect: rule?.effect ?? "ask", rule };
  // A person who allowed exactly this text has seen all of it, so a gate that only wanted it to be seen is content.
  const seen = rule?.effect === "allow" && typeof rule.resource !== "string" && access.floor?.effect === "ask";
  const limits = [last(ruleSet.ceilings), seen ? undefined : access.floor].filter((limit) => limit !== undefined);
  const held = limits.reduce(
    (now, limit) => (strictness[limit.effect] > strictness[now.effect] ? { effect: limit.effect, rule: limit } : now),
    said,
  );
  const settled = held.effect === "ask" && ruleSet.insteadOfAsking ? { effect: "deny" as const, rule: ruleSet.insteadOfAsking } : held;
  return { action: access.action, resource: access.resource, ...settled };
}

const matchesAction = (rule: PlacedRule, action: string, tool: string): boolean =>
  matchesWildcard(rule.action, action) || matchesWildcard(rule.action, tool);

/** `ask: command "git push *" (user, config.jsonc:14)`; one sentence for people. */
function explain({ action, resource, effect, rule }: AccessVerdict): string {
  const verb = { allow: "allowed", ask: "asks", deny: "denied" }[effect];
  if (!rule) return `${action} ${resource} ${verb}: no rule matches it.`;
  return `${action} ${resource} ${verb} by ${describeRule(rule)}.`;
}

/** `command "git push *" (user, config.jsonc:14)` */
export function describeRule(rule: PlacedRule): string {
  const resource = typeof rule.resource === "string" ? rule.resource : rule.resource.exact;
  return `${rule.action} "${resource}" (${rule.layer}, ${rule.source})`;
}
