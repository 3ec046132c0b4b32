import path from "node:path";
import { isUntouched, type GateFindings } from "../gate-findings.ts";
import { exists, isFolder } from "../files/path-on-disk.ts";
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
  const before = words.slice(0, Math.max(at, 0));
  for (const strange of [bareRepositoryReason(words, context, findings.made), strangeRemote(at, words, context)])
    if (strange !== undefined) findings.doubts.add(strange);
  if (findings.brings && foldersOf(before, context).some((folder) => !exists(folder)))
    findings.doubts.add("works in a folder that the text itself brings, which may be a repository with settings of its own");
  for (const { path: file, chooses, keys, untracked } of filesPrintedByGit(
    words,
    context,
    context.isRepeated !== true && isUntouched(findings),
  )) {
    if (chooses) {
      findings.accesses.push(...trackedBelow(file, chooses, context));
      if (findings.staged.size > 0 || untracked)
        judgeUntracked(file, chooses, { isAll: untracked === "ignored" || findings.staged.has("ignored") }, context, findings);
      for (const staged of findings.stagedFiles) if (chooses(staged)) judgePath({ word: literal(staged), use: "reads" }, context, findings);
    } else judgePath({ word: literal(file), use: "searches" }, context, findings);
    if (!keys) findings.doubts.add("prints what git tracks, and it is not clear which keys are among that");
    for (const key of keys ?? []) judgePath({ word: literal(key), use: "reads" }, context, findings);
  }
  for (const folder of foldersOf(before, context)) {
    const staged = stagedBy(words[at]?.text ?? "", words.slice(at + 1), folder);
    if (staged === "ignored") judgeUntracked(repositoryOf(folder)?.root ?? folder, () => true, { isAll: true }, context, findings);
    if (typeof staged === "string") findings.staged.add(staged);
    else for (const file of staged) findings.stagedFiles.add(file);
    const placed = restoredPaths(words[at]?.text ?? "", words.slice(at + 1), ({ text }) => exists(path.resolve(folder, text)));
    for (const { kind, text } of placed) {
      if (kind === "open") continue;
      if (isFolder(path.resolve(folder, text))) findings.doubts.add(DISCARDS_UNCOMMITTED);
      judgePath({ word: literal(path.resolve(folder, text)), use: "edits" }, context, findings);
    }
  }
}

/** Judges the files of a repository that git does not track but prints. `isAll`: also those that it ignores. */
function judgeUntracked(
  root: string,
  chooses: (file: string) => boolean,
  { isAll }: { isAll: boolean },
  context: ShellContext,
  findings: GateFindings,
): void {
  const isIgnored = isAll || IGNORES.test(context.place.text) ? () => false : ignoredIn(root);
  const isLeftOut = (_: string, below: string) => below.startsWith(".git/") || isIgnored(below) || !chooses(path.join(root, below));
  judgePath({ word: literal(root), use: "searches", search: { leavesOut: () => isLeftOut } }, context, findings);
}

/** Files with which a text may change what git ignores. */
const IGNORES = /gitignore|info\/excl|excludesfile/i;

/** Returns which files a call stages: any `plain` ones, also `ignored` ones, or the files that it names. */
function stagedBy(name: string, words: readonly Word[], folder: string): "plain" | "ignored" | string[] {
  const has = (flag: RegExp) => words.some(({ text }) => flag.test(text));
  if (name === "stash") return has(/^-[a-z]*u|^--i/) ? "plain" : [];
  if (!/^(add|stage|commit)$/.test(name)) return [];
  const operands = words.filter(({ text }, i) => !text.startsWith("-") && !(name === "commit" && TEXT.test(words[i - 1]?.text ?? "")));
  const isNamed = operands.every(
    ({ kind, text }) => kind === "literal" && !/^:|[*?[\\]/.test(text) && !isFolder(path.resolve(folder, text)),
  );
  const isWhole = name !== "commit" && has(/^-[a-z]*A|^--(al?l?$|no-ig)/);
  // Git takes `..` as text.
  if (isNamed && !isWhole && !has(/^--pathspec/)) return operands.map(({ text }) => path.resolve(folder, text));
  return has(/^-[a-zA-Z]*f|^--f/) && name !== "commit" ? "ignored" : "plain";
}

/** Flags of `git commit` whose value is no path. */
const TEXT = /^(-[a-z]*[mFCct]|--(message|file|reuse|reedit|template|author|date|fixup|squash|cleanup|trailer)\S*)$/;
