import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { worktreeGit } from "../files/worktree-git-folders.ts";
import { isAtOrBelow } from "./visible-folders.ts";

/**
 * The bubblewrap arguments for the git folders of a workspace. Commits write there if the workspace is writable. Git executes what its hooks
 * and its config name, so these are read-only. If one of them is a link, the whole git folder is read-only, because a link cannot be mounted.
 */
export function gitBinds(folder: string, isWritable: boolean): string[] {
  const repository = repositoryOf(folder);
  if (repository === undefined) return [];
  const { git, own, link } = repository;
  return [
    ...(isWritable ? ["--bind", git, git] : readOnly(git)),
    ...guards(git, own, isWritable),
    ...(link === undefined ? [] : readOnly(link)),
  ];
}

/** The same for a `.git` below a workspace, which is a folder, or a file that leads to one. `isWritable`: programs can write around it. */
export const nestedGitBinds = (git: string, isWritable: boolean): string[] =>
  lstatSync(git, { throwIfNoEntry: false })?.isDirectory() ? guards(git, undefined, isWritable) : readOnly(git);

/** The root of the repository that a folder is a part of. A package sees the rest of its repository. */
export function enclosingRepository(folder: string): string | undefined {
  const git = gitFolder(folder);
  return git === undefined || isAtOrBelow(git, folder) ? undefined : path.dirname(git);
}

/** The git folder of the repository of a folder, which its worktrees share. */
export const sharedGitFolder = (folder: string): string | undefined => repositoryOf(folder)?.git;

/** `own`: the git folder of the worktree that the program works in. `link`: the file that leads there. */
type Repository = { git: string; own?: string; link?: string };

function repositoryOf(folder: string): Repository | undefined {
  const worktree = worktreeGit(folder);
  if (worktree) return { git: worktree.common, own: worktree.own, link: worktree.link };
  const git = gitFolder(folder);
  return git === undefined ? undefined : { git };
}

const readOnly = (file: string): string[] => ["--ro-bind", file, file];

/** The other worktrees of a repository are read-only. */
function guards(git: string, own: string | undefined, isWritable: boolean): string[] {
  const others = entries(path.join(git, "worktrees")).filter((each) => each !== own);
  const owns = own === undefined ? [] : ["commondir", "gitdir", "config.worktree"].map((name) => path.join(own, name));
  const modules = moduleFolders(path.join(git, "modules"));
  const named = [git, ...modules].flatMap((each) => EXECUTED.map((name) => path.join(each, name)));
  const existing = [...others, ...owns, ...named].filter((each) => lstatSync(each, { throwIfNoEntry: false }) !== undefined);
  const [worktrees, parts] = [path.join(git, "worktrees"), path.join(git, "modules")];
  if ([...existing, worktrees, parts, ...modules].some(isOrHasLink)) return readOnly(git);
  const missing = [git, ...modules].map((each) => path.join(each, "hooks")).filter((each) => !existsSync(each));
  return [
    ...existing.flatMap(readOnly),
    ...(isWritable ? missing.flatMap((hooks) => ["--tmpfs", hooks]) : []), // a file that is written there vanishes with the program
  ];
}

/** The parts of a git folder that make git run programs, or read its config from elsewhere. */
const EXECUTED = ["hooks", "config", "config.worktree", "commondir"];

/** Whether a path, or a folder above it, is a link. A mount would follow it to a place that the program chose. */
const isOrHasLink = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false }) !== undefined && (!existsSync(file) || realpathSync(file) !== file);

const MAX_MODULE_DEPTH = 8;

/** The git folders of submodules, whose names may contain slashes. A folder of objects does not need that. */
function moduleFolders(folder: string, depth = 0): string[] {
  if (depth > MAX_MODULE_DEPTH) return [];
  const folders = entries(folder).filter((each) => lstatSync(each).isDirectory() && !OBJECTS.test(path.basename(each)));
  return folders.flatMap((each) => [
    ...(existsSync(path.join(each, "HEAD")) || existsSync(path.join(each, "config")) ? [each] : []),
    ...moduleFolders(each, depth + 1),
  ]);
}

const OBJECTS = /^(?:[0-9a-f]{2}|pack)$/;

/** The entries of a folder. None if it is missing or a link. */
function entries(folder: string): string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** The `.git` folder of the repository that a folder belongs to, as a real path. A link counts only if it stays in the repository. */
function gitFolder(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const git = path.join(at, ".git");
    if (statSync(git, { throwIfNoEntry: false })?.isDirectory()) {
      const real = realpathSync(git);
      return real !== at && isAtOrBelow(real, at) ? real : undefined;
    }
    if (path.dirname(at) === at) return undefined;
  }
}
