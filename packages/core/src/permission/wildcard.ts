import type { Resource } from "../protocol/rule.ts";
import { compileRegex, type Regex } from "../text/regex.ts";
import { remembered } from "../text/remembered.ts";

/**
 * True if `text` matches `pattern`. `*` is any run of characters, `/` and none included; `?` is exactly one character; a trailing ` *`
 * also matches nothing. Everything else is literal. Takes at most the length of the pattern times the length of the text.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (pattern === "*" || pattern === text) return true;
  const start = pattern[0]; // most patterns begin with another program
  if (start !== text[0] && start !== "*" && start !== "?" && text !== "") return false;
  // As in .gitignore, a file at the top level matches as well.
  if (pattern.startsWith("**/") && matchesWildcard(pattern.slice(3), text)) return true;
  return matchesWhole(pattern, text) || (pattern.endsWith(" *") && matchesWhole(pattern.slice(0, -2), text));
}

/** Matches a string as a wildcard, `{exact}` as the whole text, and `{regex}` anywhere in the text. */
export function matchesResource(resource: Resource, text: string): boolean {
  if (typeof resource === "string") return matchesWildcard(resource, text);
  return "exact" in resource ? resource.exact === text : compiled(resource.regex)(text);
}

/** Compiles a regular expression once. The readers of rules reject invalid ones, so an error here is a defect. */
const compiled = remembered((regex): Regex => {
  const found = compileRegex(regex);
  if (typeof found !== "function") throw new Error(`${regex} is not a regular expression: ${found.fault}`);
  return found;
});

/** A greedy match that goes back only to the last star. A star that matched once never has to be tried again. */
function matchesWhole(pattern: string, text: string): boolean {
  const end = pattern[pattern.length - 1];
  if (end !== "*" && end !== "?" && end !== text[text.length - 1]) return false;
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const expected = pattern[p];
    if (expected === "*") {
      star = p++;
      resume = t;
    } else if (expected === "?" || expected === text[t]) {
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
