import { existsSync } from "node:fs";
import path from "node:path";
import { isUntouched, type GateFindings } from "../gate-findings.ts";
import { isFolder } from "../files/path-on-disk.ts";
import { trackedBelow } from "../files/path-accesses.ts";
import { restoredPaths } from "../git/changed-paths.ts";
import { DISCARDS_UNCOMMITTED } from "../git/git.ts";
import { strangeRemote } from "../git/git-remotes.ts";
import { foldersOf, bareRepositoryReason } from "../git/embedded-repositories.ts";
import { filesPrintedByGit, subCommandAt } from "../git/printed-files.ts";
import { judgePath } from "./judge-path.ts";
import type { ShellContext } from "./shell-context.ts";
import { literal, type Word } from "../words/word.ts";

/** Judges what a git call reads, prints and changes in its repository. */
export function judgeGitCall(words: readonly Word[], context: ShellContext, findings: GateFindings): void {
  const at = subCommandAt(words);
  for (const strange of [bareRepositoryReason(words, context, findings.made), strangeRemote(at, words, context)])
    if (strange !== undefined) findings.doubts.add(strange);
  for (const { path: file, chooses, keys } of filesPrintedByGit(words, context, context.isRepeated !== true && isUntouched(findings))) {
    if (chooses) findings.accesses.push(...trackedBelow(file, chooses, context));
    else judgePath({ word: literal(file), use: "searches" }, context, findings);
    if (!keys) findings.doubts.add("prints what git tracks, and it is not clear which keys are among that");
    for (const key of keys ?? []) judgePath({ word: literal(key), use: "reads" }, context, findings);
  }
  for (const folder of foldersOf(words.slice(0, Math.max(at, 0)), context)) {
    const placed = restoredPaths(words[at]?.text ?? "", words.slice(at + 1), ({ text }) => existsSync(path.resolve(folder, text)));
    for (const { kind, text } of placed) {
      if (kind === "open") continue;
      if (isFolder(path.resolve(folder, text))) findings.doubts.add(DISCARDS_UNCOMMITTED);
      judgePath({ word: literal(path.resolve(folder, text)), use: "edits" }, context, findings);
    }
  }
}
