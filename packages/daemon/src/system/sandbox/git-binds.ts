import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { worktreeGit } from "../files/worktree-git.ts";

/**
 * The bubblewrap arguments for the git folders of a workspace. Commits write there if the workspace is writable. Git executes what its hooks
 * and its config name, so these are read-only.
 */
export function gitBinds(folder: string, isWritable: boolean): string[] {
  const worktree = worktreeGit(folder);
  if (worktree) {
    const { common, own, link } = worktree;
    return [...bind(common, isWritable), ...guards(common, own), ...readOnly(path.join(own, "config.worktree")), ...readOnly(link)];
  }
  const git = gitFolder(folder);
  if (git === undefined) return [];
  return [...bind(git, isWritable), ...guards(git, undefined)];
}

/** The root of the repository that a folder is a part of. A package sees the rest of its repository. */
export function enclosingRepository(folder: string): string | undefined {
  const git = gitFolder(folder);
  return git === undefined || path.dirname(git) === folder ? undefined : path.dirname(git);
}

const bind = (folder: string, isWritable: boolean): string[] => [isWritable ? "--bind" : "--ro-bind", folder, folder];

/** A path that does not exist cannot be bound. */
const readOnly = (file: string): string[] => (existsSync(file) ? ["--ro-bind", file, file] : []);

/** `own`: the git folder of the worktree that the program works in. The other worktrees are read-only. */
function guards(git: string, own: string | undefined): string[] {
  const hooks = path.join(git, "hooks");
  const worktrees = entries(path.join(git, "worktrees"));
  return [
    ...(existsSync(hooks) ? readOnly(hooks) : ["--tmpfs", hooks]), // what is written there vanishes with the program
    ...["config", "config.worktree", "commondir"].flatMap((name) => readOnly(path.join(git, name))),
    ...worktrees.filter((each) => each !== own).flatMap(readOnly),
    ...(own === undefined ? [] : ["commondir", "gitdir"].flatMap((name) => readOnly(path.join(own, name)))),
    ...entries(path.join(git, "modules")).flatMap((module) => ["hooks", "config"].flatMap((name) => readOnly(path.join(module, name)))),
  ];
}

function entries(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** The `.git` folder of the repository that a folder belongs to. */
function gitFolder(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const git = path.join(at, ".git");
    if (statSync(git, { throwIfNoEntry: false })?.isDirectory()) return git;
    if (path.dirname(at) === at) return undefined;
  }
}
