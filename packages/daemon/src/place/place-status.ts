import { existsSync } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { gitLine, nulSeparated, type Git, type GitResult } from "./git/git.ts";

/**
 * The current state of a place. `changed`: files with uncommitted changes, untracked ones included. `ahead`: commits since the base.
 * `unpushed`: commits that no remote has, null without a remote. A number that git could not find out is null too, and `problem` has git's
 * reason. `moved`: the folder is gone although Baton did not remove it.
 */
export type PlaceFacts = {
  changed: number | null;
  ahead: number | null;
  unpushed: number | null;
  problem: string | null;
  branch: string | null;
  baseGone: boolean;
  moved: boolean;
};

export async function placeFacts({ root, baseCommit }: PlaceState, git: Git): Promise<PlaceFacts> {
  if (!existsSync(path.join(root, ".git"))) return { ...UNKNOWN, branch: null, baseGone: false, moved: true };
  const [status, base, branch, remotes] = await Promise.all([
    git(["status", "--porcelain", "-z", "--untracked-files=all"]),
    gitLine(git, ["rev-parse", "--verify", "--quiet", `${baseCommit}^{commit}`]),
    gitLine(git, ["symbolic-ref", "--quiet", "--short", "HEAD"]),
    git(["remote"]),
  ]);
  const ahead = base === undefined ? undefined : await git(["rev-list", "--count", `${baseCommit}..HEAD`]);
  const unpushed = remotes.ok && remotes.out !== "" ? await git(["rev-list", "--count", "HEAD", "--not", "--remotes"]) : undefined;
  const failed = [status, remotes, ahead, unpushed].find((result) => result?.ok === false);
  return {
    changed: status.ok ? changedFiles(status.out) : null,
    ahead: count(ahead),
    unpushed: count(unpushed),
    problem: failed?.ok === false ? failed.why : null,
    branch: branch ?? null,
    baseGone: base === undefined,
    moved: false,
  };
}

const UNKNOWN = { changed: null, ahead: null, unpushed: null, problem: null };

const count = (result: GitResult | undefined): number | null => (result?.ok ? Number(result.out) : null);

/** A renamed file is followed by its old name, which is not a file of its own. */
function changedFiles(out: string): number {
  const parts = nulSeparated(out);
  let count = 0;
  for (let i = 0; i < parts.length; i++) {
    count++;
    if (/^[RC]/.test(parts[i] ?? "")) i++;
  }
  return count;
}

const MAX_ENTRIES = 500_000;

/** The size of a folder on disk in bytes, as `du` counts it. `atLeast`: there are more files than Baton counts. */
export async function sizeOnDisk(root: string): Promise<{ bytes: number; atLeast: boolean }> {
  let bytes = 0;
  let left = MAX_ENTRIES;
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    const entries = await opendir(folder).catch(() => undefined);
    if (!entries) continue;
    for await (const entry of entries) {
      if (--left <= 0) break;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(file);
      else bytes += ((await lstat(file).catch(() => undefined))?.blocks ?? 0) * 512;
    }
  }
  return { bytes, atLeast: left <= 0 };
}
