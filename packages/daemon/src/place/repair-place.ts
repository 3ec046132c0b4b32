import { existsSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { refuse } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { createPlace, discardRegistration, discardWorktree } from "./create-place.ts";
import type { Git } from "./git/git.ts";
import { snapshotRef } from "./git/git-objects.ts";
import type { PlaceContext, Refused } from "./place-context.ts";
import { removePlace } from "./remove-place.ts";
import { restorePlace } from "./restore-place.ts";
import { takeSnapshot } from "./take-snapshot.ts";

/** Continues the step of a place that the daemon's end interrupted. */
export async function repairPlace(place: PlaceState, by: Actor, { run, sourceOf, openIn }: PlaceContext): Promise<PlaceState | Refused> {
  const { step, snapshot, root } = place;
  if (place.status !== "interrupted" || !step) return refuse("place_impossible", `Nothing was interrupted in the place ${place.name}.`);
  const source = sourceOf(place);
  const git = openIn(root);
  switch (step.name) {
    case "create":
      return run(place, "create", by, async () => {
        await discardInterrupted(place, source, git);
        const { branch, ownBranch, baseCommit } = place;
        const tip = branch === null ? undefined : await source(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
        if (ownBranch && branch !== null && tip?.ok && tip.out.trim() === baseCommit) await source(["branch", "-D", branch]);
        return createPlace(place, source, openIn);
      });
    case "remove":
      return run(place, "remove", by, () => removePlace(place, source));
    case "restore":
      return run(place, "restore", by, async () => {
        if (!snapshot) return { ok: false, why: "there is no snapshot" };
        await discardInterrupted(place, source, git);
        return restorePlace(place, snapshot, source, openIn);
      });
    case "prepare":
    case "save":
    case "apply":
    case "revert":
      return refuse("place_impossible", `Nothing was interrupted in the place ${place.name}.`);
  }
}

/** Removes what an interrupted step left, after a commit of it under a ref of its own, in case somebody has worked there meanwhile. */
async function discardInterrupted(place: PlaceState, source: Git, git: Git): Promise<void> {
  if (existsSync(path.join(place.root, ".git"))) {
    await takeSnapshot(place, git, `${snapshotRef(place)}-interrupted`);
    await discardWorktree(source, place.root);
    return;
  }
  await rmdir(place.root).catch(() => undefined); // git had only made the folder. One with files stays, and the next step names it
  await discardRegistration(source, place.root);
}
