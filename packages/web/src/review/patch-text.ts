import type { DiffView, Hunk } from "@baton/core/protocol/tool-view";

/** The changes as a patch for `git apply`. */
export const patchText = (views: readonly DiffView[]): string => views.map(filePatch).join("");

function filePatch({ path, change, hunks }: DiffView): string {
  const [before, after] = [change === "create" ? "/dev/null" : `a/${path}`, change === "delete" ? "/dev/null" : `b/${path}`];
  const mode = change === "create" ? "new file mode 100644\n" : change === "delete" ? "deleted file mode 100644\n" : "";
  return `diff --git a/${path} b/${path}\n${mode}--- ${before}\n+++ ${after}\n${hunks.map(hunkText).join("")}`;
}

function hunkText({ oldStart, newStart, lines }: Hunk): string {
  const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length;
  return `@@ -${range(oldStart, count("+"))} +${range(newStart, count("-"))} @@\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** An empty side begins before its first line. */
const range = (start: number, count: number): string => (count === 0 ? `${Math.max(start - 1, 0)},0` : `${start},${count}`);
