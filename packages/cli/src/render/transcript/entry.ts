import type { CompactionEntry, EndEntry, Entry, PromptEntry, ReplyEntry, TransitionEntry } from "@baton/core/session/transcript/entry";
import { callLines, hookLines, type AnswerNote } from "./call.ts";
import { attachmentSummary } from "@baton/core/text/attachment-text";
import { compactionText } from "@baton/core/text/compaction-notice-text";
import { retryText } from "@baton/core/text/retry-text";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { hangingIndent, contentWidth, justify, displayWidth, type TerminalStyle } from "../layout.ts";
import { markdown } from "../markdown.ts";
import { asSentence, formatCount, EMPTY_ANSWER_TEXT, formatTime } from "@baton/core/text/format";

/** The maximum width of prose. */
const PROSE = 72;

export const proseWidth = (style: Pick<TerminalStyle, "columns">): number => Math.min(PROSE, contentWidth(style) - 2);

/** The lines of a final entry. */
export function entryLines(entry: Entry, style: TerminalStyle, answer?: AnswerNote): string[] {
  switch (entry.kind) {
    case "prompt":
      return [...promptLines(entry, style), ...hookLines(entry, style)];
    case "reply":
      return [
        ...modelChangeLines(entry, style),
        ...indented(markdown(entry.text.trim(), style, proseWidth(style), contentWidth(style) - 2)),
        ...failureLines(entry, style),
      ];
    case "call":
      return callLines(entry, style, { answer });
    case "transition":
      return transitionLines(entry, style);
    case "compaction":
      return compactionLines(entry, style);
    case "end":
      return endLines(entry, style);
  }
}

export const indented = (lines: string[]): string[] =>
  lines.length === 1 && lines[0] === "" ? [] : lines.map((line) => (line === "" ? "" : `  ${line}`));

/** The user's prompt. A slash command stands for its text. A prompt of the daemon looks different. */
function promptLines({ text: sent, slash, images, at, synthetic }: PromptEntry, style: TerminalStyle): string[] {
  const { ansi } = style;
  const room = contentWidth(style);
  const text = slash ?? sent;
  if (synthetic !== undefined)
    return hangingIndent(ansi.dim(`From the daemon (${oneLine(synthetic)}): ${sanitize(text).trim()}`), `${ansi.dim("·")} `, room);
  const time = ansi.dim(formatTime(at));
  const lines = sanitize(text).trim().split("\n");
  const drawn = lines.flatMap((line, i) =>
    hangingIndent(ansi.bold(line), i === 0 ? ansi.bold("› ") : "  ", room - displayWidth(time) - 2, { trim: false }),
  );
  const first = drawn[0] ?? "";
  const attached = images ? [`  ${ansi.dim(`with ${attachmentSummary(images)}`)}`] : [];
  const expanded = slash === undefined ? [] : hangingIndent(ansi.dim(`sent as ${expandedText(sent)}`), "  ", room);
  return [justify(first, time, room) ?? first, ...drawn.slice(1), ...expanded, ...attached];
}

/** The text of a slash command if it is one line, or its length. */
function expandedText(sent: string): string {
  const lines = sanitize(sent).trim().split("\n");
  return lines.length === 1 ? `“${lines[0]}”` : `${formatCount(lines.length, "line")} of text`;
}

/** A notice that another model continues. */
export function modelChangeLines({ model, modelBefore }: ReplyEntry, style: TerminalStyle): string[] {
  return modelBefore === undefined
    ? []
    : hangingIndent(style.ansi.dim(`model ${oneLine(modelBefore)} → ${oneLine(model)}`), `  ${style.ansi.dim("·")} `, contentWidth(style));
}

/** Why a reply was interrupted, and when Baton retries it. */
export function failureLines({ failure }: ReplyEntry, { ansi, ...style }: TerminalStyle): string[] {
  if (!failure) return [];
  const retry = retryText(failure, style.now);
  const again = retry === "" ? "" : ansi.dim(` ${retry}...`);
  return hangingIndent(
    `${ansi.failure(`model: ${asSentence(oneLine(failure.message))}`)}${again}`,
    `  ${ansi.failure("✗")} `,
    contentWidth(style),
  );
}

function transitionCause({ origin, reason, by }: TransitionEntry): string {
  if ("person" in by) return origin === "user" ? "you" : `you, with ${origin}`;
  return (reason && oneLine(reason)) || `with ${origin}`;
}

function transitionLines(entry: TransitionEntry, style: TerminalStyle): string[] {
  const { from, to, reason, by, at } = entry;
  const { ansi } = style;
  const why = "person" in by && reason ? hangingIndent(ansi.dim(oneLine(reason)), `  ${ansi.dim("·")} `, contentWidth(style)) : [];
  const start = `${ansi.dim("──")} ${ansi.mode(from)} → ${ansi.mode(to)} ${ansi.dim(`· ${transitionCause(entry)} · ${formatTime(at)} `)}`;
  return [start + ansi.dim("─".repeat(Math.max(2, contentWidth(style) - displayWidth(start)))), ...why];
}

/** A notice about compaction. The transcript keeps everything. */
function compactionLines(entry: CompactionEntry, style: TerminalStyle): string[] {
  return hangingIndent(style.ansi.dim(compactionText(entry)), `  ${style.ansi.dim("⋯")} `, contentWidth(style));
}

function endLines({ reason, message, repeats, empty, at }: EndEntry, style: TerminalStyle): string[] {
  const { ansi } = style;
  const detail = message === undefined || repeats ? "." : `: ${asSentence(oneLine(message))}`;
  switch (reason) {
    case "completed":
      if (message !== undefined) return hangingIndent(oneLine(message), "  – ", contentWidth(style));
      return empty ? hangingIndent(ansi.dim(EMPTY_ANSWER_TEXT), "  – ", contentWidth(style)) : [];
    case "stopped":
      return [ansi.dim(`── stopped · ${formatTime(at)} `.padEnd(contentWidth(style), "─"))];
    case "failed":
      return hangingIndent(ansi.failure(`The turn failed${detail}`), `  ${ansi.failure("✗")} `, contentWidth(style));
    case "limit":
      return hangingIndent(message ? oneLine(message) : "The turn ended at its step limit.", "  – ", contentWidth(style));
    case "denied":
      return hangingIndent(`The turn ended because a request was denied${detail}`, "  – ", contentWidth(style));
    case "blocked":
      return hangingIndent(`The turn could not continue${detail}`, "  – ", contentWidth(style));
  }
}
