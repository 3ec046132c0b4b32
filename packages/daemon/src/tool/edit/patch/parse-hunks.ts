import type { PatchHunk } from "./patch-types.ts";
import { isEndOfFile } from "./patch-markers.ts";

const UNIFIED = /^@@+ ?-(\d+)(?:,\d+)? \+\d+(?:,\d+)?/;
const NO_LINE_END = /^\\ No newline/;

/** Parses the lines below the header of an updated file. Lines without a mark count as context. */
export function parseHunks(body: readonly string[]): PatchHunk[] {
  const hunks: PatchHunk[] = [];
  const open = (): PatchHunk => {
    const last = hunks.at(-1);
    if (last) return last;
    const hunk = { anchors: [], changes: [] };
    hunks.push(hunk);
    return hunk;
  };
  for (const line of body) {
    if (isEndOfFile(line) && line.startsWith("*")) open().atEnd = true;
    else if (line.startsWith("@@")) openHunk(line, hunks);
    else if (!NO_LINE_END.test(line)) open().changes.push(hunkLine(line));
  }
  return hunks;
}

/** Consecutive headers belong to one hunk. */
function openHunk(header: string, hunks: PatchHunk[]): void {
  const last = hunks.at(-1);
  const hunk: PatchHunk = last?.changes.length === 0 ? last : { anchors: [], changes: [] };
  if (hunk !== last) hunks.push(hunk);
  const line = UNIFIED.exec(header)?.[1];
  if (line !== undefined) hunk.line = Number(line);
  const anchor = header
    .replace(UNIFIED, "")
    .replace(/^\s*@@+/, "")
    .replace(/@@\s*$/, "")
    .trim();
  if (anchor !== "" && !/^\.{3}$/.test(anchor)) hunk.anchors.push(anchor);
}

function hunkLine(line: string): PatchHunk["changes"][number] {
  const mark = line[0];
  if (mark === "+" || mark === "-" || mark === " ") return { mark, text: line.slice(1) };
  return { mark: " ", text: line, bare: true };
}
