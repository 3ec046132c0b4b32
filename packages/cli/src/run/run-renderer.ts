import type { Request } from "@baton/core/protocol/request";
import { isUnfinishedCall, type Entry, entryKind } from "@baton/core/session/transcript/entry";
import { emptyTranscript } from "@baton/core/session/transcript/transcript";
import { foldTranscript } from "@baton/core/session/transcript/build-transcript";
import { answerLines } from "../render/request/answer-hint.ts";
import { entryLines } from "../render/transcript/entry.ts";
import { requestLines } from "../render/request/request.ts";
import { needsBlankLine } from "../render/transcript/transcript.ts";
import { terminalStyle } from "../commands/output.ts";
import type { RequestCircumstances } from "./request-policy.ts";
import type { TurnEvent } from "./turn-collector.ts";

/**
 * Draws entries when they are final. In a terminal everything goes to stdout; otherwise everything except the answer goes
 * to stderr.
 */
export function runRenderer(): (item: TurnEvent) => void {
  const transcript = emptyTranscript();
  const drawn = new Set<string>();
  const stream = process.stdout.isTTY ? process.stdout : process.stderr;
  let previous: Entry["kind"] | undefined;
  return (item) => {
    if (!("event" in item)) return;
    foldTranscript(transcript, item.event);
    for (const entry of transcript.entries) {
      const key = entry.kind === "reply" ? `${entry.id} ${entry.attempt}` : entry.id; // every failed attempt is reported
      if (drawn.has(key) || !isFinal(entry)) continue;
      drawn.add(key);
      if (entry.kind === "prompt" || (entry.kind === "reply" && !process.stdout.isTTY && !entry.failure)) continue;
      const lines = entryLines(entry, terminalStyle(stream));
      if (lines.length === 0) continue;
      stream.write(`${previous && needsBlankLine(previous, entryKind(entry)) ? "\n" : ""}${lines.join("\n")}\n`);
      previous = entryKind(entry);
    }
  };
}

const isFinal = (entry: Entry): boolean =>
  entry.kind === "call" ? !isUnfinishedCall(entry) : entry.kind !== "reply" || entry.phase !== "running";

/** Draws a request that `--on-request` answers or leaves open. For an open request it shows how to answer it. */
export function drawRequest(request: Request, { mode, left }: RequestCircumstances): void {
  const style = terminalStyle(process.stderr);
  const lines = [
    ...requestLines(request, { mode, nth: 1, of: 1 }, style, {}, "none"),
    ...(left ? ["", ...answerLines(request).map((line) => `  ${line}`)] : []),
  ];
  process.stderr.write(`\n${lines.join("\n")}\n\n`);
}
