import { readCharacterClass } from "./ignore-class.ts";

/** An RE2 expression for paths with `/` between their parts. `exact`: it covers what the pattern covers, neither more nor less. */
export type TranslatedPattern = { regex: string; exact: boolean };

/**
 * How a pattern of gitignore is taken. `below`: the folder it is relative to, `""` for that of the paths themselves, else a whole
 * path with `/` at its end. `wider`: what has no exact translation, or may be a folder or a file, covers more rather than less.
 */
export type TranslateOptions = { below: string; wider: boolean };

/**
 * A pattern of gitignore as an expression. One without a `/` before its end matches at any depth, one that names a folder
 * covers all that is in it. Undefined: it cannot be said, or where `wider` is not wanted, not exactly.
 */
export function translateIgnorePattern(given: string, { below, wider }: TranslateOptions): TranslatedPattern | undefined {
  const pattern = given.replace(/(?<!\\) +$/, "");
  if (/^[!#]/.test(pattern) || /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern)) return undefined;
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return undefined;
  const anchored = below !== "" || /\/./s.test(pattern);
  if (pattern.endsWith("/") && parts.at(-1) === "**") parts.push("*"); // folders at any depth
  const named = parts.filter((part, i) => part !== "**" || parts[i - 1] !== "**");
  const read = named.map((part, i) => (part === "**" ? { regex: i < named.length - 1 ? ANY_DEPTH : "", exact: true } : readPart(part)));
  const exact = read.every((each) => each.exact) && !pattern.includes("//");
  if (!exact && !wider) return undefined;
  const last = named.at(-1);
  const path = read.map(({ regex }, i) => (i < named.length - 1 && named[i] !== "**" ? `${regex}/` : regex)).join("");
  const end = last === undefined || last === "**" ? "" : pattern.endsWith("/") && !wider ? "/" : "(?:/|$)";
  // Paths that are not below a folder do not begin with a slash.
  const inside = path === "" && below === "" ? "[^/]" : "";
  return { regex: `^${escapeLiteral(below)}${anchored || last === undefined ? "" : ANY_DEPTH}${path}${end}${inside}`, exact };
}

const ANY_DEPTH = "(?:[^/]+/)*";

/** A text that an expression takes as it stands. */
export const escapeLiteral = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** What stands between two slashes. */
function readPart(part: string): TranslatedPattern {
  if (/^\*+$/.test(part)) return { regex: "[^/]+", exact: true };
  let regex = "";
  let exact = true;
  for (let i = 0; i < part.length; i++) {
    const letter = part.charAt(i);
    if (letter === "*") regex += regex.endsWith(SOME) ? "" : SOME;
    else if (letter === "?") regex += "[^/]";
    else if (letter === "\\") regex += escapeLiteral(part.charAt(++i));
    else if (letter === "[") {
      const found = readCharacterClass(part, i);
      exact &&= found.exact;
      regex += found.regex;
      i = found.end;
    } else regex += escapeLiteral(letter);
  }
  return { regex, exact };
}

const SOME = "[^/]*";
