import type { AccessVerdict, SourcedRule, Rule, Resource } from "../protocol/rule.ts";
import { escapeInvisible } from "./sanitize.ts";

/** A rule as the user types it: `command git push *`. Quotes mean an exact text. */
export const ruleText = ({ action, resource }: Pick<Rule, "action" | "resource">): string =>
  `${action} ${escapeInvisible(typedResource(resource))}`;

/** Parses a rule that the user typed. Undefined if it is invalid. Returns `remember` itself if the user did not change its text. */
export function parseRule(typed: string, remember: Rule | undefined): Rule | undefined {
  if (remember && typed === ruleText(remember)) return remember;
  const [, action, resource] = /^(\S+)\s+(.+)$/s.exec(typed) ?? [];
  if (!action || !resource) return undefined;
  const quoted = /^"(.*)"$/s.exec(resource)?.[1];
  return { action, resource: quoted === undefined ? resource : { exact: quoted }, effect: "allow" };
}

/** True if a rule covers every resource of its action: its resource contains neither a letter nor a digit. */
export const coversAllResources = ({ action, resource }: Pick<Rule, "action" | "resource">): boolean =>
  action === "*" || (typeof resource === "string" && !/[\p{L}\p{N}]/u.test(resource.replace(/^\w+:\/\//, "")));

/** True for the rule that applies when no other rule matches. Its text says nothing that a user needs to see. */
export const isFallback = ({ action, resource }: SourcedRule): boolean => action === "*" && resource === "*";

/** A resource as text: a wildcard or an exact text unchanged, an expression between slashes. */
export function resourceText(resource: Resource): string {
  if (typeof resource === "string") return resource;
  return "exact" in resource ? resource.exact : `/${resource.regex}/`;
}

/** A resource as the user types it. An exact text is in quotes, so that it cannot be mistaken for a wildcard. */
export const typedResource = (resource: Resource): string =>
  typeof resource === "object" && "exact" in resource ? `"${resource.exact}"` : resourceText(resource);

/** The place of a rule. The configs of the user, of a project and of a managed machine have the same name, so the last two are distinguished. */
export function ruleOrigin({ layer, source }: Pick<SourcedRule, "layer" | "source">): string {
  if (!/^config\.jsonc:\d+$/.test(source)) return source;
  return layer === "project" ? `.baton/${source}` : layer === "managed" ? `managed ${source}` : source;
}

/** The source of the rule that asks about a reading command because the folder is not trusted. */
export const UNTRUSTED_FOLDER = "the folder is not trusted (`baton trust`)";

/** True if a call would not ask in a trusted folder: every access that asks does so for that reason alone. */
export function asksForTrust(verdicts: readonly AccessVerdict[]): boolean {
  const asking = verdicts.filter(({ effect }) => effect === "ask");
  return asking.length > 0 && asking.every(({ rule }) => rule?.source === UNTRUSTED_FOLDER);
}
