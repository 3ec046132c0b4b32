import type { Resource } from "../protocol/rule.ts";

/** What a rule covers, as text: a wildcard or an exact text as it stands, an expression between slashes. */
export function resourceText(resource: Resource): string {
  if (typeof resource === "string") return resource;
  return "exact" in resource ? resource.exact : `/${resource.regex}/`;
}

/** The same as it is typed: exactly one text stands in quotes, so that it cannot pass for a wildcard. */
export const typedResource = (resource: Resource): string =>
  typeof resource === "object" && "exact" in resource ? `"${resource.exact}"` : resourceText(resource);
