import type { PlacedRule, Rule } from "../protocol/rule.ts";
import { escapeInvisible } from "./sanitize.ts";
import { typedResource } from "./resource-text.ts";

/** A rule as it is typed: `command git push *`. Exactly one text stands in quotes. */
export const ruleText = ({ action, resource }: Pick<Rule, "action" | "resource">): string =>
  `${action} ${escapeInvisible(typedResource(resource))}`;

/** A typed rule, undefined when it is none. What was not changed stays what it was: exactly one text. */
export function parseRule(said: string, remember: Rule | undefined): Rule | undefined {
  if (remember && said === ruleText(remember)) return remember;
  const [, action, resource] = /^(\S+)\s+(.+)$/s.exec(said) ?? [];
  if (!action || !resource) return undefined;
  const quoted = /^"(.*)"$/s.exec(resource)?.[1];
  return { action, resource: quoted === undefined ? resource : { exact: quoted }, effect: "allow" };
}

/** Whether a rule covers all that its action can be done to: its resource names nothing. */
export const isWide = ({ action, resource }: Pick<Rule, "action" | "resource">): boolean =>
  action === "*" || (typeof resource === "string" && !/[\p{L}\p{N}]/u.test(resource.replace(/^\w+:\/\//, "")));

/** What everything falls back to has no telling name of its own. */
export const isFallback = ({ action, resource }: PlacedRule): boolean => action === "*" && resource === "*";
