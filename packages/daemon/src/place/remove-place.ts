import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import type { PlaceState } from "@baton/core/place/place-state";
import { gitLine, type Git } from "./git/git.ts";
import { deleteRef } from "./git/git-objects.ts";
import { isRegistered } from "./git/repository.ts";
import { baseRef, removeWorktree, type StepResult } from "./create-place.ts";

/**
 * Removes the folder of a place. Call it only after a snapshot. The branch goes too if Baton created it and it has no commit beyond the
 * base. Works for a folder that a user deleted or that an earlier attempt removed in part.
 */
export async function removePlace(place: PlaceState, source: Git): Promise<StepResult> {
  const { root } = place;
  if (await isRegistered(source, root)) {
    const removed = await removeWorktree(source, root);
    if (!removed.ok && existsSync(root) && (await isRegistered(source, root))) return { ok: false, why: removed.why };
  }
  await rm(root, { recursive: true, force: true });
  if (await isRegistered(source, root)) await removeWorktree(source, root);
  return { ok: true, notes: await removeBranch(place, source) };
}

/** Forgets a place that could not be created. Its folder, if there is one with files, is not Baton's. */
export async function forgetPlace(place: PlaceState, source: Git): Promise<StepResult> {
  await rmdir(place.root).catch(() => undefined); // a creation that was interrupted leaves an empty one
  await deleteRef(source, baseRef(place), place.baseCommit);
  return { ok: true, notes: await removeBranch(place, source) };
}

/** Git keeps a branch that is checked out somewhere. */
async function removeBranch({ branch, ownBranch, baseCommit }: PlaceState, source: Git): Promise<string[]> {
  if (branch === null || !ownBranch) return [];
  const tip = await gitLine(source, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  if (tip === baseCommit) await source(["branch", "--delete", "--force", branch]);
  return tip === undefined || tip === baseCommit ? [] : [`the branch ${branch} remains`];
}
