import type { CompactionEntry, EndEntry, Entry, PromptEntry, ReplyEntry, TransitionEntry } from "@baton/core/session/transcript";
import { callLines, type AnswerSeen } from "./call.ts";
import { attachmentSummary, compactionText, retryText } from "@baton/core/text/status-text";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { hang, contentWidth, spread, width, type TerminalStyle } from "../layout.ts";
import { markdown } from "../markdown.ts";
import { formatTime } from "../format-time.ts";
import { EMPTY_ANSWER_TEXT, turnEndText } from "@baton/core/text/format";

/** The maximum width of prose. */
export const PROSE = 72;

export const proseWidth = (look: Pick<TerminalStyle, "columns">): number => Math.min(PROSE, contentWidth(look) - 2);

/** The lines of a final entry. */
export function entryLines(entry: Entry, look: TerminalStyle, answer?: AnswerSeen): string[] {
  switch (entry.kind) {
    case "prompt":
      return promptLines(entry, look);
    case "reply":
      return [
        ...modelLines(entry, look),
        ...indented(markdown(entry.text.trim(), look, proseWidth(look), contentWidth(look) - 2)),
        ...failureLines(entry, look),
      ];
    case "call":
      return callLines(entry, look, { answer });
    case "transition":
      return transitionLines(entry, look);
    case "compaction":
      return compactionLines(entry, look);
    case "end":
      return endLines(entry, look);
  }
}

export const indented = (lines: string[]): string[] =>
  lines.length === 1 && lines[0] === "" ? [] : lines.map((line) => (line === "" ? "" : `  ${line}`));

/** The user's prompt. A prompt of the daemon looks different. */
export function promptLines({ text, images, at, synthetic }: PromptEntry, look: TerminalStyle): string[] {
  const { ink } = look;
  const room = contentWidth(look);
  if (synthetic !== undefined)
    return hang(ink.dim(`From the daemon (${oneLine(synthetic)}): ${sanitize(text).trim()}`), `${ink.dim("·")} `, room);
  const time = ink.dim(formatTime(at));
  const lines = sanitize(text).trim().split("\n");
  const drawn = lines.flatMap((line, i) => hang(ink.bold(line), i === 0 ? ink.bold("› ") : "  ", room - width(time) - 2, { trim: false }));
  const first = drawn[0] ?? "";
  const attached = images ? [`  ${ink.dim(`with ${attachmentSummary(images)}`)}`] : [];
  return [spread(first, time, room) ?? first, ...drawn.slice(1), ...attached];
}

/** A notice that another model continues. */
export function modelLines({ model, modelBefore }: ReplyEntry, look: TerminalStyle): string[] {
  return modelBefore === undefined
    ? []
    : hang(look.ink.dim(`model ${oneLine(modelBefore)} → ${oneLine(model)}`), `  ${look.ink.dim("·")} `, contentWidth(look));
}

/** Why a reply was interrupted, and when Baton retries it. */
export function failureLines({ failure }: ReplyEntry, { ink, ...look }: TerminalStyle): string[] {
  if (!failure) return [];
  const retry = retryText(failure, look.now);
  const again = retry === "" ? "" : ink.dim(` ${retry}...`);
  return hang(`${ink.failure(`model: ${turnEndText(oneLine(failure.message))}`)}${again}`, `  ${ink.failure("✗")} `, contentWidth(look));
}

function transitionLines({ from, to, origin, reason, by, at }: TransitionEntry, look: TerminalStyle): string[] {
  const { ink } = look;
  const why = "person" in by && reason ? hang(ink.dim(oneLine(reason)), `  ${ink.dim("·")} `, contentWidth(look)) : [];
  const who = "person" in by ? (origin === "user" ? "you" : `you, with ${origin}`) : (reason && oneLine(reason)) || `with ${origin}`;
  const start = `${ink.dim("──")} ${ink.mode(from)} → ${ink.mode(to)} ${ink.dim(`· ${who} · ${formatTime(at)} `)}`;
  return [start + ink.dim("─".repeat(Math.max(2, contentWidth(look) - width(start)))), ...why];
}

/** A notice about compaction. The transcript keeps everything. */
function compactionLines(entry: CompactionEntry, look: TerminalStyle): string[] {
  return hang(look.ink.dim(compactionText(entry)), `  ${look.ink.dim("⋯")} `, contentWidth(look));
}

function endLines({ reason, message, repeats, empty, at }: EndEntry, look: TerminalStyle): string[] {
  const { ink } = look;
  const said = message === undefined || repeats ? "" : `: ${oneLine(message)}`;
  switch (reason) {
    case "completed":
      return empty ? hang(ink.dim(EMPTY_ANSWER_TEXT), "  – ", contentWidth(look)) : [];
    case "stopped":
      return [ink.dim(`── stopped · ${formatTime(at)} `.padEnd(contentWidth(look), "─"))];
    case "failed":
      return hang(ink.failure(`The turn failed${said || "."}`), `  ${ink.failure("✗")} `, contentWidth(look));
    case "limit":
      return hang(message ? oneLine(message) : "The turn ended at its step limit.", "  – ", contentWidth(look));
    case "denied":
      return hang(`The turn ended because a request was denied${said}.`, "  – ", contentWidth(look));
    case "blocked":
      return hang(`The turn could not continue${said}.`, "  – ", contentWidth(look));
  }
}
