import { existsSync, lstatSync, rmSync } from "node:fs";
import path from "node:path";
import type { SandboxView } from "./sandbox.ts";

/** Names in a git folder that make git read its hooks and its config from another folder. */
const REDIRECTS = ["commondir", "config.worktree"];

/** The protected files of a workspace before a command, each with its inode and its time of change. */
export type ProtectedFiles = ReadonlyMap<string, string>;

/**
 * Reads the protected files of a view. The sandbox can keep existing files from being changed, but not new ones from being created, so they
 * are compared after the command.
 */
export function protectedFiles({ hidden = [], readOnly = [] }: SandboxView): ProtectedFiles {
  return new Map([...readOnly, ...hidden].map((file) => [file, identity(file)]));
}

/** The protected files that a command created or replaced. */
export function newProtectedFiles(before: ProtectedFiles, after: SandboxView): string[] {
  return [...protectedFiles(after)].flatMap(([file, now]) => (before.get(file) === now ? [] : [file]));
}

/** The files of git folders that did not exist before a command and would redirect git. */
export const missingRedirects = ({ cwd, writable = [] }: SandboxView): string[] =>
  [cwd, ...writable]
    .flatMap((folder) => REDIRECTS.map((name) => path.join(folder, ".git", name)))
    .filter((file) => !existsSync(file) && existsSync(path.dirname(file)));

/** Removes those that a command created, because nothing else creates them. Returns them. */
export function removeRedirects(missing: readonly string[]): string[] {
  const created = missing.filter((file) => existsSync(file));
  for (const file of created) rmSync(file, { force: true, recursive: true });
  return created;
}

function identity(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.isDirectory() ? 0 : stats.mtimeMs}` : "";
}
