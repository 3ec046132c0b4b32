import type { TerminalView } from "@baton/core/protocol/tool-view";
import { settleOutput } from "@baton/core/text/sanitize";
import { hangingIndent, contentWidth, type TerminalStyle } from "./layout.ts";
import { formatCount } from "@baton/core/text/format";

/** Output of a program. `head` and `tail` limit the lines at its start and end. */
export function terminalLines(
  view: Pick<TerminalView, "head" | "tail" | "omittedLines">,
  style: TerminalStyle,
  { indent, head, tail, hint = "" }: { indent: number; head?: number; tail?: number; hint?: string },
): string[] {
  const first = splitLines(view.head);
  const last = splitLines(view.tail);
  const all = view.omittedLines > 0 ? undefined : [...first, ...last];
  const [start, end, left] = all
    ? ends(all, head, tail)
    : [first.slice(0, head), tail === undefined ? last : lastNonBlank(last, tail), hidden(view, first, last, head, tail)];
  const { ansi } = style;
  const bar = `${" ".repeat(indent)}${ansi.dim("│")} `;
  const draw = (lines: string[]) => lines.flatMap((line) => hangingIndent(line, bar, contentWidth(style), { rest: bar, trim: false }));
  const between = left > 0 ? [`${" ".repeat(indent)}${ansi.dim(`│ … ${formatCount(left, "line")}${hint}`)}`] : [];
  return [...draw(start), ...between, ...draw(end)];
}

/** The last non-empty line of a running command. */
export const lastLine = (text: string): string =>
  splitLines(text.slice(-4096))
    .findLast((line) => line.trim() !== "")
    ?.trim() ?? "";

const splitLines = (text: string): string[] => (text === "" ? [] : settleOutput(text).replace(/\n+$/, "").split("\n"));

const isNotBlank = (line: string): boolean => line.trim() !== "";

/** The last non-empty lines. */
const lastNonBlank = (lines: string[], most: number): string[] =>
  lines
    .slice(-4 * most)
    .filter(isNotBlank)
    .slice(-most);

/** A single hidden line is not worth a note. */
function ends(all: string[], head = all.length, tail = all.length): [string[], string[], number] {
  if (all.length <= head + tail + 1) return [all, [], 0];
  const [start, end] = [all.slice(0, head), lastNonBlank(all, tail)];
  return [start, end, all.length - start.length - end.length];
}

const hidden = (
  view: Pick<TerminalView, "omittedLines">,
  first: string[],
  last: string[],
  head = first.length,
  tail = last.length,
): number => view.omittedLines + Math.max(0, first.length - head) + Math.max(0, last.length - tail);
