import { isCatastrophic } from "@baton/core/permission/catastrophic";
import { compileExpression } from "@baton/core/permission/expression";
import type { Reading } from "../reading.ts";

/** Letters that only an escape of double-quoted YAML makes: `"\b"` is a backspace there, `"\f"` a form feed. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;

/** Holds an expression against what can be matched in linear time; undefined when it is none. */
export function readExpression({ at, text }: { at: number; text: string }, reading: Reading): string | undefined {
  if (ESCAPED.test(text)) {
    reading.error(
      at,
      "bad_escape",
      `${JSON.stringify(text)} holds a control character: in double quotes YAML made it of an escape.`,
      "Use single quotes, in which a backslash stands for itself.",
    );
    return undefined;
  }
  const compiled = compileExpression(text);
  if (typeof compiled !== "function") {
    reading.error(at, "bad_regex", `'${text}' is no regular expression: ${compiled.fault}.`, compiled.fix);
    return undefined;
  }
  if (isCatastrophic(text))
    reading.warn(
      at,
      "unsafe_regex",
      `'${text}' repeats what itself repeats. Here it is matched in linear time; another program that reads this file may hang on it.`,
      "Leave out the inner or the outer repetition.",
    );
  return text;
}

/**
 * A file limit. One that says what must not follow, `^src/(?!A)B`, is narrowed to what matches `^src/B` and not `^src/A`,
 * and can be matched in linear time like that.
 */
export function readFileLimit(given: { at: number; text: string }, reading: Reading): { fileRegex: string; deny?: string } | undefined {
  const [without, rest] = withoutLookahead(given.text);
  const fileRegex = readExpression({ at: given.at, text: rest }, reading);
  if (without.length === 0) return fileRegex === undefined ? undefined : { fileRegex };
  const deny = readExpression({ at: given.at, text: without.join("|") }, reading);
  return fileRegex === undefined || deny === undefined ? undefined : { fileRegex, deny };
}

/** What the negative lookaheads of an expression rule out, and the expression without them. Alternatives are left as they are. */
function withoutLookahead(pattern: string): [string[], string] {
  const without: string[] = [];
  let rest = pattern;
  for (let at = lookaheadIn(rest); at !== undefined; at = lookaheadIn(rest)) {
    const end = closing(rest, at);
    if (end === undefined) return [[], pattern];
    without.push(`${rest.slice(0, at)}(?:${rest.slice(at + 3, end)})`);
    rest = rest.slice(0, at) + rest.slice(end + 1);
  }
  return [without, rest];
}

/** Where the first lookahead stands that is in no group, if there are no alternatives around it. */
function lookaheadIn(pattern: string): number | undefined {
  let found: number | undefined;
  for (let i = 0; i < pattern.length; i++) {
    const letter = pattern[i];
    if (letter === "|") return undefined;
    if (letter === "\\") i++;
    else if (letter === "(" || letter === "[") {
      const end = letter === "(" ? closing(pattern, i) : pattern.indexOf("]", i + 2);
      if (end === undefined || end < 0) return undefined;
      if (pattern.startsWith("(?!", i)) found ??= i;
      i = end;
    }
  }
  return found;
}

/** Where the group that opens at `at` closes. */
function closing(pattern: string, at: number): number | undefined {
  let depth = 0;
  let inClass = false;
  for (let i = at; i < pattern.length; i++) {
    const letter = pattern[i];
    if (letter === "\\") i++;
    else if (inClass) inClass = letter !== "]";
    else if (letter === "[") inClass = true;
    else if (letter === "(") depth++;
    else if (letter === ")" && --depth === 0) return i;
  }
  return undefined;
}
