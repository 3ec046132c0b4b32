import type { PlacedRule, Rule, Resource } from "../protocol/rule.ts";
import { escapeInvisible } from "./sanitize.ts";

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

/** What a rule covers, as text: a wildcard or an exact text as it stands, an expression between slashes. */
export function resourceText(resource: Resource): string {
  if (typeof resource === "string") return resource;
  return "exact" in resource ? resource.exact : `/${resource.regex}/`;
}

/** The same as it is typed: exactly one text stands in quotes, so that it cannot pass for a wildcard. */
export const typedResource = (resource: Resource): string =>
  typeof resource === "object" && "exact" in resource ? `"${resource.exact}"` : resourceText(resource);
