import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { DiffView, Hunk } from "@baton/core/protocol/tool-view";
import { lineEndsText } from "@baton/core/text/format";
import { structuredPatch } from "diff";
import { withUnifiedLineEnds } from "./ignore-line-ends.ts";

const CONTEXT = 3;
const MAX_MS = 200;

/** The changes of a file as a view. `before` is undefined for a new file. */
export function diffView(path: string, before: string | undefined, after: string): DiffView {
  const { lineEnds, ...texts } = withUnifiedLineEnds(before, after);
  const hunks = hunksOf(texts.before, texts.after);
  const count = (sign: string) => hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return {
    type: "diff",
    path,
    change: before === undefined ? "create" : "change",
    added: count("+"),
    removed: count("-"),
    hunks,
    ...omitUndefined({ lineEnds }),
  };
}

/** `+4 −2`. A side without changes is left out. */
export function endOfDiff({ added, removed, lineEnds }: DiffView): string {
  if (added === 0 && removed === 0) return lineEnds ? lineEndsText(lineEnds) : "no change";
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(" ");
}

function hunksOf(before: string, after: string): Hunk[] {
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context: CONTEXT, timeout: MAX_MS });
  if (!patch) return [replaced(before, after)];
  return patch.hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart,
    newStart,
    lines: lines.filter((line) => !line.startsWith("\\")),
  }));
}

/** For texts with too little in common: everything between their equal beginning and end. */
function replaced(before: string, after: string): Hunk {
  const old = before.split("\n");
  const now = after.split("\n");
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end).map((line) => `-${line}`);
  return { oldStart: start + 1, newStart: start + 1, lines: [...removed, ...now.slice(start, now.length - end).map((line) => `+${line}`)] };
}

/** The deletion of a file as a view. */
export function deletionView(path: string, before: string): DiffView {
  return { ...diffView(path, before, ""), change: "delete" };
}

/** A change as a text: its kind, its path and its hunks. */
export const textOfDiff = ({ change, path, hunks }: DiffView): string =>
  [`${change} ${path}`, ...hunks.flatMap(({ oldStart, lines }) => [`@@ ${oldStart}`, ...lines])].join("\n");

const MAX_TEXT = 4_000;

/** Changes as a text for the model, within a limit. */
export function diffText(views: readonly DiffView[]): string {
  const text = views.map(textOfDiff).join("\n");
  return text.length > MAX_TEXT
    ? `${text.slice(0, MAX_TEXT).toWellFormed()}\n… the diff is cut here; read the files to see the rest.`
    : text;
}
