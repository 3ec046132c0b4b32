import type { LineChange } from "../line-changes.ts";

/** One file of a patch. */
export type FilePatch =
  | { kind: "add"; path: string; text: string }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; to?: string; hunks: PatchHunk[] };

/**
 * `anchors`: lines such as the head of a class and then of a method. The hunk is searched after them. `line`: the first old line by a unified
 * header. `atEnd`: the hunk is at the end of the file.
 */
export type PatchHunk = { anchors: string[]; changes: HunkLine[]; line?: number; atEnd?: true };

/** A line of a hunk. `bare`: the model wrote it without a mark, so it counts as context. */
export type HunkLine = LineChange & { bare?: true };
