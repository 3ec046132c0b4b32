import type { Effect, Resource } from "@baton/core/protocol/rule";
import { escapeLiteral, translateIgnorePattern } from "@baton/core/text/glob-pattern";

/** Resources of Baton's rules. `not`: the path cannot be expressed. `wider`: the resources cover more than the path. */
export type PathResources = { resources: Resource[]; inexact?: "not" | "wider" };

/**
 * Translates a path in a rule of Claude Code. `//x` is an absolute path, `~/x` is below the home, `/x` and `./x` are below the project, and
 * anything else is a gitignore pattern. Without an exact translation a deny or ask becomes wider, and an allow narrower. `home` is an
 * absolute path without a slash at its end.
 */
export function toPathResources(pattern: string, effect: Effect, home: string): PathResources {
  const wider = effect !== "allow";
  if (/^(?:\/\/)?\**$/.test(pattern) && wider) return { resources: ["*"] };
  const whole = absolutePath(pattern, home);
  if (whole === undefined) return relative(pattern, wider);
  const below = pattern.startsWith("~") ? `${home}/` : "/";
  return asWildcards(pattern.startsWith("~") ? pattern : whole, wider) ?? translated(whole.slice(below.length), below, wider);
}

function relative(pattern: string, wider: boolean): PathResources {
  const inProject = pattern.startsWith("./") ? pattern.slice(2) : pattern;
  // Claude Code's documentation does not say whether `./x` also means folders below.
  const unclear = pattern.startsWith("./") && !/\/./s.test(inProject);
  const anchored = unclear && !wider ? `/${inProject}` : inProject;
  const isPlain = /\/./s.test(anchored) ? asWildcards(anchored.replace(/^\//, ""), wider) : undefined;
  const found = isPlain ?? translated(anchored, "", wider);
  return found.inexact === undefined && unclear && wider ? { ...found, inexact: "wider" } : found;
}

function absolutePath(pattern: string, home: string): string | undefined {
  if (pattern.startsWith("//")) return pattern.slice(1);
  return /^~(?:\/|$)/.test(pattern) ? `${home}${pattern.slice(1)}` : undefined;
}

/** Names that mean the same in every syntax. */
const PLAIN = /^(?:~\/|\/)?[\w@%+=:,.-]+(?:\/[\w@%+=:,.-]+)*$/;

/** A path without special characters as wildcards, which users can read: the path itself and everything below it. */
function asWildcards(pattern: string, wider: boolean): PathResources | undefined {
  const name = pattern.replace(/\/(?:\*\*)?$/, "");
  if (!PLAIN.test(name) || name.split("/").some((part) => part === "." || part === "..")) return undefined;
  return { resources: pattern.endsWith("/**") || (pattern.endsWith("/") && !wider) ? [`${name}/*`] : [name, `${name}/*`] };
}

function translated(pattern: string, below: string, wider: boolean): PathResources {
  const found = translateIgnorePattern(pattern, { below, wider });
  if (!found) return { resources: [], inexact: "not" };
  return { resources: [{ regex: found.regex }], ...(found.exact ? {} : { inexact: "wider" }) };
}

/** A command. `git diff:*` covers whole words, and a question mark is literal. */
export function toCommandResource(pattern: string): Resource {
  const wildcard = pattern.endsWith(":*") ? `${pattern.slice(0, -2)} *` : pattern;
  if (!wildcard.includes("?")) return wildcard;
  const body = wildcard.replace(/ \*$/, "").split("*").map(escapeLiteral).join(".*");
  return { regex: `(?s)^${body}${wildcard.endsWith(" *") ? "(?: .*)?" : ""}$` };
}

/** The host of `domain:x`. A deny or ask covers every port. A `*` matches anything but a slash. */
export function toAddressResources(host: string, effect: Effect): Resource[] {
  if (host.includes("*")) return [{ regex: `^https?://${host.split("*").map(escapeLiteral).join("[^/]*")}(?::[0-9]+)?/` }];
  const usual = [`https://${host}/*`, `http://${host}/*`];
  return effect === "allow" ? usual : [...usual, `https://${host}:*`, `http://${host}:*`];
}
