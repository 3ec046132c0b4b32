import { compileRegex } from "@baton/core/text/regex";
import { translateGlob } from "@baton/core/text/glob-pattern";
import { systemFault, type SystemFault } from "../system-fault.ts";

export type Glob = (relative: string) => boolean;

const MAX_ALTERNATIVES = 200;

/**
 * Compiles a pattern for relative paths with `/` between their parts. It reads the pattern as an ignore file does, and `{a,b}` besides.
 * Matching takes linear time. Needs `loadRegexEngine` to have finished.
 */
export function compileGlob(pattern: string): Glob | SystemFault {
  const alternatives = expandBraces(pattern.replace(/^\.?\/+/, "").replace(/\/+$/, ""));
  if (alternatives.length > MAX_ALTERNATIVES)
    return systemFault("bad_pattern", `The glob has more than ${MAX_ALTERNATIVES} alternatives. Use fewer braces.`);
  const globs: Glob[] = [];
  for (const alternative of alternatives) {
    const compiled = compileRegex(translateGlob(alternative));
    if (typeof compiled !== "function") return systemFault("bad_pattern", `The glob cannot be used: ${compiled.fault}.`);
    globs.push(compiled);
  }
  return (relative) => globs.some((glob) => glob(relative));
}

/** Every text that the braces mean. A brace that is not closed, or that holds no comma, is literal. */
function expandBraces(pattern: string): string[] {
  const open = /(?<!\\)\{/g;
  for (let found = open.exec(pattern); found; found = open.exec(pattern)) {
    const group = readBraces(pattern, found.index);
    if (!group || group.choices.length < 2) continue;
    const before = pattern.slice(0, found.index);
    const after = pattern.slice(group.end + 1);
    const expanded: string[] = [];
    for (const choice of group.choices) {
      expanded.push(...expandBraces(before + choice + after));
      if (expanded.length > MAX_ALTERNATIVES) break;
    }
    return expanded;
  }
  return [pattern];
}

function readBraces(pattern: string, start: number): { choices: string[]; end: number } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let i = start; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === "\\") i++;
    else if (character === "{") depth++;
    else if (character === "," && depth === 1) {
      choices.push(pattern.slice(from, i));
      from = i + 1;
    } else if (character === "}" && --depth === 0) return { choices: [...choices, pattern.slice(from, i)], end: i };
  }
  return undefined;
}
