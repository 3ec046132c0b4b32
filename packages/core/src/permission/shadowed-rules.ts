import type { SourcedRule } from "../protocol/rule.ts";
import { matchesResource, matchesWildcard } from "./wildcard.ts";

/** Rules that never decide, as a later one of the same list matches all that they match; with that one. */
export function shadowedRules(rules: readonly SourcedRule[]): { rule: SourcedRule; i: number; by: SourcedRule }[] {
  return rules.flatMap((rule, i) => {
    const by = rules.slice(i + 1).findLast((later) => covers(later, rule));
    return by ? [{ rule, i, by }] : [];
  });
}

/** Sure when it says yes: a wildcard is taken for a text that no other pattern could match by chance. */
function covers(later: SourcedRule, rule: SourcedRule): boolean {
  if (!matchesWildcard(later.action, opaque(rule.action))) return false;
  if (typeof later.resource === "object") return JSON.stringify(later.resource) === JSON.stringify(rule.resource);
  if (typeof rule.resource === "string") return later.resource === rule.resource || matchesResource(later.resource, opaque(rule.resource));
  return later.resource === "*" || ("exact" in rule.resource && matchesResource(later.resource, rule.resource.exact));
}

const opaque = (pattern: string): string => pattern.replaceAll("*", "\uE000\uE001").replaceAll("?", "\uE002");
