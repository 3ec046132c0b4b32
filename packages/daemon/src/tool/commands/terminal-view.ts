import type { TerminalView } from "@baton/core/protocol/view";
import { formatCount, countNoun } from "@baton/core/text/format";
import type { HeadAndTail } from "../../system/commands/head-tail-buffer.ts";

const HEAD_LETTERS = 8_000;
const TAIL_LETTERS = 20_000;

/** Both ends of an output as a person sees them. */
export function terminalView({ head, tail, omittedLines, blob }: HeadAndTail, exitCode: number | null): TerminalView {
  return { type: "terminal", head, tail, omittedLines, exitCode, ...(blob === undefined ? {} : { blob }) };
}

/** Both ends of an output as a model reads them: less than a person sees, by whole lines, with the count of what is left out. */
export function terminalText({ head, tail, omittedLines, omittedBytes }: HeadAndTail): string {
  if (omittedBytes === 0) return shortened(head + tail);
  return `${headOf(head)}${gap(omittedLines + lineEnds(head.slice(headOf(head).length)) + lineEnds(tail.slice(0, -tailOf(tail).length)))}${tailOf(tail)}`;
}

function shortened(text: string): string {
  if (text.length <= HEAD_LETTERS + TAIL_LETTERS) return text;
  const [head, tail] = [headOf(text), tailOf(text)];
  return `${head}${gap(lineEnds(text.slice(head.length, -tail.length)))}${tail}`;
}

const gap = (lines: number): string =>
  `\n… ${formatCount(lines, "line")} left out; to see more, write the output to a file or filter it …\n`;

function headOf(text: string): string {
  if (text.length <= HEAD_LETTERS) return text;
  const end = text.lastIndexOf("\n", HEAD_LETTERS) + 1;
  return text.slice(0, end > HEAD_LETTERS / 2 ? end : HEAD_LETTERS).toWellFormed();
}

function tailOf(text: string): string {
  if (text.length <= TAIL_LETTERS) return text;
  const start = text.indexOf("\n", text.length - TAIL_LETTERS) + 1;
  return text.slice(start > 0 && text.length - start > TAIL_LETTERS / 2 ? start : -TAIL_LETTERS).toWellFormed();
}

const lineEnds = (text: string): number => text.split("\n").length - 1;

/** What a model reads of text that came in between two looks. */
export const newText = ({ text, omitted }: { text: string; omitted: number }): string =>
  omitted > 0 ? `(${countNoun(omitted)} characters left out)\n${text}` : text;
