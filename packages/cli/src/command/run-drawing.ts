import type { Request } from "@baton/core/protocol/request";
import { emptyTranscript, foldTranscript, isOpen, type Entry } from "@baton/core/session/transcript";
import { entryLines } from "../render/entry.ts";
import { requestLines } from "../render/request.ts";
import { apart, kindOf } from "../render/transcript.ts";
import { lookNow } from "./output.ts";
import type { Told } from "./run-turn.ts";

/** Draws entries as they come to their end. On a terminal all of it goes to stdout, else all but the answer to stderr. */
export function runDrawing(): (told: Told) => void {
  const transcript = emptyTranscript();
  const drawn = new Set<string>();
  const stream = process.stdout.isTTY ? process.stdout : process.stderr;
  let above: Entry["kind"] | undefined;
  return (told) => {
    if (!("event" in told)) return;
    foldTranscript(transcript, told.event);
    for (const entry of transcript.entries) {
      if (drawn.has(entry.id) || !isFinal(entry)) continue;
      drawn.add(entry.id);
      if (entry.kind === "prompt" || (entry.kind === "reply" && !process.stdout.isTTY && !entry.failure)) continue;
      const lines = entryLines(entry, lookNow(stream));
      if (lines.length === 0) continue;
      stream.write(`${above && apart(above, kindOf(entry)) ? "\n" : ""}${lines.join("\n")}\n`);
      above = kindOf(entry);
    }
  };
}

const isFinal = (entry: Entry): boolean => (entry.kind === "call" ? !isOpen(entry) : entry.kind !== "reply" || entry.phase !== "running");

/** A request that is answered by a rule of the command line, or left to others. */
export function drawRequest(request: Request): void {
  process.stderr.write(
    `\n${requestLines(request, { mode: "request", nth: 1, of: 1 }, lookNow(process.stderr)).slice(0, -1).join("\n")}\n\n`,
  );
}
