import type { Effect, Resource } from "@baton/core/protocol/rule";
import { escapeLiteral, translateIgnorePattern } from "./ignore-pattern.ts";

/** Paths in our words, and what has to be told of them: `not`, it cannot be said at all; `wider`, it covers more here. */
export type PathResources = { resources: Resource[]; told?: "not" | "wider" };

/**
 * A path of a rule of Claude Code: `//x` is a whole path, `~/x` below the home, `/x` and `./x` below the project, the rest is as in
 * gitignore. What is denied or asked becomes wider rather than narrower, what is allowed the other way round. `home` is a whole path,
 * without a slash at its end.
 */
export function toPathResources(said: string, effect: Effect, home: string): PathResources {
  const wider = effect !== "allow";
  if (/^(?:\/\/)?\**$/.test(said) && wider) return { resources: ["*"] };
  const whole = said.startsWith("//") ? said.slice(1) : /^~(?:\/|$)/.test(said) ? `${home}${said.slice(1)}` : undefined;
  if (whole === undefined) return relative(said, wider);
  const below = said.startsWith("~") ? `${home}/` : "/";
  return plain(said.startsWith("~") ? said : whole, wider) ?? translated(whole.slice(below.length), below, wider);
}

function relative(said: string, wider: boolean): PathResources {
  const inProject = said.startsWith("./") ? said.slice(2) : said;
  // Whether `./x` means folders below as well is not said anywhere.
  const unclear = said.startsWith("./") && !/\/./s.test(inProject);
  const anchored = unclear && !wider ? `/${inProject}` : inProject;
  const isPlain = /\/./s.test(anchored) ? plain(anchored.replace(/^\//, ""), wider) : undefined;
  const found = isPlain ?? translated(anchored, "", wider);
  return found.told === undefined && unclear && wider ? { ...found, told: "wider" } : found;
}

/** Names that are the same in every syntax. */
const PLAIN = /^(?:~\/|\/)?[\w@%+=:,.-]+(?:\/[\w@%+=:,.-]+)*$/;

/** One without signs that mean something, as wildcards, which people can read: the thing itself, and what is in it. */
function plain(said: string, wider: boolean): PathResources | undefined {
  const name = said.replace(/\/(?:\*\*)?$/, "");
  if (!PLAIN.test(name) || name.split("/").some((part) => part === "." || part === "..")) return undefined;
  return { resources: said.endsWith("/**") || (said.endsWith("/") && !wider) ? [`${name}/*`] : [name, `${name}/*`] };
}

function translated(pattern: string, below: string, wider: boolean): PathResources {
  const found = translateIgnorePattern(pattern, { below, wider });
  if (!found) return { resources: [], told: "not" };
  return { resources: [{ regex: found.regex }], ...(found.exact ? {} : { told: "wider" }) };
}

/** A command: `git diff:*` covers whole words there too, and a question mark is one. */
export function toCommandResource(said: string): Resource {
  const wildcard = said.endsWith(":*") ? `${said.slice(0, -2)} *` : said;
  if (!wildcard.includes("?")) return wildcard;
  const body = wildcard.replace(/ \*$/, "").split("*").map(escapeLiteral).join(".*");
  return { regex: `(?s)^${body}${wildcard.endsWith(" *") ? "(?: .*)?" : ""}$` };
}

/** A host of `domain:x`, on any port where it is not allowed; `*` in it stands for no slash. */
export function toAddressResources(host: string, effect: Effect): Resource[] {
  if (host.includes("*")) return [{ regex: `^https?://${host.split("*").map(escapeLiteral).join("[^/]*")}(?::[0-9]+)?/` }];
  const usual = [`https://${host}/*`, `http://${host}/*`];
  return effect === "allow" ? usual : [...usual, `https://${host}:*`, `http://${host}:*`];
}
