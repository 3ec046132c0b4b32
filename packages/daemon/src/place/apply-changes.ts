import type { PlaceState } from "@baton/core/place/place-state";
import type { AppliedFile } from "@baton/core/protocol/place";
import { refuse } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { planApply, toAppliedFiles, writeFiles, type FilePlan } from "./plan-apply.ts";
import { readPlaceFileChanges, type PlaceFileChange, type Comparison } from "./git/changed-files.ts";
import { refuseUnless, type PlaceContext, type RefusalResult } from "./place-context.ts";

/** The treatment of files that both sides changed in the same lines: nothing is applied, they are left out, or they get git's markers. */
type ConflictChoice = "stop" | "skip" | "mark";

/** The outcome of `apply`, done or planned. */
export type ApplyReport = { files: Omit<FilePlan, "content">[]; applied: string[]; left: { path: string; why: string }[] };

export type ApplyOptions = { conflicts: ConflictChoice; paths?: readonly string[] | undefined; write: boolean };

/** The files of a place that differ from what it is compared with. */
export async function changesOf(
  place: PlaceState,
  comparison: Comparison,
  { openIn }: PlaceContext,
): Promise<readonly PlaceFileChange[] | RefusalResult> {
  const wrong = refuseUnless(place, "ready", "compared");
  if (wrong) return wrong;
  const found = await readPlaceFileChanges(openIn(place.root), place.baseCommit, comparison);
  return found.ok ? found.files : refuse("place_impossible", `The changes of ${place.name} cannot be read: ${found.why}.`);
}

/** Applies the changes since the base to the source checkout. Without `write` it only plans. */
export async function applyChanges(
  place: PlaceState,
  { conflicts, paths, write }: ApplyOptions,
  by: Actor,
  context: PlaceContext,
): Promise<ApplyReport | RefusalResult> {
  const found = await changesOf(place, { scope: "base" }, context);
  if ("refused" in found) return found;
  const wanted = paths === undefined ? found : found.filter((file) => paths.includes(file.path));
  const plans = await planApply(wanted, place.checkout, context.sourceOf(place), context.files);
  const report = { files: plans.map(({ content: _, ...plan }) => plan), applied: [], left: [] };
  if (!write) return report;
  const conflicting = plans.filter(({ action }) => action === "conflict");
  if (conflicts === "stop" && conflicting.length > 0)
    return refuse(
      "place_conflict",
      `Nothing was applied, because both sides changed ${conflicting.map((plan) => `${plan.path} (${plan.why ?? "conflict"})`).join(", ")}. Leave these files out, or let Baton write conflict markers into them.`,
    );
  const chosen = plans.filter(({ action }) => action === "write" || action === "merge" || (action === "conflict" && conflicts === "mark"));
  const intended = await toAppliedFiles(chosen, context.files);
  return { ...report, ...(await writeStep(place, "apply", intended, by, context)) };
}

/** Takes back what was applied last. */
export async function revertChanges(place: PlaceState, by: Actor, context: PlaceContext): Promise<ApplyReport | RefusalResult> {
  if (place.applied.length === 0) return refuse("nothing_to_undo", `Nothing from the place ${place.name} is applied.`);
  return { files: [], ...(await writeStep(place, "revert", place.applied, by, context)) };
}

/** Records the files with their contents before and after, writes them, and records which were written. */
async function writeStep(
  place: PlaceState,
  step: "apply" | "revert",
  intended: readonly AppliedFile[],
  by: Actor,
  { log, files, finish }: PlaceContext,
): Promise<Pick<ApplyReport, "applied" | "left">> {
  await log.append(place.id, { type: "place.stepStarted", step, files: [...intended], by });
  const { written, left } = await writeFiles(intended, step === "apply" ? "after" : "before", place.checkout, files);
  const message = left.map((each) => `${each.path}: ${each.why}`).join("; ");
  await finish(place, step, { ok: left.length === 0, message, files: written });
  return { applied: written.map((file) => file.path), left };
}
