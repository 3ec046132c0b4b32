import { existsSync } from "node:fs";
import type { PlaceState } from "@baton/core/place/place-state";
import { refuse } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { sourceOfCreatedPlace } from "../find-place.ts";
import { refuseUnless, type PlaceContext, type RefusalResult } from "../place-context.ts";
import { runSetup } from "./run-setup.ts";
import { readSetup, type PlaceSetup } from "./read-setup.ts";

/** The setup of a repository, and whether the user has approved it. Undefined without one. */
export type FoundSetup = (PlaceSetup & { approved: boolean }) | { problem: string } | undefined;

/** Reads the setup of the source, which the user trusts. A branch has no say in it. */
export async function findSetup(place: PlaceState, { log, setups }: PlaceContext): Promise<FoundSetup> {
  const found = await readSetup(sourceOfCreatedPlace(log.all(), place.checkout));
  if (!found || "problem" in found) return found;
  return { ...found, approved: setups.isApproved(place.source, found.hash) };
}

/** Runs the setup with this hash, if the user has approved it and no rule denies it. */
export async function preparePlace(place: PlaceState, hash: string, by: Actor, context: PlaceContext): Promise<PlaceState | RefusalResult> {
  const { log, setups, finish } = context;
  const wrong = refuseUnless(place, "ready", "prepared");
  if (wrong) return wrong;
  const found = await findSetup(place, context);
  if (!found) return refuse("place_impossible", `The repository of ${place.name} has no setup.`);
  if ("problem" in found) return refuse("place_impossible", `${found.problem}. Correct the file, then try again.`);
  if (found.hash !== hash)
    return refuse("hash_mismatch", `${found.file} has changed since it was shown. Look at it again, then approve it.`);
  if (!found.approved) return refuse("place_impossible", `The commands of ${found.file} are not approved.`);
  const denial = found.setup.map((command) => setups.denial(place.source, command)).find((why) => why !== undefined);
  if (denial !== undefined) return refuse("place_impossible", `The setup in ${found.file} was not run: ${denial}`);
  await log.append(place.id, { type: "place.stepStarted", step: "prepare", by });
  const result = await runSetup(found.setup, place, setups.env);
  const message = result.ok ? undefined : `The setup in ${found.file} failed: ${result.why}`;
  return finish(place, "prepare", { ok: result.ok, message, setup: hash, output: result.output });
}

/** The teardown that the user approved together with the setup. Undefined if there is none to run. */
export async function approvedTeardown(place: PlaceState, context: PlaceContext): Promise<PlaceSetup | undefined> {
  const found = await findSetup(place, context);
  return found && !("problem" in found) && found.approved && found.teardown.length > 0 && existsSync(place.root) ? found : undefined;
}

/** Runs a teardown. A failure is a note for the user, because the place was saved before. */
export async function tearDown({ file, teardown }: PlaceSetup, place: PlaceState, { setups }: PlaceContext): Promise<string[]> {
  if (teardown.some((command) => setups.denial(place.source, command) !== undefined))
    return ["a rule denies the teardown, so it was not run"];
  const result = await runSetup(teardown, place, setups.env);
  return result.ok ? [] : [`the teardown in ${file} failed: ${result.why}`];
}
