import type { InputBuffer } from "../input/input-buffer.ts";
import type { TextObject } from "./command.ts";
import { lineEnd, lineStart } from "./text.ts";

/** A part of the text, without the character at `to`. */
type Span = { from: number; to: number };

const BRACKETS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  "(": ["(", ")"],
  ")": ["(", ")"],
  b: ["(", ")"],
  "[": ["[", "]"],
  "]": ["[", "]"],
  "{": ["{", "}"],
  "}": ["{", "}"],
  B: ["{", "}"],
  "<": ["<", ">"],
  ">": ["<", ">"],
};

/** The text object at the cursor. Undefined if there is none. */
export function objectSpan(buffer: InputBuffer, { kind, around }: TextObject): Span | undefined {
  const brackets = BRACKETS[kind];
  if (brackets) return bracketSpan(buffer, brackets, around);
  return kind === "w" || kind === "W" ? wordSpan(buffer, kind === "W", around) : quoteSpan(buffer, kind, around);
}

/** A word or the blanks between words. `around` adds the blanks after it, or before it if there are none. */
function wordSpan({ text, cursor }: InputBuffer, isBig: boolean, around: boolean): Span | undefined {
  const start = lineStart(text, cursor);
  const parts = Array.from(
    text.slice(start, lineEnd(text, cursor)).matchAll(isBig ? /\s+|\S+/g : /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+/gu),
  );
  const index = parts.findIndex((part) => start + part.index + part[0].length > cursor);
  const spanOf = (part: RegExpExecArray | undefined): Span | undefined =>
    part && { from: start + part.index, to: start + part.index + part[0].length };
  if (parts.length === 0) return { from: start, to: start };
  const own = spanOf(parts[index]);
  if (!own || !around) return own;
  const isBlank = (n: number): boolean => /^\s/.test(parts[n]?.[0] ?? "");
  const after = spanOf(parts[index + 1]);
  if (isBlank(index)) return after && { from: own.from, to: after.to };
  if (after && isBlank(index + 1)) return { from: own.from, to: after.to };
  const before = isBlank(index - 1) ? spanOf(parts[index - 1]) : undefined;
  return before && before.from > start ? { from: before.from, to: own.to } : own;
}

/** A quoted text in the line: the one at the cursor, or the next one. `around` takes the quotes and the blanks after or before them. */
function quoteSpan({ text, cursor }: InputBuffer, quote: string, around: boolean): Span | undefined {
  const start = lineStart(text, cursor);
  const line = text.slice(start, lineEnd(text, cursor));
  const quotes = Array.from(line.matchAll(/\\.|["'`]/g)).flatMap(({ 0: found, index }) => (found === quote ? [index] : []));
  const column = cursor - start;
  const pair = pairAt(quotes, column);
  if (!pair) return undefined;
  const [open, close] = pair;
  if (!around) return { from: start + open + 1, to: start + close };
  const after = /^\s*/.exec(line.slice(close + 1))?.[0].length ?? 0;
  const before = after > 0 ? 0 : (/\s*$/.exec(line.slice(0, open))?.[0].length ?? 0);
  return { from: start + open - before, to: start + close + 1 + after };
}

function pairAt(quotes: readonly number[], column: number): readonly [number, number] | undefined {
  const onQuote = quotes.indexOf(column);
  const open = onQuote >= 0 ? onQuote - (onQuote % 2) : quotes.findLastIndex((at) => at < column);
  const from = Math.max(0, open);
  const [first, second] = [quotes[from], quotes[from + 1]];
  return first === undefined || second === undefined ? undefined : [first, second];
}

/** The brackets around the cursor, or the next ones. */
function bracketSpan({ text, cursor }: InputBuffer, [open, close]: readonly [string, string], around: boolean): Span | undefined {
  const enclosing = unmatched(text, text.charAt(cursor) === close ? cursor - 1 : cursor, -1, open, close);
  const from = enclosing ?? text.indexOf(open, cursor);
  if (from < 0) return undefined;
  const to = unmatched(text, from + 1, 1, close, open);
  if (to === undefined) return undefined;
  return around ? { from, to: to + 1 } : { from: from + 1, to };
}

/** The next `wanted` in a direction that no `other` belongs to. */
function unmatched(text: string, start: number, step: 1 | -1, wanted: string, other: string): number | undefined {
  let depth = 0;
  for (let at = start; at >= 0 && at < text.length; at += step) {
    const character = text.charAt(at);
    if (character === wanted && depth === 0) return at;
    if (character === wanted) depth--;
    else if (character === other) depth++;
  }
  return undefined;
}
