import { existsSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import type { AppliedFile, PlaceEvent, PlaceId, PlaceSnapshot, PlaceStep } from "@baton/core/protocol/place";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { planApply, toAppliedFiles, writeFiles, type FilePlan, type SourceFiles } from "./apply-changes.ts";
import { changedFiles, type ChangedFile, type Comparison } from "./changed-files.ts";
import { createPlace, discardRegistration, discardWorktree, type StepResult } from "./create-place.ts";
import { openGit, type Git } from "./git.ts";
import { snapshotRef, treeOfFiles } from "./git-objects.ts";
import type { PlaceLog } from "./place-log.ts";
import { placeFacts, sizeOnDisk, type PlaceFacts } from "./place-status.ts";
import { planPlace, type PlaceRequest } from "./plan-place.ts";
import { interruptedOutcome } from "./recover-places.ts";
import { runSetup } from "./run-setup.ts";
import { readSetup, type PlaceSetup } from "./setup-files.ts";
import { removePlace } from "./remove-place.ts";
import { restorePlace } from "./restore-place.ts";
import { snapshotOfMissing, takeSnapshot } from "./take-snapshot.ts";

type Refused = { refused: Refusal };

/** What happens to files that both sides changed in the same lines: nothing is applied, they are left out, or they get git's markers. */
export type ConflictChoice = "stop" | "skip" | "mark";

/** What `apply` did or would do. */
export type ApplyReport = { files: Omit<FilePlan, "content">[]; applied: string[]; left: { path: string; why: string }[] };

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
  create: (request: PlaceRequest, key: string, by: Actor) => Promise<PlaceState | Refused>;
  /** The commands that prepare a new place of this repository, and whether the user has approved them. */
  setup: (place: PlaceState) => Promise<(PlaceSetup & { approved: boolean }) | { problem: string } | undefined>;
  /** Runs the setup with this hash, which the user has approved. */
  prepare: (place: PlaceState, hash: string, by: Actor) => Promise<PlaceState | Refused>;
  facts: (place: PlaceState) => Promise<PlaceFacts>;
  size: (place: PlaceState) => Promise<{ bytes: number; atLeast: boolean }>;
  changes: (place: PlaceState, comparison: Comparison) => Promise<readonly ChangedFile[] | Refused>;
  save: (place: PlaceState, by: Actor) => Promise<PlaceState | Refused>;
  /** Takes a snapshot, then removes the folder. Refused while anything uses the place. */
  remove: (place: PlaceState, by: Actor) => Promise<PlaceState | Refused>;
  restore: (place: PlaceState, by: Actor) => Promise<PlaceState | Refused>;
  /** Continues a step that was interrupted. */
  repair: (place: PlaceState, by: Actor) => Promise<PlaceState | Refused>;
  /** Applies the changes of a place to the source checkout. Without `write` it only plans. */
  apply: (place: PlaceState, options: ApplyOptions, by: Actor) => Promise<ApplyReport | Refused>;
  /** Takes back what was applied last. */
  revert: (place: PlaceState, by: Actor) => Promise<ApplyReport | Refused>;
  /** Descriptions of what uses a place now. */
  usersOf: (place: PlaceState) => Promise<readonly string[]>;
  /** Finds out what became of the steps that the daemon's end interrupted. */
  recover: () => Promise<void>;
};

export type ApplyOptions = { conflicts: ConflictChoice; paths?: readonly string[] | undefined; write: boolean };

/** Decides whether commands of a repository may run, and with which environment. */
export type SetupGate = {
  /** Whether the user approved the commands with this hash for a folder. */
  isApproved: (folder: string, hash: string) => boolean;
  /** Why a rule denies a command. Undefined: none does. */
  denial: (folder: string, command: string) => string | undefined;
  env: Readonly<Record<string, string>>;
};

export type PlacesOptions = {
  log: PlaceLog;
  /** The folder for new places. */
  folder: () => string;
  env: Readonly<Record<string, string | undefined>>;
  files: SourceFiles;
  setups: SetupGate;
  /** Descriptions of what uses a folder now: sessions at work, open requests, commands, editors. */
  usersOf: (root: string) => Promise<readonly string[]>;
};

export function openPlaces({ log, folder, env, files, setups, usersOf }: PlacesOptions): Places {
  const openIn = (cwd: string): Git => openGit(cwd, env);
  const sourceOf = ({ checkout, commonDir }: PlaceState): Git => openIn(existsSync(checkout) ? checkout : commonDir);
  const inTurn = openQueues();

  const finish = (
    { id }: PlaceState,
    step: PlaceStep,
    outcome: {
      ok: boolean;
      message?: string | undefined;
      snapshot?: PlaceSnapshot;
      files?: readonly AppliedFile[];
      setup?: string;
      output?: string;
    },
  ): Promise<PlaceState> => {
    const event: PlaceEvent = { type: "place.stepFinished", step, outcome: outcome.ok ? "succeeded" : "failed" };
    if (outcome.message) event.message = outcome.message;
    if (outcome.snapshot) event.snapshot = outcome.snapshot;
    if (outcome.files) event.files = [...outcome.files];
    if (outcome.setup !== undefined) event.setup = outcome.setup;
    if (outcome.output !== undefined) event.output = outcome.output;
    return log.append(id, event);
  };

  /** Records the intent, does the work, and records the outcome. */
  const run = async (
    place: PlaceState,
    step: PlaceStep,
    by: Actor,
    work: (place: PlaceState) => Promise<StepResult>,
  ): Promise<PlaceState> => {
    const started = await log.append(place.id, { type: "place.stepStarted", step, by });
    const result = await work(started).catch((error: unknown): StepResult => ({ ok: false, why: String(error) }));
    return finish(place, step, { ok: result.ok, message: result.ok ? result.notes.join("; ") : result.why });
  };

  const save = async (place: PlaceState, by: Actor): Promise<PlaceState | Refused> => {
    await log.append(place.id, { type: "place.stepStarted", step: "save", by });
    const isGone = !existsSync(place.root);
    const missing = isGone ? await snapshotOfMissing(place, sourceOf(place)) : undefined;
    if (isGone) return finish(place, "save", missing ? { ok: true, snapshot: missing } : { ok: false, message: "its folder is gone" });
    const taken = await takeSnapshot(place, openIn(place.root));
    if (taken.ok) return finish(place, "save", { ok: true, snapshot: taken.snapshot });
    await finish(place, "save", { ok: false, message: taken.why });
    return refuse("place_impossible", `The place ${place.name} could not be saved, so nothing was changed: ${taken.why}.`);
  };

  /** Removes a place whose snapshot is current. A file that was written after the snapshot stops it. */
  const removeSaved = (place: PlaceState, notes: readonly string[], by: Actor): Promise<PlaceState> =>
    run(place, "remove", by, async () => {
      const git = openIn(place.root);
      const source = sourceOf(place);
      const now = existsSync(place.root) ? await treeOfFiles(git) : undefined;
      const saved = await source(["rev-parse", `${place.snapshot?.commit ?? ""}^{tree}`]);
      if (now?.ok && (!saved.ok || saved.out.trim() !== now.tree)) return { ok: false, why: "a file was written during the removal" };
      const removed = await removePlace(place, source);
      return removed.ok ? { ok: true, notes: [...notes, ...removed.notes] } : removed;
    });

  const setupOf = async (place: PlaceState): Promise<(PlaceSetup & { approved: boolean }) | { problem: string } | undefined> => {
    const found = await readSetup(sourceFolder(place.checkout));
    if (!found || "problem" in found) return found;
    return { ...found, approved: setups.isApproved(place.source, found.hash) };
  };

  /** The commands come from the source, which the user trusts, and never from the branch of the place. */
  const prepare = async (place: PlaceState, hash: string, by: Actor): Promise<PlaceState | Refused> => {
    const wrong = refuseUnless(place, "ready", "prepared");
    if (wrong) return wrong;
    const found = await setupOf(place);
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
  };

  /** Runs the teardown that the user approved together with the setup. A failure is a note, because everything is saved. */
  const tearDown = async (place: PlaceState): Promise<string[]> => {
    const found = await setupOf(place);
    if (!found || "problem" in found || !found.approved || found.teardown.length === 0 || !existsSync(place.root)) return [];
    if (found.teardown.some((command) => setups.denial(place.source, command) !== undefined))
      return ["a rule denies the teardown, so it was not run"];
    const result = await runSetup(found.teardown, place, setups.env);
    return result.ok ? [] : [`the teardown in ${found.file} failed: ${result.why}`];
  };

  const sourceFolder = (at: string): string => {
    let folder = at;
    for (let place = of(folder); place; place = of(folder)) folder = path.join(place.checkout, path.relative(place.root, folder)); // a place of a place
    return folder;
  };

  const refuseUnless = (place: PlaceState, status: PlaceState["status"], verb: string): Refused | undefined => {
    if (place.status === status) return undefined;
    const what = place.status === "interrupted" ? `was interrupted. \`baton places repair ${place.name}\` continues` : `is ${place.status}`;
    return refuse("place_impossible", `The place ${place.name} ${what}, so it cannot be ${verb}.`);
  };

  const remove = async (place: PlaceState, by: Actor): Promise<PlaceState | Refused> => {
    const wrong = place.status === "failed" ? undefined : refuseUnless(place, "ready", "removed");
    if (wrong) return wrong;
    const users = await usersOf(place.root);
    if (users.length > 0) return refuse("place_in_use", `The place ${place.name} is in use: ${users.join("; ")}. End that first.`);
    if (existsSync(place.root) && !existsSync(path.join(place.root, ".git")))
      return refuse(
        "place_impossible",
        `${place.root} is no longer a git worktree, so Baton cannot save it. Look at the folder and move it away.`,
      );
    const torn = await tearDown(place);
    const saved = await save(place, by);
    if ("refused" in saved) return saved;
    const removed = await removeSaved(saved, torn, by);
    return removed.status === "removed"
      ? removed
      : refuse("place_impossible", `The place ${place.name} was not removed: ${removed.message ?? ""}.`);
  };

  const restore = async (place: PlaceState, by: Actor): Promise<PlaceState | Refused> => {
    const wrong = refuseUnless(place, "removed", "restored");
    if (wrong) return wrong;
    const { snapshot } = place;
    if (!snapshot)
      return refuse("place_impossible", `The folder of ${place.name} was gone before Baton could save it, so there is no snapshot.`);
    const restored = await run(place, "restore", by, () => restorePlace(place, snapshot, sourceOf(place), openIn));
    return restored.status === "ready"
      ? restored
      : refuse("place_impossible", `The place ${place.name} was not restored: ${restored.message ?? ""}.`);
  };

  const repair = async (place: PlaceState, by: Actor): Promise<PlaceState | Refused> => {
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
  };

  const changes = async (place: PlaceState, comparison: Comparison): Promise<readonly ChangedFile[] | Refused> => {
    const wrong = refuseUnless(place, "ready", "compared");
    if (wrong) return wrong;
    const found = await changedFiles(openIn(place.root), place.baseCommit, comparison);
    return found.ok ? found.files : refuse("place_impossible", `The changes of ${place.name} cannot be read: ${found.why}.`);
  };

  const apply = async (place: PlaceState, { conflicts, paths, write }: ApplyOptions, by: Actor): Promise<ApplyReport | Refused> => {
    const found = await changes(place, { scope: "base" });
    if ("refused" in found) return found;
    const wanted = paths === undefined ? found : found.filter((file) => paths.includes(file.path));
    const plans = await planApply(wanted, place.checkout, sourceOf(place), files);
    const report = { files: plans.map(({ content: _, ...plan }) => plan), applied: [], left: [] };
    if (!write) return report;
    const conflicting = plans.filter(({ action }) => action === "conflict");
    if (conflicts === "stop" && conflicting.length > 0)
      return refuse(
        "place_conflict",
        `Nothing was applied, because both sides changed ${conflicting.map((plan) => `${plan.path} (${plan.why ?? "conflict"})`).join(", ")}. Leave these files out, or let Baton write conflict markers into them.`,
      );
    const chosen = plans.filter(
      ({ action }) => action === "write" || action === "merge" || (action === "conflict" && conflicts === "mark"),
    );
    const intended = await toAppliedFiles(chosen, files);
    return { ...report, ...(await writeStep(place, "apply", intended, by)) };
  };

  const writeStep = async (place: PlaceState, step: "apply" | "revert", intended: readonly AppliedFile[], by: Actor) => {
    await log.append(place.id, { type: "place.stepStarted", step, files: [...intended], by });
    const { written, left } = await writeFiles(intended, step === "apply" ? "after" : "before", place.checkout, files);
    const message = left.map((each) => `${each.path}: ${each.why}`).join("; ");
    await finish(place, step, { ok: left.length === 0, message, files: written });
    return { applied: written.map((file) => file.path), left };
  };

  const revert = async (place: PlaceState, by: Actor): Promise<ApplyReport | Refused> => {
    if (place.applied.length === 0) return refuse("nothing_to_undo", `Nothing from the place ${place.name} is applied.`);
    return { files: [], ...(await writeStep(place, "revert", place.applied, by)) };
  };

  /** Runs after earlier work on the same place, on the place as it is then. */
  const locked =
    <A extends unknown[], T>(work: (place: PlaceState, ...rest: A) => Promise<T>) =>
    (place: PlaceState, ...rest: A): Promise<T> =>
      inTurn(place.id, () => work(log.get(place.id) ?? place, ...rest));

  const of = (at: string): PlaceState | undefined => log.all().find(({ root }) => isBelow(root, at));

  return {
    all: log.all,
    of,
    find: (named, at) => log.get(named) ?? placeNamed(log.all(), named, at),
    identity: sourceFolder,
    setup: setupOf,
    prepare: locked(prepare),
    workspaceOf: ({ root, checkout, source }) => path.join(root, path.relative(checkout, source)),
    create: (request, key, by) =>
      inTurn(request.source, async () => {
        const before = log.all().find((each) => each.key === key);
        if (before) return before.status === "ready" ? before : (refuseUnless(before, "ready", "created again") ?? before);
        const git = openIn(request.source);
        const taken = (commonDir: string) => new Set(log.all().flatMap((each) => (each.commonDir === commonDir ? each.name : [])));
        const plan = await planPlace(request, { git, folder: folder(), key, taken, by });
        if ("refused" in plan) return plan;
        const requested = await log.append(plan.id, plan);
        const created = await run(requested, "create", by, (place) => createPlace(place, git, openIn));
        const setup = created.status === "ready" ? await setupOf(created) : undefined;
        const isApproved = setup !== undefined && !("problem" in setup) && setup.approved;
        const prepared = isApproved ? await prepare(created, setup.hash, by) : created;
        if (created.status === "ready") return "refused" in prepared ? created : prepared;
        return refuse("place_impossible", `The place ${created.name} could not be created: ${created.message ?? "git failed"}.`);
      }),
    facts: (place) => placeFacts(place, openIn(place.root)),
    size: ({ root }) => sizeOnDisk(root),
    changes,
    save: locked(async (place, by: Actor) => refuseUnless(place, "ready", "saved") ?? save(place, by)),
    remove: locked(remove),
    restore: locked(restore),
    repair: locked(repair),
    apply: locked(apply),
    revert: locked(revert),
    usersOf: ({ root }) => usersOf(root),
    async recover() {
      for (const place of log.all().filter(({ step, status }) => step && status !== "interrupted")) {
        const git = openIn(place.root);
        const contentOf = (file: string) => files.snapshots.now(place.checkout, file);
        const outcome = await interruptedOutcome(place, { source: sourceOf(place), place: git, contentOf });
        if (outcome) await log.append(place.id, outcome);
      }
    },
  };
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

/** Finds a place by its name. Without a folder, the name must be unique. */
function placeNamed(places: readonly PlaceState[], name: string, at: string | undefined): PlaceState | undefined {
  const matching = places.filter((place) => place.name === name);
  if (at === undefined) return matching.length === 1 ? matching[0] : undefined;
  return matching.find(({ root, checkout }) => isBelow(checkout, at) || isBelow(root, at));
}

const isBelow = (root: string, folder: string): boolean => folder === root || folder.startsWith(root + path.sep);

/** Runs work with the same key one after the other. */
function openQueues(): <T>(key: PlaceId | string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const run = (queues.get(key) ?? Promise.resolve()).then(work);
    const quiet = run.catch(() => undefined);
    queues.set(key, quiet);
    return run;
  };
}
