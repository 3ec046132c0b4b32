import type { Resource } from "../protocol/rule.ts";
import { compileRegex, type Regex } from "./regex.ts";

/**
 * Whether `text` is covered by `pattern`: `*` is any run of characters (also `/` and none), `?` is exactly one,
 * a trailing ` *` also matches without arguments. Everything else is literal. Needs time in proportion to
 * pattern times text at the worst, never more.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (pattern === "*") return true;
  // As in .gitignore, a file that lies in no folder is one of them, too.
  if (pattern.startsWith("**/") && matchesWildcard(pattern.slice(3), text)) return true;
  return matchesWhole(pattern, text) || (pattern.endsWith(" *") && matchesWhole(pattern.slice(0, -2), text));
}

/** A resource matches as a wildcard; as `{exact}` only the very same text; as `{regex}` a text that holds a match. */
export function matchesResource(resource: Resource, text: string): boolean {
  if (typeof resource === "string") return matchesWildcard(resource, text);
  return "exact" in resource ? resource.exact === text : expressionOf(resource)(text);
}

const made = new Map<string, Regex>();
const MOST_MADE = 1_000;

/** Readers refuse what is no expression, so here it is a defect. */
function expressionOf({ regex }: { regex: string }): Regex {
  const known = made.get(regex);
  if (known) return known;
  const compiled = compileRegex(regex);
  if (typeof compiled !== "function") throw new Error(`${regex} is no regular expression: ${compiled.fault}`);
  if (made.size >= MOST_MADE) made.clear();
  made.set(regex, compiled);
  return compiled;
}

/** Greedy match that goes back to the last star only: a star that matched once never has to be tried again. */
function matchesWhole(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const wanted = pattern[p];
    if (wanted === "*") {
      star = p++;
      resume = t;
    } else if (wanted === "?" || wanted === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
