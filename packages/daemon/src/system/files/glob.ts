import { systemFault, type SystemFault } from "../system-fault.ts";

export type Glob = (relative: string) => boolean;

const MAX_ALTERNATIVES = 200;

/**
 * A pattern for paths with `/` between their parts, read as in an ignore file: `*` and `?` stay within a part, `**` spans
 * parts, `[a-z]`, `[!a]`, `{a,b}` and `\` work; without a `/` it is matched against the last part. Needs time in
 * proportion to pattern times path, whatever the pattern.
 */
export function compileGlob(pattern: string): Glob | SystemFault {
  const alternatives = expandBraces(pattern.replace(/^\.?\/+/, "").replace(/\/+$/, ""));
  if (alternatives.length > MAX_ALTERNATIVES)
    return systemFault("bad_pattern", `The glob has more than ${MAX_ALTERNATIVES} alternatives. Use fewer braces.`);
  const compiled = alternatives.map((one) => (one.includes("/") ? one : `**/${one}`).split("/").map(tokensOf));
  return (relative) => {
    const parts = relative.split("/");
    return compiled.some((wanted) => matches(wanted, parts, (token) => token === "**", matchesPart));
  };
}

type Token = string | { any: true } | { star: true } | { among: (letter: string) => boolean };
type Part = "**" | Token[];

/** Greedy match that goes back to the last span only: one that has matched once never has to be tried again. */
function matches<W, T>(
  wanted: readonly W[],
  given: readonly T[],
  spans: (wanted: W) => boolean,
  fits: (wanted: W, given: T) => boolean,
): boolean {
  let w = 0;
  let g = 0;
  let span = -1;
  let resume = 0;
  while (g < given.length) {
    const now = wanted[w];
    if (now !== undefined && spans(now)) {
      span = w++;
      resume = g;
    } else if (now !== undefined && fits(now, given[g] as T)) {
      w++;
      g++;
    } else if (span >= 0) {
      w = span + 1;
      g = ++resume;
    } else {
      return false;
    }
  }
  return wanted.slice(w).every(spans);
}

const matchesPart = (wanted: Part, part: string): boolean =>
  wanted !== "**" && matches(wanted, Array.from(part), (token) => typeof token !== "string" && "star" in token, matchesLetter);

function matchesLetter(token: Token, letter: string): boolean {
  if (typeof token === "string") return token === letter;
  if ("among" in token) return token.among(letter);
  return "any" in token;
}

function tokensOf(part: string): Part {
  if (part === "**") return "**";
  const tokens: Token[] = [];
  const letters = Array.from(part);
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? "";
    const set = letter === "[" ? setAt(letters, i) : undefined;
    if (set) {
      tokens.push({ among: set.among });
      i = set.end;
    } else if (letter === "\\" && i + 1 < letters.length) tokens.push(letters[++i] ?? "");
    else if (letter === "*") tokens.push({ star: true });
    else if (letter === "?") tokens.push({ any: true });
    else tokens.push(letter);
  }
  return tokens;
}

/** The set that begins at `start`, or undefined where the bracket is never closed and so is a bracket. */
function setAt(letters: readonly string[], start: number): { among: (letter: string) => boolean; end: number } | undefined {
  const isNegated = letters[start + 1] === "!" || letters[start + 1] === "^";
  const first = start + (isNegated ? 2 : 1);
  const end = letters.indexOf("]", first + 1);
  if (end < 0) return undefined;
  const among = amongOf(letters.slice(first, end));
  return { among: isNegated ? (letter) => !among(letter) : among, end };
}

function amongOf(inner: readonly string[]): (letter: string) => boolean {
  const ranges: { from: string; to: string }[] = [];
  for (let i = 0; i < inner.length; i++) {
    const from = inner[i] ?? "";
    const to = inner[i + 1] === "-" ? inner[i + 2] : undefined;
    ranges.push({ from, to: to ?? from });
    if (to !== undefined) i += 2;
  }
  return (letter) => ranges.some(({ from, to }) => from <= letter && letter <= to);
}

/** Every text that the braces stand for; a brace that is never closed, or holds no comma, is a brace. */
function expandBraces(pattern: string): string[] {
  const open = /(?<!\\)\{/g;
  for (let found = open.exec(pattern); found; found = open.exec(pattern)) {
    const group = groupAt(pattern, found.index);
    if (!group || group.choices.length < 2) continue;
    const [before, after] = [pattern.slice(0, found.index), pattern.slice(group.end + 1)];
    const expanded: string[] = [];
    for (const choice of group.choices) {
      expanded.push(...expandBraces(before + choice + after));
      if (expanded.length > MAX_ALTERNATIVES) break;
    }
    return expanded;
  }
  return [pattern];
}

function groupAt(pattern: string, start: number): { choices: string[]; end: number } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let i = start; i < pattern.length; i++) {
    const letter = pattern[i];
    if (letter === "\\") i++;
    else if (letter === "{") depth++;
    else if (letter === "," && depth === 1) {
      choices.push(pattern.slice(from, i));
      from = i + 1;
    } else if (letter === "}" && --depth === 0) return { choices: [...choices, pattern.slice(from, i)], end: i };
  }
  return undefined;
}
