import { isOpen, type Entry, type Transcript } from "@baton/core/session/transcript";
import { callLine } from "./call.ts";
import { entryLines } from "./entry.ts";
import type { TerminalStyle } from "../layout.ts";

/** A whole transcript at once; calls that are open stand there by their line. */
export function drawTranscript({ entries }: Pick<Transcript, "entries">, look: TerminalStyle): string[] {
  const lines: string[] = [];
  let before: Entry | undefined;
  for (const entry of entries) {
    const drawn =
      entry.kind === "call" && isOpen(entry)
        ? callLine(entry, look, entry.phase === "waiting" ? look.ink.attention("needs you") : "")
        : entryLines(entry, look);
    if (drawn.length === 0) continue;
    if (before && apart(entryKind(before), entryKind(entry))) lines.push("");
    lines.push(...drawn);
    before = entry;
  }
  return lines;
}

/** How an entry is drawn: the last word of a turn is prose, though a call brought it. */
export const entryKind = (entry: Entry): Entry["kind"] => (entry.kind === "call" && entry.result?.ends ? "reply" : entry.kind);

/** Calls stand close together, and thin lines too; all else is set apart by an empty line. */
export const apart = (above: Entry["kind"], below: Entry["kind"]): boolean =>
  above !== below || (above !== "call" && above !== "transition");
