import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { PlaceState } from "@baton/core/place/place-state";
import { gitLine, type Git } from "./git/git.ts";
import { isRegistered } from "./git/repository.ts";
import { discardRegistration, type StepResult } from "./create-place.ts";

/**
 * Removes the folder of a place. Call it only after a snapshot. The branch goes too if Baton created it and it has no commit beyond the
 * base. Works for a folder that a user deleted or that an earlier attempt removed in part.
 */
export async function removePlace(place: PlaceState, source: Git): Promise<StepResult> {
  const { root, branch, ownBranch, baseCommit } = place;
  if (await isRegistered(source, root)) {
    const removed = await source(["worktree", "remove", "--force", "--force", root]);
    if (!removed.ok && existsSync(root) && !(await forgotten(source, root))) return { ok: false, why: removed.why };
  }
  await rm(root, { recursive: true, force: true });
  await forgotten(source, root);
  const notes: string[] = [];
  if (branch !== null && ownBranch) {
    const tip = await gitLine(source, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
    if (tip === baseCommit) await source(["branch", "--delete", "--force", branch]);
    else if (tip !== undefined) notes.push(`the branch ${branch} remains`);
  }
  return { ok: true, notes };
}

/** Removes what git remembers about a worktree whose folder is gone or broken. True if nothing is left. */
async function forgotten(source: Git, root: string): Promise<boolean> {
  await discardRegistration(source, root);
  return !(await isRegistered(source, root));
}
