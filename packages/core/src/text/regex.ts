import type { RegExpParser } from "@eslint-community/regexpp";
import type { RE2JS } from "re2js";
import { compileLookahead } from "./compile-lookahead.ts";

/** Longer texts are neither paths nor commands. No expression matches them. */
const MAX_TEXT_LENGTH = 16_384;
const MAX_PATTERN_LENGTH = 2_000;

/** True if the text contains a match of the expression. Takes linear time in the text. */
export type Regex = (text: string) => boolean;

let engine: typeof RE2JS | undefined;
let parser: RegExpParser | undefined;

/** Loads the engine, which takes longer than the rest of core. Await it before the first call of `compileRegex`. */
export async function loadRegexEngine(): Promise<void> {
  engine ??= (await import("re2js")).RE2JS;
  parser ??= new (await import("@eslint-community/regexpp")).RegExpParser({ ecmaVersion: 2024 });
}

/** Compiles an expression, or explains why it is invalid and how to fix it. */
export function compileRegex(pattern: string): Regex | { fault: string; fix: string } {
  if (pattern.length > MAX_PATTERN_LENGTH)
    return { fault: `it is longer than ${MAX_PATTERN_LENGTH} characters`, fix: "Split it into several shorter expressions." };
  if (!engine || !parser) throw new Error("compileRegex was called before loadRegexEngine had finished");
  try {
    const compiled = engine.compile(pattern);
    return (text) => text.length <= MAX_TEXT_LENGTH && compiled.test(text);
  } catch (error) {
    if (/\(\?[=!]/.test(pattern)) return compileWithLookahead(pattern, parser);
    return explainError(pattern, messageOf(error));
  }
}

function compileWithLookahead(pattern: string, known: RegExpParser): Regex | { fault: string; fix: string } {
  try {
    const matches = compileLookahead(pattern, known);
    return (text) => text.length <= MAX_TEXT_LENGTH && matches(text);
  } catch (error) {
    return { fault: messageOf(error), fix: "List the excluded files in disallowedFilePaths." };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function explainError(pattern: string, message: string): { fault: string; fix: string } {
  const fault = message.replace(/^error parsing regexp: /, "");
  if (/\(\?<[=!]/.test(pattern))
    return { fault: "it has a lookbehind, which takes unbounded time", fix: "List the excluded files in disallowedFilePaths." };
  if (/\\[1-9]/.test(pattern)) return { fault: "it has a backreference, which takes unbounded time", fix: "Write the text out." };
  const asWildcard = /^\**\/?\*?(\.\w+)$/.exec(pattern)?.[1];
  if (asWildcard !== undefined)
    return { fault: "it is a wildcard, not a regular expression", fix: `Write '\\${asWildcard}$', in single quotes.` };
  return { fault, fix: "Fix the expression. Put a backslash before `.` and other special characters that are meant literally." };
}
