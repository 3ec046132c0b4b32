import { formatCount } from "@baton/core/text/format";
import { isUnfinishedCall, type CallEntry, type Entry, type ReplyEntry, entryKind } from "@baton/core/session/transcript/entry";
import type { Transcript } from "@baton/core/session/transcript/transcript";
import { callLines, runningLine, type AnswerNote } from "../../render/transcript/call.ts";
import { entryLines, failureLines, indented, modelChangeLines, proseWidth } from "../../render/transcript/entry.ts";
import { truncate, hangingIndent, contentWidth, keyHint, wrap, type TerminalStyle } from "../../render/layout.ts";
import { endOfTable, markdownLine, type MarkdownState } from "../../render/markdown.ts";
import { lastLine } from "../../render/command-output.ts";
import { needsBlankLine } from "../../render/transcript/transcript.ts";
import { oneLine } from "@baton/core/text/sanitize";
import type { StreamingState } from "@baton/core/client/streaming-state";

/** Lines for the scrollback, and lines that may still change. */
export type PrintedEntry = { lines: string[]; live: string[] };

type Kind = Entry["kind"] | "other";
type Reply = { attempt: number; model: string; taken: number; rows: number; fence: MarkdownState };

const LIVE_CALLS = 4;
const LIVE_ROWS = 6;

/** Prints a transcript into the scrollback: each entry when it is final, a reply line by line. It prints nothing twice. */
export class Scrollback {
  readonly #done = new Set<string>();
  readonly #replies = new Map<string, Reply>();
  #above: Kind | undefined = "other";
  #blank = false;
  #first = 0;
  /** The id of the entry before `#first`. If it is missing, the session was rewound. */
  #last: string | undefined;

  /** Everything new since the last call. */
  take(
    transcript: Transcript,
    streams: StreamingState,
    style: TerminalStyle,
    answerTo: (entry: CallEntry) => AnswerNote | undefined,
    held = false,
  ): PrintedEntry {
    const lines: string[] = [];
    const live: string[] = [];
    const running: CallEntry[] = [];
    if (this.#last !== transcript.entries[this.#first - 1]?.id) this.#first = 0;
    for (let i = this.#first; i < transcript.entries.length; i++) {
      const entry = transcript.entries[i];
      if (!entry || this.#done.has(entry.id)) continue;
      if (entry.kind === "reply") this.#reply(entry, streams, style, lines, live);
      else if (entry.kind === "call" && isUnfinishedCall(entry)) {
        if (entry.phase !== "waiting") running.push(entry);
        continue;
      } else {
        const drawn = entryLines(entry, style, entry.kind === "call" ? answerTo(entry) : undefined);
        this.#put(entryKind(entry), entry.kind === "prompt" ? shortened(drawn, style) : drawn, lines);
        this.#done.add(entry.id);
      }
    }
    while (this.#first < transcript.entries.length && this.#done.has(transcript.entries[this.#first]?.id ?? "")) this.#first++;
    this.#last = transcript.entries[this.#first - 1]?.id;
    for (const entry of running.slice(0, LIVE_CALLS))
      live.push(
        runningLine(entry, style, { since: entry.startedAt ?? entry.at, output: lastLine(streams.outputs.get(entry.id)?.text ?? "") }),
      );
    if (running.length > LIVE_CALLS) live.push(style.ansi.dim(`    … ${running.length - LIVE_CALLS} more`));
    for (const { text, slash, delivery } of transcript.queued.values())
      live.push(
        ...hangingIndent(
          style.ansi.dim(oneLine(slash ?? text)),
          style.ansi.dim(held ? "  held › " : delivery === "steer" ? "  steers › " : "  queued › "),
          proseWidth(style),
        ),
      );
    return { lines, live };
  }

  /** Lines of the client itself, after an empty line. */
  other(lines: readonly string[]): string[] {
    const set = this.#above === undefined ? [...lines] : ["", ...lines];
    this.#above = "other";
    return set;
  }

  /** All of a call that was already printed in short form. */
  expand(entry: CallEntry, style: TerminalStyle, answer: AnswerNote | undefined): string[] {
    return this.other(callLines(entry, style, { extent: "all", answer }));
  }

  #put(kind: Kind, drawn: readonly string[], lines: string[]): void {
    if (drawn.length === 0) return;
    if (this.#above && (this.#above === "other" || kind === "other" || needsBlankLine(this.#above, kind))) lines.push("");
    lines.push(...drawn);
    this.#above = kind;
  }

  /** Prints complete lines of a reply. The incomplete line stays in the redrawn part. */
  #reply(entry: ReplyEntry, streams: StreamingState, style: TerminalStyle, lines: string[], live: string[]): void {
    const before = this.#replies.get(entry.id);
    const fresh: Reply = { attempt: entry.attempt, model: entry.model, taken: 0, rows: 0, fence: { open: false } };
    if (before && before.attempt !== entry.attempt && before.taken > 0)
      this.#put("other", [style.ansi.dim("  – interrupted; Baton asks the model again")], lines);
    if (before?.model !== entry.model) this.#put("reply", modelChangeLines(entry, style), lines);
    const progress = before?.attempt === entry.attempt ? before : fresh;
    this.#replies.set(entry.id, progress);
    const running = entry.phase === "running";
    const streamed = streams.reply?.step === entry.step && streams.reply.attempt === entry.attempt ? streams.reply.text : "";
    const text = running && streamed.length > entry.text.length ? streamed : entry.text;
    this.#print(text, running, progress, style, lines, live);
    if (running) {
      if (streams.reply?.step === entry.step && streams.reply.call) live.push(style.ansi.dim(`  · ${comingText(streams.reply.call)}`));
      return;
    }
    const failure = failureLines(entry, style);
    if (entry.failure?.retryAt !== undefined && entry.phase === "cut") {
      live.push(...failure); // a retry follows, so the reply is not final
      return;
    }
    if (failure.length > 0 && (entry.failure || progress.taken > 0)) this.#put("other", failure, lines);
    this.#done.add(entry.id);
    this.#replies.delete(entry.id);
  }

  #print(text: string, running: boolean, progress: Reply, style: TerminalStyle, lines: string[], live: string[]): void {
    for (;;) {
      const end = text.indexOf("\n", progress.taken);
      if (end < 0) break;
      this.#line(text.slice(progress.taken, end), progress, style, lines);
      progress.taken = end + 1;
    }
    const rest = text.slice(progress.taken);
    if (!running) {
      if (rest !== "") this.#line(rest, progress, style, lines);
      progress.taken = text.length;
      return this.#endTable(progress, style, lines);
    }
    if (progress.fence.table && rest.trim() !== "" && !rest.trimStart().startsWith("|")) this.#endTable(progress, style, lines);
    live.push(...(progress.fence.table ?? []).slice(-LIVE_ROWS).map((row) => `  ${truncate(row, contentWidth(style) - 2)}`));
    if (rest === "") return;
    const whole = /\s$/.test(rest) ? rest : rest.replace(/\S+$/, ""); // text arrives in whole words
    const drawn: MarkdownState = { open: progress.fence.open };
    const rows = [...this.#draw(whole, drawn, style), ...(drawn.table ?? []).map((row) => `  ${row}`)].slice(progress.rows);
    const over = Math.max(0, rows.length - LIVE_ROWS);
    if (over > 0) {
      this.#prose(rows.slice(0, over), lines);
      progress.rows += over;
    }
    // Redrawn lines must fit the screen. The complete line is printed unwrapped.
    live.push(
      ...rows
        .slice(over)
        .flatMap((row) => wrap(row, contentWidth(style), { trim: false }))
        .slice(-LIVE_ROWS),
    );
  }

  #endTable(progress: Reply, style: TerminalStyle, lines: string[]): void {
    this.#prose(indented(endOfTable(progress.fence, style, contentWidth(style) - 2)), lines);
  }

  #line(source: string, progress: Reply, style: TerminalStyle, lines: string[]): void {
    const rows = this.#draw(source, progress.fence, style).slice(progress.rows);
    progress.rows = 0;
    this.#prose(source.trim() === "" ? rows.filter((row) => row !== "") : rows, lines);
    if (source.trim() === "") this.#blank = this.#above === "reply"; // printed when something follows
  }

  #draw(source: string, fence: MarkdownState, style: TerminalStyle): string[] {
    return markdownLine(source, fence, style, proseWidth(style), contentWidth(style) - 2).map((row) =>
      row.trim() === "" ? "" : `  ${row}`,
    );
  }

  #prose(rows: readonly string[], lines: string[]): void {
    if (rows.length === 0) return;
    if (this.#above && (this.#above !== "reply" || this.#blank)) lines.push("");
    this.#blank = false;
    lines.push(...rows);
    this.#above = "reply";
  }
}

const comingText = ({ tool, characters }: { tool: string; characters: number }): string =>
  characters === 0 ? `writes ${oneLine(tool)}` : `writes ${oneLine(tool)}, ${formatCount(characters, "character")}`;

const MAX_PROMPT_LINES = 12;

/** The beginning of a long prompt, so that a paste does not fill the screen. */
function shortened(lines: string[], style: TerminalStyle): string[] {
  if (lines.length <= MAX_PROMPT_LINES) return lines;
  const shown = lines.slice(0, MAX_PROMPT_LINES - 2);
  const more = `… ${formatCount(lines.length - shown.length, "more line")}`;
  return [...shown, `  ${style.ansi.dim([more, keyHint(style, "transcript", "shows all")].filter(Boolean).join(", "))}`];
}
