import { lstat } from "node:fs/promises";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import type { PlaceSnapshot } from "@baton/core/protocol/place";
import { gitLine, nulSeparated, type Git } from "./git/git.ts";
import { commitTree, snapshotRef, treeOfFiles, treeOfIndex, withScratchFolder, type GitFailure } from "./git/git-objects.ts";
import { rememberedHead } from "./git/repository.ts";
import { saveRepositories } from "./git/submodules.ts";

/** Ignored files beyond these sizes in bytes are left out of a snapshot. */
const MAX_IGNORED_FILE = 20 * 1024 * 1024;
const MAX_IGNORED = 200 * 1024 * 1024;

/** Ignored folders that tools fill and can fill again. */
const REBUILT = new Set(
  "node_modules .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox target .gradle .turbo .next .nuxt .parcel-cache .cache .terraform Pods DerivedData".split(
    " ",
  ),
);

const SHOWN_LEFT_OUT = 50;

/** A merge, rebase or similar of which the state is in files that no commit can hold. */
const UNFINISHED = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "BISECT_LOG"];

/**
 * Commits everything in a place under a ref of its own: tracked and untracked files, what is staged, and ignored files that are small and
 * that no tool can build again. Changes nothing in the place: neither its index nor its branch.
 */
export async function takeSnapshot(
  place: PlaceState,
  git: Git,
  ref: string = snapshotRef(place),
): Promise<{ ok: true; snapshot: PlaceSnapshot } | GitFailure> {
  const head = await gitLine(git, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (head === undefined) return { ok: false, why: "its folder is no longer a git worktree" };
  const unfinished = await unfinishedOperation(git);
  if (unfinished !== undefined)
    return { ok: false, why: `git has an unfinished operation there (${unfinished}). Finish or abort it first` };
  const branch = (await gitLine(git, ["symbolic-ref", "--quiet", "--short", "HEAD"])) ?? null;
  const files = await treeOfFiles(git);
  if (!files.ok) return files;
  const repositories = await saveRepositories(place, git, files.repositories);
  if (!repositories.ok) return repositories;
  const index = await treeOfIndex(git);
  const ignored = await commitOfIgnored(place, git);
  if (!ignored.ok) return ignored;
  if (!index.ok) return index;
  const indexCommit =
    index.tree === null ? undefined : await commitTree(git, { tree: index.tree, parents: [head], message: "Staged files" });
  if (indexCommit && !indexCommit.ok) return indexCommit;
  const parents = [head, ...(indexCommit ? [indexCommit.commit] : []), ...(ignored.commit === null ? [] : [ignored.commit])];
  const message = `Snapshot of the place ${place.name}\n\nBaton saved the folder ${place.root}.`;
  const commit = await commitTree(git, { tree: files.tree, parents, message });
  if (!commit.ok) return commit;
  const written = await git(["update-ref", "--create-reflog", ref, commit.commit]); // the reflog keeps earlier snapshots
  if (!written.ok) return written;
  return {
    ok: true,
    snapshot: { ref, commit: commit.commit, head, branch, index: index.tree, ignored: ignored.commit, leftOut: ignored.leftOut },
  };
}

/** The snapshot of a place whose folder is gone: the commit that was checked out there. Undefined if git has no record of that commit. */
export async function snapshotOfMissing(place: PlaceState, source: Git): Promise<PlaceSnapshot | undefined> {
  const remembered = await rememberedHead(source, place.root);
  if (!remembered) return undefined;
  const ref = snapshotRef(place);
  const written = await source(["update-ref", "--create-reflog", ref, remembered.head]);
  if (!written.ok) return undefined;
  return {
    ref,
    commit: remembered.head,
    ...remembered,
    index: null,
    ignored: null,
    leftOut: ["files that were not committed, because the folder was gone"],
  };
}

async function unfinishedOperation(git: Git): Promise<string | undefined> {
  const folder = await gitLine(git, ["rev-parse", "--absolute-git-dir"]);
  if (folder === undefined) return undefined;
  for (const name of UNFINISHED) if (await lstat(path.join(folder, name)).catch(() => undefined)) return name;
  return undefined;
}

/**
 * The tree of the ignored files that a snapshot holds, and the files that it leaves out. Null without any file.
 */
export async function treeOfIgnored(root: string, git: Git): Promise<{ ok: true; tree: string | null; leftOut: string[] } | GitFailure> {
  const listed = await git(["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]);
  if (!listed.ok) return listed;
  const chosen = await chooseIgnored(root, git, nulSeparated(listed.out));
  if ("why" in chosen) return chosen;
  const { files, leftOut } = chosen;
  if (files.length === 0) return { ok: true, tree: null, leftOut };
  return withScratchFolder(async (folder) => {
    const env = { GIT_INDEX_FILE: path.join(folder, "index") };
    const added = await git(["update-index", "--add", "-z", "--stdin"], { env, input: `${files.join("\0")}\0` });
    if (!added.ok) return added;
    const tree = await git(["write-tree"], { env });
    return tree.ok ? { ok: true, tree: tree.out.trim(), leftOut } : tree;
  });
}

async function commitOfIgnored(
  { root, name }: PlaceState,
  git: Git,
): Promise<{ ok: true; commit: string | null; leftOut: string[] } | GitFailure> {
  const ignored = await treeOfIgnored(root, git);
  if (!ignored.ok) return ignored;
  const { tree, leftOut } = ignored;
  if (tree === null) return { ok: true, commit: null, leftOut };
  const commit = await commitTree(git, { tree, parents: [], message: `Ignored files of the place ${name}` });
  return commit.ok ? { ok: true, commit: commit.commit, leftOut } : commit;
}

/** The ignored files for the snapshot. A folder in `entries` ends with a slash. */
async function chooseIgnored(
  root: string,
  git: Git,
  entries: readonly string[],
): Promise<{ files: string[]; leftOut: string[] } | GitFailure> {
  const files: string[] = [];
  const leftOut: string[] = [];
  let total = 0;
  for (const entry of entries) {
    if (isRebuilt(entry)) {
      leftOut.push(entry);
      continue;
    }
    const below = entry.endsWith("/") ? await filesBelow(git, entry) : [entry];
    if ("why" in below) return below;
    for (const file of below) {
      if (file.endsWith("/") && !isRebuilt(file))
        return { ok: false, why: `${file} is a git repository of its own. Move it out of the place first` };
      const size = (await lstat(path.join(root, file)).catch(() => undefined))?.size ?? 0;
      if (isRebuilt(file) || size > MAX_IGNORED_FILE || total + size > MAX_IGNORED) leftOut.push(file);
      else {
        files.push(file);
        total += size;
      }
    }
  }
  const more = leftOut.length - SHOWN_LEFT_OUT;
  return { files, leftOut: more > 0 ? [...leftOut.slice(0, SHOWN_LEFT_OUT), `${more} more`] : leftOut };
}

const isRebuilt = (entry: string): boolean => entry.split("/").some((part) => REBUILT.has(part));

async function filesBelow(git: Git, folder: string): Promise<string[] | GitFailure> {
  const listed = await git(["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", folder]);
  return listed.ok ? nulSeparated(listed.out) : listed;
}
