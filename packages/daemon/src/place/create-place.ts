import { mkdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { copyIgnoredFiles, type CopyReport } from "./setup/copy-ignored-files.ts";
import { retryWhileWorktreesChange, type Git } from "./git/git.ts";
import { deleteRef, reserveRef, type GitFailure } from "./git/git-objects.ts";
import { withDiskFullHint } from "./disk-full-hint.ts";
import { openSubmodules } from "./git/submodules.ts";

/** Protects the worktree from `git worktree prune` and `git worktree remove` by other programs. */
const LOCK_REASON = "a place of Baton: `baton places` lists it";

/** The outcome of a step. `notes`: what the user should know although it succeeded. */
export type StepResult = { ok: true; notes: string[] } | { ok: false; why: string };

/**
 * Creates the worktree of a place at its base commit, and makes it ready to work in: submodules, and the ignored files that
 * `.worktreeinclude` names. A failure leaves nothing behind, and touches nothing that another program made meanwhile.
 */
export async function createPlace(place: PlaceState, source: Git, openIn: (folder: string) => Git): Promise<StepResult> {
  const { root, branch, ownBranch, baseCommit } = place;
  const based = await reserveRef(source, baseRef(place), baseCommit); // the base stays, even if its branch is forced to another commit
  if (!based.ok) return { ok: false, why: `its base could not be recorded: ${based.why}` };
  const added = await addOwnWorktree(place, source);
  if (added.ok) return { ok: true, notes: await prepareCopy(place, source, openIn(root)) };
  await deleteRef(source, baseRef(place), baseCommit);
  if (ownBranch && branch !== null && added.ownsBranch) await deleteRef(source, `refs/heads/${branch}`, baseCommit);
  return { ok: false, why: added.why };
}

/** The ref that keeps the base of a place. */
export const baseRef = ({ id }: Pick<PlaceState, "id">): string => `refs/baton/bases/${id}`;

/** Adds the worktree in a folder and on a branch that no other worktree has. `ownsBranch`: whether this call created the branch. */
async function addOwnWorktree(
  { root, branch, ownBranch, baseCommit }: PlaceState,
  source: Git,
): Promise<{ ok: true } | (GitFailure & { ownsBranch: boolean })> {
  const claimed = await claimFolder(root);
  if (!claimed.ok) return { ...claimed, ownsBranch: false };
  const reserved = branch !== null && ownBranch ? await reserveRef(source, `refs/heads/${branch}`, baseCommit) : undefined;
  if (reserved?.ok === false) {
    await rmdir(root);
    return { ok: false, why: `the branch ${branch} could not be created: ${reserved.why}`, ownsBranch: false };
  }
  const added = await retryWhileWorktreesChange(() =>
    addWorktree(source, branch === null ? ["--detach", root, baseCommit] : [root, branch]),
  );
  if (added.ok) return added;
  await discardWorktree(source, root);
  return { ok: false, why: await withDiskFullHint(added.why, root), ownsBranch: reserved !== undefined };
}

/** Creates the folder of a place. Fails if there is one already, because it may belong to another program. */
export async function claimFolder(root: string): Promise<{ ok: true } | GitFailure> {
  try {
    await mkdir(path.dirname(root), { recursive: true });
    await mkdir(root);
    return { ok: true };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      return { ok: false, why: `the folder ${root} exists already. Move it away first` };
    return { ok: false, why: `the folder ${root} could not be created: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Adds a locked worktree. The arguments name its folder and what to check out. */
export const addWorktree = (git: Git, args: readonly string[]): ReturnType<Git> =>
  git(["worktree", "add", "--quiet", "--lock", "--reason", LOCK_REASON, ...args]);

/** Removes what a failed or interrupted creation left. Only for a folder that Baton made and that contains no work. */
export async function discardWorktree(git: Git, root: string): Promise<void> {
  await removeWorktree(git, root);
  await rm(root, { recursive: true, force: true });
  await removeWorktree(git, root);
}

/**
 * Removes a worktree, or what git remembers about it if its folder is gone. Other than `git worktree prune`, it leaves alone the worktrees
 * of the user whose folders are away for a while, such as on another disk.
 */
export const removeWorktree = (git: Git, root: string): ReturnType<Git> => git(["worktree", "remove", "--force", "--force", root]);

/** Fills in what git leaves out of a new worktree. A problem here is worth a note, and no reason to fail. */
export async function prepareCopy({ root, checkout }: PlaceState, source: Git, git: Git): Promise<string[]> {
  const [submodules, copied] = [await openSubmodules(source, git, { checkout }), await copyIgnoredFiles(source, { checkout, root })];
  return [...submodules, ...copyNotes(copied)];
}

function copyNotes({ copied, problems }: CopyReport): string[] {
  const done = copied === 0 ? [] : [`${copied === 1 ? "1 ignored file was" : `${copied} ignored files were`} copied (.worktreeinclude)`];
  return [...done, ...problems];
}
