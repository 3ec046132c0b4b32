import type { CallEntry } from "@baton/core/session/transcript/entry";
import { answerOrigin } from "@baton/core/text/request/answer-origin";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { diffCounts } from "../diff.ts";
import {
  fitToWidth,
  truncate,
  hangingIndent,
  isNarrow,
  contentWidth,
  justify,
  keyHint,
  displayWidth,
  type TerminalStyle,
} from "../layout.ts";
import { viewLines, type ViewDetail } from "../tool-view.ts";
import { formatAge, formatDuration } from "@baton/core/text/format";

/** Facts about an answer that only this client knows: when it arrived, and whether it was given here. */
export type AnswerNote = { at: number; here: boolean };

const GLYPHS: Record<CallEntry["phase"], string> = {
  requested: "…",
  allowed: "…",
  running: "…",
  waiting: "◆",
  ok: "✓",
  failed: "✗",
  denied: "–",
  interrupted: "–",
  unknown: "?",
};

const INDENT = 6;

/** A finished call: its line, who allowed or denied it, and its view. */
export function callLines(
  entry: CallEntry,
  style: TerminalStyle,
  { extent = entry.phase === "failed" ? "failed" : "short", answer }: { extent?: ViewDetail; answer?: AnswerNote | undefined } = {},
): string[] {
  if (entry.result?.ends) return endingLines(entry, style, extent);
  return [
    ...callLine(entry, style, resultText(entry, style)),
    ...hookLines(entry, style),
    ...recordLines(entry, style, answer),
    ...bodyLines(entry, style, extent),
  ];
}

/** The words of hooks about a call or a prompt. */
export const hookLines = ({ hooks = [] }: Pick<CallEntry, "hooks">, { ansi, ...style }: TerminalStyle): string[] =>
  hooks.flatMap(({ text, isProblem }) =>
    hangingIndent(isProblem ? ansi.failure(oneLine(text)) : ansi.dim(oneLine(text)), " ".repeat(INDENT), contentWidth(style)),
  );

/** One line: state, verb, object, and the result at the right. On a narrow screen the result is on the next line. */
export function callLine({ phase, label }: Pick<CallEntry, "phase" | "label">, style: TerminalStyle, end: string): string[] {
  const paint = painter(phase, style);
  const verb = oneLine(label.verb);
  const object = oneLine(label.object);
  if (isNarrow(style)) return narrowLine(`${GLYPHS[phase]} ${verb} ${object}`, paint, end, style);
  const room = contentWidth(style);
  const start = `  ${GLYPHS[phase]} ${verb.padEnd(7)} `;
  const [glyph, rest] = [start.slice(2, 3), start.slice(3)];
  const draw = (text: string) => (phase === "failed" ? `  ${paint(glyph + rest + text)}` : `  ${paint(glyph)}${rest}${text}`);
  const long = displayWidth(end) > room / 2;
  const visible = truncate(object, room - displayWidth(start) - (end === "" || long ? 0 : displayWidth(end) + 2));
  const whole = long ? undefined : justify(draw(visible), end, room);
  return whole === undefined ? [draw(visible), ...hangingIndent(end, " ".repeat(INDENT), room)] : [whole];
}

const SHORT_END = 8;

function narrowLine(text: string, paint: (text: string) => string, end: string, style: TerminalStyle): string[] {
  const room = contentWidth(style);
  const lines = hangingIndent(text, "  ", room, { rest: " ".repeat(INDENT) });
  const [glyph, rest] = [text.slice(0, 1), (lines[0] ?? "").slice(3)];
  const failed = glyph === GLYPHS.failed;
  const painted = [
    `  ${failed ? paint(glyph + rest) : paint(glyph) + rest}`,
    ...lines.slice(1).map((line) => (failed ? paint(line) : line)),
  ];
  if (end === "") return painted;
  const joined = lines.length === 1 && displayWidth(end) <= SHORT_END && displayWidth(lines[0] ?? "") + 2 + displayWidth(end) <= room;
  return joined ? [`${painted[0]}  ${end}`] : [...painted, ...hangingIndent(end, " ".repeat(INDENT), room)];
}

function painter(phase: CallEntry["phase"], { ansi }: TerminalStyle): (text: string) => string {
  switch (phase) {
    case "ok":
    case "interrupted":
    case "requested":
    case "allowed":
      return ansi.dim;
    case "failed":
      return ansi.failure;
    case "waiting":
      return ansi.attention;
    case "unknown":
      return ansi.bold;
    case "denied":
    case "running":
      return (text) => text;
  }
}

const MIN_SHOWN_DURATION_MS = 1_000;

/** The result in a few words, with the duration of long calls. */
function resultText({ phase, result, startedAt, endedAt, request, answer, waitsForHook }: CallEntry, style: TerminalStyle): string {
  if (waitsForHook !== undefined) return style.ansi.dim(`hook ${oneLine(waitsForHook)}`);
  const { ansi } = style;
  const duration =
    startedAt !== undefined && endedAt !== undefined && endedAt - startedAt >= MIN_SHOWN_DURATION_MS
      ? formatDuration(endedAt - startedAt)
      : "";
  const endText = oneLine(result?.end ?? "");
  if (phase === "unknown") return ansi.bold("outcome unknown");
  if (phase === "interrupted") return ansi.dim(endText || "stopped");
  if (phase === "denied") return request && answer ? "" : ansi.dim(endText || "denied");
  const time = /\d m?s\b/.test(endText) ? "" : duration;
  if (phase === "failed") return joined(ansi.failure(endText || "failed"), ansi.dim(time), style);
  const counts = result?.view?.type === "diff" ? diffCounts(result.view, style) : "";
  return counts || ansi.dim(joined(endText, time, style));
}

const joined = (a: string, b: string, { ansi }: TerminalStyle): string => (a && b ? a + ansi.dim(" · ") + b : a || b);

/** The body of a call, and the new errors that its edits caused. */
function bodyLines(entry: CallEntry, style: TerminalStyle, extent: ViewDetail): string[] {
  const found = entry.diagnostics ? viewLines(entry.diagnostics.view, style, extent, INDENT) : [];
  return [...resultLines(entry, style, extent), ...found];
}

function resultLines({ phase, result }: CallEntry, style: TerminalStyle, extent: ViewDetail): string[] {
  if (!result) return [];
  const { view, text } = result;
  if (phase === "unknown" && view)
    return [...barred(text.split("\n\n", 1)[0] ?? "", style, extent), ...viewLines(view, style, extent, INDENT)];
  if (phase === "unknown") return barred(text, style, extent);
  if (phase === "denied") return extent === "all" ? barred(text, style, extent) : [];
  if (view && (extent !== "short" || SHOWN_AT_ONCE.has(view.type) || (view.type === "text" && view.format === "markdown")))
    return viewLines(view, style, extent, INDENT);
  if (phase === "failed" || extent === "all") return barred(text, style, extent);
  return [];
}

const SHOWN_AT_ONCE = new Set(["diff", "terminal", "list", "link"]);
const FAILURE_LINES = 6;

function barred(text: string, style: TerminalStyle, extent: ViewDetail): string[] {
  const bar = `${" ".repeat(INDENT)}${style.ansi.dim("│")} `;
  const lines = sanitize(text)
    .trim()
    .split("\n")
    .flatMap((line) => hangingIndent(line, bar, contentWidth(style), { rest: bar, trim: false }));
  return extent === "all" || lines.length <= FAILURE_LINES + 1
    ? lines
    : [
        ...lines.slice(0, FAILURE_LINES),
        `${" ".repeat(INDENT)}${style.ansi.dim([`│ … ${lines.length - FAILURE_LINES} more lines`, keyHint(style, "expandCall", "shows all")].filter(Boolean).join(", "))}`,
      ];
}

const ANSWER_TEXTS: Record<string, string> = {
  once: "allowed once",
  session: "allowed for this session",
  workspace: "allowed for this workspace",
  deny: "refused",
};

/** The line that remains of a request: the answer, its origin, the delay and the note. */
function recordLines(
  { request, answer, answeredBy, phase }: CallEntry,
  style: TerminalStyle,
  seenAnswer: AnswerNote | undefined,
): string[] {
  if (!request || !answer) return [];
  const label = request.choices.find(({ id }) => id === answer.choice)?.label;
  const answered = ANSWER_TEXTS[answer.choice ?? ""] ?? `answered ${quoted(label ?? answer.text ?? "")}`;
  const after = seenAnswer && phase !== "denied" ? `, after ${formatAge(seenAnswer.at - request.openedAt)}` : "";
  const note = answer.note ? `: ${quoted(answer.note)}` : "";
  const bar = `${" ".repeat(INDENT)}${style.ansi.dim("│")} `;
  const where = answerOrigin(answeredBy, { reader: "terminal", here: seenAnswer?.here ?? false, elsewhere: seenAnswer !== undefined });
  return hangingIndent(style.ansi.dim(`${answered} ${where}${after}${note}`), bar, contentWidth(style), { rest: bar });
}

const quoted = (text: string): string => `“${oneLine(text)}”`;

/** The text of a call that ends the turn is drawn like a reply. */
function endingLines({ result }: CallEntry, style: TerminalStyle, extent: ViewDetail): string[] {
  if (!result) return [];
  return viewLines(result.view ?? { type: "text", text: result.text, format: "markdown" }, style, extent, 2);
}

/** A running call as one line, with its duration and its last line of output. */
export function runningLine(entry: CallEntry, style: TerminalStyle, { since, output }: { since: number; output: string }): string {
  const end = style.ansi.dim(formatDuration(Math.max(0, style.now - since)).replace(/\.\d s$/, " s"));
  const object = oneLine(entry.label.object);
  const start = `  … ${fitToWidth(oneLine(entry.label.verb), 7)} `;
  const left = contentWidth(style) - displayWidth(start) - displayWidth(end) - 2;
  const visible =
    output === "" || displayWidth(object) > left - 10
      ? truncate(object, left)
      : `${object}  ${style.ansi.dim(truncate(oneLine(output), left - displayWidth(object) - 2))}`;
  return justify(start + visible, end, contentWidth(style)) ?? truncate(start + object, contentWidth(style));
}
