import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";
import { gitLine, nulSeparated, type Git } from "../git/git.ts";

/** How many files were copied, and what could not be copied. */
export type CopyReport = { copied: number; problems: string[] };

const INCLUDE_FILE = ".worktreeinclude";
const MAX_FILES = 50_000;
const SHOWN_PROBLEMS = 5;

/**
 * Copies ignored files into a new worktree: those that `.worktreeinclude` names (in the syntax of .gitignore, as Claude Code and opencode
 * read it), and the folder of `core.hooksPath` if it is ignored, so that hooks run. Files that git tracks are there already. The contents
 * share their storage where the file system supports it.
 */
export async function copyIgnoredFiles(source: Git, { checkout, root }: { checkout: string; root: string }): Promise<CopyReport> {
  const files = [...new Set([...(await includedFiles(source, checkout)), ...(await hookFiles(source, checkout))])];
  if (files.length > MAX_FILES)
    return {
      copied: 0,
      problems: [`${INCLUDE_FILE} names ${files.length} files. Nothing was copied, because more than ${MAX_FILES} are not allowed.`],
    };
  const problems: string[] = [];
  let copied = 0;
  for (const file of files) {
    const problem = await copyOne(path.join(checkout, file), path.join(root, file));
    if (problem === undefined) copied++;
    else problems.push(`${file} could not be copied: ${problem}`);
  }
  return { copied, problems: problems.slice(0, SHOWN_PROBLEMS) };
}

/** Untracked files that match a line of `.worktreeinclude` and that git ignores. Other untracked files are work in progress. */
async function includedFiles(git: Git, checkout: string): Promise<string[]> {
  const include = path.join(checkout, INCLUDE_FILE);
  if (!(await lstat(include).catch(() => undefined))?.isFile()) return [];
  const matching = await git(["ls-files", "-z", "--others", "--ignored", `--exclude-from=${include}`], { cwd: checkout });
  if (!matching.ok || matching.out === "") return [];
  const ignored = await git(["check-ignore", "-z", "--stdin"], { cwd: checkout, input: matching.out });
  return ignored.ok ? nulSeparated(ignored.out) : []; // it fails when none is ignored
}

/** Tools such as husky keep the hooks in an ignored folder of each checkout. */
async function hookFiles(git: Git, checkout: string): Promise<string[]> {
  const hooks = await gitLine(git, ["config", "--get", "core.hooksPath"], { cwd: checkout });
  if (hooks === undefined || path.isAbsolute(hooks) || hooks.startsWith("..")) return [];
  const found = await git(["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", hooks], { cwd: checkout });
  return found.ok ? nulSeparated(found.out) : [];
}

async function copyOne(from: string, to: string): Promise<string | undefined> {
  try {
    const entry = await lstat(from);
    if (await lstat(to).catch(() => undefined)) return undefined; // never overwrites
    await mkdir(path.dirname(to), { recursive: true });
    if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    else if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    else return "it is neither a file nor a link";
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
