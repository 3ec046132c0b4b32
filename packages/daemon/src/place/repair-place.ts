import { existsSync } from "node:fs";
import { readdir, rename, rmdir } from "node:fs/promises";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { refuse } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { baseRef, createPlace, discardWorktree, removeWorktree, type StepResult } from "./create-place.ts";
import type { Git } from "./git/git.ts";
import { deleteRef, snapshotRef } from "./git/git-objects.ts";
import type { PlaceContext, RefusalResult } from "./place-context.ts";
import { removePlace } from "./remove-place.ts";
import { restorePlace } from "./restore-place.ts";
import { takeSnapshot } from "./take-snapshot.ts";

/** Continues the step of a place that the daemon's end interrupted. */
export async function repairPlace(
  place: PlaceState,
  by: Actor,
  { run, sourceOf, openIn }: PlaceContext,
): Promise<PlaceState | RefusalResult> {
  const { step, snapshot, root } = place;
  if (place.status !== "interrupted" || !step) return refuse("place_impossible", `Nothing was interrupted in the place ${place.name}.`);
  const source = sourceOf(place);
  const git = openIn(root);
  switch (step.name) {
    case "create":
      return run(place, "create", by, async () => {
        const notes = await discardInterrupted(place, source, git);
        const { branch, ownBranch, baseCommit } = place;
        if (ownBranch && branch !== null) await deleteRef(source, `refs/heads/${branch}`, baseCommit);
        await deleteRef(source, baseRef(place), baseCommit);
        return noted(notes, await createPlace(place, source, openIn));
      });
    case "remove":
      return run(place, "remove", by, () => removePlace(place, source));
    case "restore":
      return run(place, "restore", by, async () => {
        if (!snapshot) return { ok: false, why: "there is no snapshot" };
        const notes = await discardInterrupted(place, source, git);
        return noted(notes, await restorePlace(place, snapshot, source, openIn));
      });
    case "prepare":
    case "save":
    case "apply":
    case "revert":
      return refuse("place_impossible", `Nothing was interrupted in the place ${place.name}.`);
  }
}

const noted = (notes: readonly string[], result: StepResult): StepResult =>
  result.ok ? { ok: true, notes: [...notes, ...result.notes] } : { ok: false, why: [...notes, result.why].join("; ") };

/**
 * Removes what an interrupted step left, after a commit of it under a ref of its own, in case it contains work. If no commit can hold it,
 * the folder is moved away. Returns what the user should know.
 */
async function discardInterrupted(place: PlaceState, source: Git, git: Git): Promise<string[]> {
  const { root } = place;
  if (!existsSync(path.join(root, ".git"))) {
    await rmdir(root).catch(() => undefined); // git had only made the folder. One with files stays, and the next step names it
    if (!existsSync(root)) await removeWorktree(source, root);
    return [];
  }
  const saved = await takeSnapshot(place, git, `${snapshotRef(place)}-interrupted`);
  const isEmpty = (await readdir(root)).length === 1;
  const aside = saved.ok || isEmpty ? undefined : await moveAside(root);
  await discardWorktree(source, root);
  return aside === undefined ? [] : [`the files of the interrupted step are in ${aside}`];
}

/** Moves a folder to a free name beside it. */
async function moveAside(root: string): Promise<string> {
  let aside = `${root}-interrupted`;
  for (let n = 2; existsSync(aside); n++) aside = `${root}-interrupted-${n}`;
  await rename(root, aside);
  return aside;
}
