import type { RegExpParser } from "@eslint-community/regexpp";
import type { RE2JS } from "re2js";
import { compileLookahead } from "./lookahead.ts";

/** Longer texts are no paths or commands; an expression never covers them. */
const MOST_LETTERS = 16_384;
const MOST_PATTERN = 2_000;

/** Whether a text holds a match of the expression, anywhere in it. Needs time in proportion to the text. */
export type Regex = (text: string) => boolean;

let engine: typeof RE2JS | undefined;
let parser: RegExpParser | undefined;

/** Loads the matcher, which takes longer to load than all of core. Has to be awaited before the first expression is made. */
export async function loadRegexEngine(): Promise<void> {
  engine ??= (await import("re2js")).RE2JS;
  parser ??= new (await import("@eslint-community/regexpp")).RegExpParser({ ecmaVersion: 2024 });
}

/** Makes an expression of its text, or says why it is none and what to write instead. */
export function compileRegex(pattern: string): Regex | { fault: string; fix: string } {
  if (pattern.length > MOST_PATTERN)
    return { fault: `it is longer than ${MOST_PATTERN} characters`, fix: "Split it into several shorter expressions." };
  if (!engine || !parser) throw new Error("an expression is made before loadExpressions was awaited");
  try {
    const compiled = engine.compile(pattern);
    return (text) => text.length <= MOST_LETTERS && compiled.test(text);
  } catch (error) {
    if (/\(\?[=!]/.test(pattern)) return lookingAhead(pattern, parser);
    return faultOf(pattern, messageOf(error));
  }
}

function lookingAhead(pattern: string, known: RegExpParser): Regex | { fault: string; fix: string } {
  try {
    const matches = compileLookahead(pattern, known);
    return (text) => text.length <= MOST_LETTERS && matches(text);
  } catch (error) {
    return { fault: messageOf(error), fix: "Say what is left out with disallowedFilePaths." };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function faultOf(pattern: string, message: string): { fault: string; fix: string } {
  const fault = message.replace(/^error parsing regexp: /, "");
  if (/\(\?<[=!]/.test(pattern))
    return { fault: "it looks behind, which takes unbounded time", fix: "Say what is left out with disallowedFilePaths." };
  if (/\\[1-9]/.test(pattern)) return { fault: "it refers back to a group, which takes unbounded time", fix: "Write the text out." };
  const asWildcard = /^\**\/?\*?(\.\w+)$/.exec(pattern)?.[1];
  if (asWildcard !== undefined)
    return { fault: "it is a wildcard, no regular expression", fix: `Write '\\${asWildcard}$', in single quotes.` };
  return { fault, fix: "Mend the expression; `.` and other signs that are meant as such need a backslash before them." };
}
