import { lstatSync, readdirSync, readFileSync, rmSync, watch, type FSWatcher } from "node:fs";
import path from "node:path";
import { sharedGitFolder } from "./git-binds.ts";
import type { SandboxView } from "./sandbox.ts";

/** Names in a git folder that make git read its hooks and its config from another folder. */
const REDIRECTS = ["commondir", "config.worktree"];

/** The protected files of a workspace before a command, each with its inode and its time of change. */
export type ProtectedFiles = ReadonlyMap<string, string>;

/**
 * Reads the protected files of a view. The sandbox can keep existing files from being changed, but not new ones from being created, so they
 * are compared after the command.
 */
export function protectedFiles(view: SandboxView): ProtectedFiles {
  const { hidden = [], readOnly = [], repositories = [], links = [] } = view;
  const files = [...readOnly, ...hidden, ...repositories, ...links, ...gitFolders(view).flatMap(executingRebases)];
  return new Map(files.map((file) => [file, identity(file)]));
}

/**
 * The lists of running rebases that contain commands. `git rebase --continue` executes these, so a list that a command wrote would run outside
 * of the sandbox when the user continues.
 */
function executingRebases(git: string): string[] {
  const worktrees = path.join(git, "worktrees");
  const own = isFolder(worktrees) ? readdirSync(worktrees).map((name) => path.join(worktrees, name)) : [];
  return [git, ...own].map((folder) => path.join(folder, "rebase-merge", "git-rebase-todo")).filter(hasCommands);
}

function hasCommands(file: string): boolean {
  try {
    return /^\s*(?:x|exec)\s/m.test(readFileSync(file, "utf8"));
  } catch {
    return false; // there is no rebase
  }
}

/** The protected files that a command created or replaced. */
export function newProtectedFiles(before: ProtectedFiles, after: SandboxView): string[] {
  return [...protectedFiles(after)].flatMap(([file, now]) => (before.get(file) === now ? [] : [file]));
}

/**
 * Removes files of git folders that would redirect git, as soon as a command creates them, because nothing else creates them. `end` must be
 * called when the command and all its processes have ended.
 */
export function guardGitRedirects(view: SandboxView): { removed: () => string[]; end: () => void } {
  const folders = gitFolders(view);
  const missing = folders.flatMap((git) => REDIRECTS.map((name) => path.join(git, name))).filter((file) => !isPresent(file));
  const found = new Set<string>();
  const sweep = (): void => {
    for (const file of missing.filter(isPresent)) {
      found.add(file);
      rmSync(file, { force: true, recursive: true });
    }
  };
  const watchers = folders.map((git) => watched(git, sweep));
  return {
    removed: () => {
      sweep();
      return [...found];
    },
    end: () => {
      for (const watcher of watchers) watcher?.close();
      sweep();
    },
  };
}

/** The git folders that a program of a view can write. */
function gitFolders({ cwd, writable = [], repositories = [] }: SandboxView): string[] {
  const shared = [cwd, ...writable].flatMap((folder) => sharedGitFolder(folder) ?? []);
  return [...new Set([...shared, ...repositories])].filter(isFolder);
}

const isFolder = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

/** Undefined if the system has no more watchers. The end of the command then removes the files. */
function watched(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || REDIRECTS.includes(name)) onChange();
    });
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
}

const isPresent = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

function identity(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.isDirectory() ? 0 : stats.mtimeMs}` : "";
}
