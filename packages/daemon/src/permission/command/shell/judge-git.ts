import { existsSync } from "node:fs";
import path from "node:path";
import { isUntouched, type GateFindings } from "../gate-findings.ts";
import { isFolder } from "../files/path-on-disk.ts";
import { trackedBelow } from "../files/path-accesses.ts";
import { restoredPaths } from "../git/changed-paths.ts";
import { DISCARDS_UNCOMMITTED } from "../git/git.ts";
import { repositoryOf } from "../git/git-index.ts";
import { strangeRemote } from "../git/git-remotes.ts";
import { foldersOf, bareRepositoryReason } from "../git/embedded-repositories.ts";
import { filesPrintedByGit, subCommandAt } from "../git/printed-files.ts";
import { ignoredIn } from "../programs/search-programs.ts";
import { judgePath } from "./judge-path.ts";
import type { ShellContext } from "./shell-context.ts";
import { literal, type Word } from "../words/word.ts";

/**
 * Judges what a git call reads, prints and changes in its repository. Files that the text itself has staged count like tracked ones. With
 * `git add --force`, git reads ignored files.
 */
export function judgeGitCall(words: readonly Word[], context: ShellContext, findings: GateFindings): void {
  const at = subCommandAt(words);
  for (const strange of [bareRepositoryReason(words, context, findings.made), strangeRemote(at, words, context)])
    if (strange !== undefined) findings.doubts.add(strange);
  for (const { path: file, chooses, keys } of filesPrintedByGit(words, context, context.isRepeated !== true && isUntouched(findings))) {
    if (chooses) {
      findings.accesses.push(...trackedBelow(file, chooses, context));
      if (findings.staged.size > 0) judgeStaged(file, chooses, context, findings);
    } else judgePath({ word: literal(file), use: "searches" }, context, findings);
    if (!keys) findings.doubts.add("prints what git tracks, and it is not clear which keys are among that");
    for (const key of keys ?? []) judgePath({ word: literal(key), use: "reads" }, context, findings);
  }
  for (const folder of foldersOf(words.slice(0, Math.max(at, 0)), context)) {
    const staged = stagedBy(words[at]?.text ?? "", words.slice(at + 1), folder);
    if (staged) findings.staged.add(staged);
    if (staged === "ignored") judgeStaged(repositoryOf(folder)?.root ?? folder, () => true, context, findings);
    const placed = restoredPaths(words[at]?.text ?? "", words.slice(at + 1), ({ text }) => existsSync(path.resolve(folder, text)));
    for (const { kind, text } of placed) {
      if (kind === "open") continue;
      if (isFolder(path.resolve(folder, text))) findings.doubts.add(DISCARDS_UNCOMMITTED);
      judgePath({ word: literal(path.resolve(folder, text)), use: "edits" }, context, findings);
    }
  }
}

/** Judges the files of a repository that git does not track, as far as the text stages them and git prints them. */
function judgeStaged(root: string, chooses: (file: string) => boolean, context: ShellContext, findings: GateFindings): void {
  const isIgnored = findings.staged.has("ignored") ? () => false : ignoredIn(root);
  const isLeftOut = (_: string, below: string) => below.startsWith(".git/") || isIgnored(below) || !chooses(path.join(root, below));
  judgePath({ word: literal(root), use: "searches", search: { leavesOut: () => isLeftOut } }, context, findings);
}

/** Returns which files a call stages, unless it names each of them. */
function stagedBy(name: string, words: readonly Word[], folder: string): "plain" | "ignored" | undefined {
  const has = (flag: RegExp) => words.some(({ text }) => flag.test(text));
  if (name === "stash") return has(/^-[a-z]*u|^--inc/) ? "plain" : undefined;
  if (name !== "add" && name !== "stage") return undefined;
  const operands = words.filter(({ text }) => !text.startsWith("-"));
  const isNamed = operands.every(
    ({ kind, text }) => kind === "literal" && !/^:|[*?[\\]/.test(text) && !isFolder(path.resolve(folder, text)),
  );
  if (isNamed && !has(/^-[a-z]*A|^--a/)) return undefined;
  return has(/^-[a-zA-Z]*f|^--f/) ? "ignored" : "plain";
}
