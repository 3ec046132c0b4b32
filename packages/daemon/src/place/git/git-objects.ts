import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gitLine, nulSeparated, type Git } from "./git.ts";

/** The refs of all snapshots. They keep the objects from being collected. */
export const snapshotRef = ({ id }: { id: string }): string => `refs/baton/places/${id}`;

/** Git must not ask who the author is. */
const IDENTITY = {
  GIT_AUTHOR_NAME: "Baton",
  GIT_AUTHOR_EMAIL: "baton@localhost",
  GIT_COMMITTER_NAME: "Baton",
  GIT_COMMITTER_EMAIL: "baton@localhost",
};

export type GitFailure = { ok: false; why: string };

/** Creates a ref. Fails if there is one of this name, so that two daemons never share it. */
export const reserveRef = (git: Git, ref: string, commit: string): ReturnType<Git> => git(["update-ref", ref, commit, NO_COMMIT]);

/** Deletes a ref if it still is at a commit. */
export const deleteRef = (git: Git, ref: string, commit: string): ReturnType<Git> => git(["update-ref", "-d", ref, commit]);

/** Stands for a ref that does not exist. */
const NO_COMMIT = "";

/** Writes a commit that no branch has. */
export async function commitTree(
  git: Git,
  { tree, parents, message }: { tree: string; parents: readonly string[]; message: string },
): Promise<{ ok: true; commit: string } | GitFailure> {
  const done = await git(["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", message], { env: IDENTITY });
  return done.ok ? { ok: true, commit: done.out.trim() } : done;
}

/**
 * The tree of all files as they are on disk, except ignored ones. `repositories`: folders with a repository of their own, of which the tree
 * holds only the commit. Works on a copy of the index, so that nothing is staged.
 */
export async function treeOfFiles(git: Git): Promise<{ ok: true; tree: string; repositories: string[] } | GitFailure> {
  return withIndexCopy(git, async (env) => {
    const added = await git(["add", "--all", "--", "."], { env });
    if (!added.ok) return added;
    const tree = await git(["write-tree"], { env });
    if (!tree.ok) return tree;
    const repositories = await gitLinks(git, env);
    return repositories.ok ? { ok: true, tree: tree.out.trim(), repositories: repositories.paths } : repositories;
  });
}

/** The tree of what is staged. Null while there are conflicts, which no tree can hold. */
export async function treeOfIndex(git: Git): Promise<{ ok: true; tree: string | null } | GitFailure> {
  return withIndexCopy(git, async (env) => {
    const unmerged = await git(["ls-files", "--unmerged", "-z"], { env });
    if (!unmerged.ok) return unmerged;
    if (unmerged.out !== "") return { ok: true, tree: null };
    const written = await git(["write-tree"], { env });
    return written.ok ? { ok: true, tree: written.out.trim() } : written;
  });
}

/** Runs `work` with an index that starts as a copy, which knows the times of files, so that git does not read unchanged ones again. */
async function withIndexCopy<T>(git: Git, work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  return withScratchFolder(async (folder) => {
    const copy = path.join(folder, "index");
    const index = await gitLine(git, ["rev-parse", "--path-format=absolute", "--git-path", "index"]);
    if (index !== undefined && existsSync(index)) await copyIndex(index, copy);
    return work({ GIT_INDEX_FILE: copy });
  });
}

/**
 * Copies an index with its time. Git reads a file again if it is as new as the index. With a newer index it would miss an edit of the same
 * size in the second of the checkout.
 */
async function copyIndex(index: string, copy: string): Promise<void> {
  const second = Math.floor((await stat(index)).mtimeMs / 1000);
  await copyFile(index, copy);
  await utimes(copy, second, second);
}

/** The paths in an index at which git records only a commit: submodules, and repositories inside the checkout. */
export async function gitLinks(git: Git, env: Record<string, string> = {}): Promise<{ ok: true; paths: string[] } | GitFailure> {
  const staged = await git(["ls-files", "--stage", "-z"], { env });
  if (!staged.ok) return staged;
  const paths = nulSeparated(staged.out).flatMap((line) => (line.startsWith("160000 ") ? line.slice(line.indexOf("\t") + 1) : []));
  return { ok: true, paths };
}

export async function withScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "baton-place-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
