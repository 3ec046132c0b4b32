import { entryKind, isUnfinishedCall, type Entry } from "@baton/core/session/transcript/entry";
import type { Transcript } from "@baton/core/session/transcript/transcript";
import { callLine } from "./call.ts";
import { entryLines } from "./entry.ts";
import type { TerminalStyle } from "../layout.ts";

/** The lines of a whole transcript. Open calls show their line. */
export function drawTranscript({ entries }: Pick<Transcript, "entries">, style: TerminalStyle): string[] {
  const lines: string[] = [];
  let before: Entry | undefined;
  for (const entry of entries) {
    const drawn =
      entry.kind === "call" && isUnfinishedCall(entry)
        ? callLine(entry, style, entry.phase === "waiting" ? style.ansi.attention("needs you") : "")
        : entryLines(entry, style);
    if (drawn.length === 0) continue;
    if (before && needsBlankLine(entryKind(before), entryKind(entry))) lines.push("");
    lines.push(...drawn);
    before = entry;
  }
  return lines;
}

/** Whether an empty line separates two entries. Calls and transitions stay together. */
export const needsBlankLine = (previous: Entry["kind"], next: Entry["kind"]): boolean =>
  previous !== next || (previous !== "call" && previous !== "transition");
