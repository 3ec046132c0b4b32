import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { refuse } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { applyChanges, changesOf, revertChanges, type ApplyOptions, type ApplyReport } from "./apply-changes.ts";
import { createPlace } from "./create-place.ts";
import { createdPlaceOf, placeNamed, sourceOfCreatedPlace } from "./find-place.ts";
import type { PlaceFileChange, Comparison } from "./git/changed-files.ts";
import { placeContext, refuseUnless, type PlaceContext, type PlacesOptions, type RefusalResult } from "./place-context.ts";
import { placeFacts, sizeOnDisk, type PlaceFacts } from "./place-status.ts";
import { planPlace, type PlaceRequest } from "./plan-place.ts";
import { interruptedStepOutcome } from "./interrupted-step-outcome.ts";
import { repairPlace } from "./repair-place.ts";
import { restorePlace } from "./restore-place.ts";
import { saveAndRemove, savePlace } from "./save-and-remove.ts";
import { findSetup, preparePlace, type FoundSetup } from "./setup/prepare-place.ts";

/** Places: worktrees of their own for sessions. Every change is an intent and an outcome in the log. */
export type Places = {
  all: () => readonly PlaceState[];
  /** Finds a place by its id, or by its name in the repository of a folder. */
  find: (named: string, folder?: string) => PlaceState | undefined;
  /** The place that a folder belongs to. */
  of: (folder: string) => PlaceState | undefined;
  /** The folder whose trust, rules, grants and servers apply to a folder: that of the source checkout for a place, otherwise itself. */
  identity: (folder: string) => string;
  /** The folder in a place that corresponds to its source. Sessions work there. */
  workspaceOf: (place: PlaceState) => string;
  /** Creates a place. The same `key` creates it once. */
  create: (request: PlaceRequest, key: string, by: Actor) => Promise<PlaceState | RefusalResult>;
  /** The commands that prepare a new place of this repository, and whether the user has approved them. */
  setup: (place: PlaceState) => Promise<FoundSetup>;
  /** Runs the setup with this hash, which the user has approved. */
  prepare: (place: PlaceState, hash: string, by: Actor) => Promise<PlaceState | RefusalResult>;
  facts: (place: PlaceState) => Promise<PlaceFacts>;
  size: (place: PlaceState) => Promise<{ bytes: number; atLeast: boolean }>;
  changes: (place: PlaceState, comparison: Comparison) => Promise<readonly PlaceFileChange[] | RefusalResult>;
  save: (place: PlaceState, by: Actor) => Promise<PlaceState | RefusalResult>;
  /** Takes a snapshot, then removes the folder. Refused while anything uses the place. */
  remove: (place: PlaceState, by: Actor) => Promise<PlaceState | RefusalResult>;
  restore: (place: PlaceState, by: Actor) => Promise<PlaceState | RefusalResult>;
  /** Continues a step that was interrupted. */
  repair: (place: PlaceState, by: Actor) => Promise<PlaceState | RefusalResult>;
  /** Applies the changes of a place to the source checkout. Without `write` it only plans. */
  apply: (place: PlaceState, options: ApplyOptions, by: Actor) => Promise<ApplyReport | RefusalResult>;
  /** Takes back what was applied last. */
  revert: (place: PlaceState, by: Actor) => Promise<ApplyReport | RefusalResult>;
  /** Descriptions of what uses a place now. */
  usersOf: (place: PlaceState) => Promise<readonly string[]>;
  /** Finds out what became of the steps that the daemon's end interrupted. */
  recover: () => Promise<void>;
};

export function openPlaces(options: PlacesOptions): Places {
  const context = placeContext(options);
  const { log, openIn } = context;
  const inTurn = openQueues();

  /** Runs after earlier work on the same place, on the place as it is then. */
  const locked =
    <A extends unknown[], T>(work: (place: PlaceState, ...rest: [...A, PlaceContext]) => Promise<T>) =>
    (place: PlaceState, ...rest: A): Promise<T> =>
      inTurn(place.id, () => work(log.get(place.id) ?? place, ...rest, context));

  return {
    all: log.all,
    of: (folder) => createdPlaceOf(log.all(), folder),
    find: (named, folder) => log.get(named) ?? placeNamed(log.all(), named, folder),
    identity: (folder) => sourceOfCreatedPlace(log.all(), folder),
    workspaceOf: ({ root, checkout, source }) => path.join(root, path.relative(checkout, source)),
    create: (request, key, by) => inTurn(request.source, () => createOnce(request, key, by, context)),
    setup: (place) => findSetup(place, context),
    prepare: locked(preparePlace),
    facts: (place) => placeFacts(place, openIn(place.root)),
    size: ({ root }) => sizeOnDisk(root),
    changes: (place, comparison) => changesOf(place, comparison, context),
    save: locked(async (place, by: Actor, own: PlaceContext) => refuseUnless(place, "ready", "saved") ?? savePlace(place, by, own)),
    remove: locked(saveAndRemove),
    restore: locked(restore),
    repair: locked(repairPlace),
    apply: locked(applyChanges),
    revert: locked(revertChanges),
    usersOf: ({ root }) => context.usersOf(root),
    recover: () => recoverPlaces(context),
  };
}

/** Creates a place and prepares it, if its setup is approved. A repeated `key` returns the place that it created. */
async function createOnce(request: PlaceRequest, key: string, by: Actor, context: PlaceContext): Promise<PlaceState | RefusalResult> {
  const { log, openIn, run, folder } = context;
  const before = log.all().find((each) => each.key === key);
  if (before) return refuseUnless(before, "ready", "created again") ?? before;
  const git = openIn(request.source);
  const taken = (commonDir: string) =>
    new Set(log.all().flatMap((each) => (each.commonDir === commonDir && each.status !== "failed" ? each.name : [])));
  const plan = await planPlace(request, { git, folder: folder(), key, taken, by });
  if ("refused" in plan) return plan;
  const requested = await log.append(plan.id, plan);
  const created = await run(requested, "create", by, (place) => createPlace(place, git, openIn));
  if (created.status !== "ready")
    return refuse("place_impossible", `The place ${created.name} could not be created: ${created.message ?? "git failed"}.`);
  const setup = await findSetup(created, context);
  if (!setup || "problem" in setup || !setup.approved) return created;
  const prepared = await preparePlace(created, setup.hash, by, context);
  return "refused" in prepared ? created : prepared;
}

/** Brings a removed place back as its snapshot has it. */
async function restore(place: PlaceState, by: Actor, { run, sourceOf, openIn }: PlaceContext): Promise<PlaceState | RefusalResult> {
  const wrong = refuseUnless(place, "removed", "restored");
  if (wrong) return wrong;
  const { snapshot } = place;
  if (!snapshot)
    return refuse("place_impossible", `The folder of ${place.name} was gone before Baton could save it, so there is no snapshot.`);
  const restored = await run(place, "restore", by, () => restorePlace(place, snapshot, sourceOf(place), openIn));
  if (restored.status === "ready") return restored;
  return refuse("place_impossible", `The place ${place.name} was not restored: ${restored.message ?? ""}.`);
}

/** Records what became of steps that the daemon's end interrupted. */
async function recoverPlaces({ log, openIn, sourceOf, files }: PlaceContext): Promise<void> {
  for (const place of log.all().filter(({ step, status }) => step && status !== "interrupted")) {
    const contentOf = (file: string) => files.snapshots.now(place.checkout, file);
    const outcome = await interruptedStepOutcome(place, { source: sourceOf(place), place: openIn(place.root), contentOf });
    if (outcome) await log.append(place.id, outcome);
  }
}

/** Runs work with the same key one after the other. */
function openQueues(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const run = (queues.get(key) ?? Promise.resolve()).then(work);
    const quiet = run.catch(() => undefined);
    queues.set(key, quiet);
    return run;
  };
}
