import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { TerminalView } from "@baton/core/protocol/tool-view";
import { formatCount, formatNumber } from "@baton/core/text/format";
import type { HeadAndTail } from "../../system/commands/head-tail-buffer.ts";

const HEAD_CHARACTERS = 8_000;
const TAIL_CHARACTERS = 20_000;

/** The beginning and the end of an output, for the user. */
export function terminalView({ head, tail, omittedLines, blob }: HeadAndTail, exitCode: number | null): TerminalView {
  return { type: "terminal", head, tail, omittedLines, exitCode, ...omitUndefined({ blob }) };
}

/** The same view with one more line at its end. */
export const withLine = (view: TerminalView, line: string): TerminalView => (line === "" ? view : { ...view, tail: view.tail + line });

/** The beginning and the end of an output for the model: shorter, in whole lines, with the number of omitted lines. */
export function terminalText({ head, tail, omittedLines, omittedBytes }: HeadAndTail): string {
  if (omittedBytes === 0) return shortened(head + tail);
  return `${headOf(head)}${gap(omittedLines + lineEnds(head.slice(headOf(head).length)) + lineEnds(tail.slice(0, -tailOf(tail).length)))}${tailOf(tail)}`;
}

function shortened(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  const head = headOf(text);
  const tail = tailOf(text);
  return `${head}${gap(lineEnds(text.slice(head.length, -tail.length)))}${tail}`;
}

const gap = (lines: number): string =>
  `\n… ${formatCount(lines, "line")} omitted; to see more, write the output to a file or filter it …\n`;

function headOf(text: string): string {
  if (text.length <= HEAD_CHARACTERS) return text;
  const end = text.lastIndexOf("\n", HEAD_CHARACTERS) + 1;
  return text.slice(0, end > HEAD_CHARACTERS / 2 ? end : HEAD_CHARACTERS).toWellFormed();
}

function tailOf(text: string): string {
  if (text.length <= TAIL_CHARACTERS) return text;
  const start = text.indexOf("\n", text.length - TAIL_CHARACTERS) + 1;
  return text.slice(start > 0 && text.length - start > TAIL_CHARACTERS / 2 ? start : -TAIL_CHARACTERS).toWellFormed();
}

const lineEnds = (text: string): number => text.split("\n").length - 1;

/** The output since the last poll, for the model. */
export const unreadText = ({ text, omitted }: { text: string; omitted: number }): string =>
  omitted > 0 ? `(${formatNumber(omitted)} characters omitted)\n${text}` : text;
