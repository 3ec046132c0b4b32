import { existsSync } from "node:fs";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { refuse } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { staleSnapshotReason } from "./changed-since-snapshot.ts";
import { refuseUnless, type PlaceContext, type RefusalResult } from "./place-context.ts";
import { forgetPlace, removePlace } from "./remove-place.ts";
import { approvedTeardown, tearDown } from "./setup/prepare-place.ts";
import { snapshotOfMissing, takeSnapshot } from "./take-snapshot.ts";

/** Takes a snapshot of everything in a place. If its folder is gone, of the commit that git remembers. */
export async function savePlace(
  place: PlaceState,
  by: Actor,
  { log, openIn, sourceOf, finish }: PlaceContext,
): Promise<PlaceState | RefusalResult> {
  await log.append(place.id, { type: "place.stepStarted", step: "save", by });
  if (!existsSync(place.root)) {
    const missing = await snapshotOfMissing(place, sourceOf(place));
    return finish(place, "save", missing ? { ok: true, snapshot: missing } : { ok: false, message: "its folder is gone" });
  }
  const taken = await takeSnapshot(place, openIn(place.root));
  if (taken.ok) return finish(place, "save", { ok: true, snapshot: taken.snapshot });
  await finish(place, "save", { ok: false, message: taken.why });
  return refuse("place_impossible", `The place ${place.name} could not be saved, so nothing was changed: ${taken.why}.`);
}

/** Saves a place, then removes its folder. Refused while anything uses it, or if a snapshot cannot hold all of it. */
export async function saveAndRemove(place: PlaceState, by: Actor, context: PlaceContext): Promise<PlaceState | RefusalResult> {
  if (place.status === "failed") return context.run(place, "remove", by, () => forgetPlace(place, context.sourceOf(place)));
  const wrong = refuseUnless(place, "ready", "removed");
  if (wrong) return wrong;
  const users = await context.usersOf(place.root);
  if (users.length > 0) return refuse("place_in_use", `The place ${place.name} is in use: ${users.join("; ")}. End that first.`);
  if (existsSync(place.root) && !existsSync(path.join(place.root, ".git")))
    return refuse(
      "place_impossible",
      `${place.root} is no longer a git worktree, so Baton cannot save it. Look at the folder and move it away.`,
    );
  const saved = await savePlace(place, by, context);
  if ("refused" in saved) return saved;
  const teardown = await approvedTeardown(saved, context);
  const notes = teardown ? await tearDown(teardown, saved, context) : [];
  const current = teardown ? await savePlace(saved, by, context) : saved; // the first snapshot stays in the reflog of the ref
  if ("refused" in current) return current;
  const removed = await removeSaved(current, notes, by, context);
  if (removed.status === "removed") return removed;
  return refuse("place_impossible", `The place ${place.name} was not removed: ${removed.message ?? ""}.`);
}

/** Removes a place whose snapshot is current. A file that was written after the snapshot stops it. */
const removeSaved = (
  place: PlaceState,
  notes: readonly string[],
  by: Actor,
  { run, openIn, sourceOf }: PlaceContext,
): Promise<PlaceState> =>
  run(place, "remove", by, async () => {
    const source = sourceOf(place);
    const changed = existsSync(place.root) ? await staleSnapshotReason(place, openIn(place.root)) : undefined;
    if (changed !== undefined) return { ok: false, why: changed };
    const removed = await removePlace(place, source);
    return removed.ok ? { ok: true, notes: [...notes, ...removed.notes] } : removed;
  });
