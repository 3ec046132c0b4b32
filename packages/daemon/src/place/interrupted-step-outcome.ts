import { existsSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import type { PlaceState } from "@baton/core/place/place-state";
import type { AppliedFile, PlaceEvent } from "@baton/core/protocol/place";
import { gitLine, type Git } from "./git/git.ts";
import { treeOfFiles } from "./git/git-objects.ts";
import { isRegistered } from "./git/repository.ts";

type Finished = Extract<PlaceEvent, { type: "place.stepFinished" }>;

/** The sources of recovery: git of the source and of the place, and the current content of a file of the source as a hash. */
type RecoveryContext = { source: Git; place: Git; contentOf: (file: string) => Promise<string | null | undefined> };

/**
 * The outcome of a step that the daemon's end interrupted, as far as the disk proves it. Otherwise `unknown`: the place is then
 * interrupted, and the user decides. Nothing is repeated here.
 */
export async function interruptedStepOutcome(place: PlaceState, context: RecoveryContext): Promise<Finished | undefined> {
  const { step } = place;
  if (!step || place.status === "interrupted") return undefined;
  switch (step.name) {
    case "create":
      return ofCreation(place, context);
    case "prepare":
      return {
        ...finished(
          "prepare",
          "unknown",
          "The daemon stopped while the setup ran, so it may have run in part. Baton does not run it again by itself.",
        ),
        setup: "",
      };
    case "save":
      return finished("save", "failed", "The daemon stopped before the snapshot was complete. Nothing in the place was changed.");
    case "remove":
      return ofRemoval(place, context);
    case "restore":
      return ofRestoration(place, context);
    case "apply":
    case "revert":
      return ofFiles(step.name, step.files, context);
  }
}

const finished = (step: Finished["step"], outcome: Finished["outcome"], message: string): Finished => ({
  type: "place.stepFinished",
  step,
  outcome,
  message,
});

async function ofCreation({ root, baseCommit, ownBranch }: PlaceState, { source, place }: RecoveryContext): Promise<Finished> {
  if ((await isMissingOrEmpty(root)) && !(await isRegistered(source, root)))
    return finished("create", "failed", "The daemon stopped before git created the worktree. Nothing was created.");
  if (await isCompleteAt(place, ownBranch ? baseCommit : undefined))
    return finished("create", "succeeded", "The daemon stopped while the place was created. Git had finished its worktree.");
  return finished("create", "unknown", "The daemon stopped while git created the worktree, so files may be missing in it.");
}

/** Baton makes the folder before git fills it. An empty one is removed here, because the next attempt makes it again. */
async function isMissingOrEmpty(root: string): Promise<boolean> {
  await rmdir(root).catch(() => undefined);
  return !existsSync(root);
}

/** Whether a worktree has a commit checked out and no file differs from it. Git leaves a lock of its index if it was killed. */
async function isCompleteAt(place: Git, commit: string | undefined): Promise<boolean> {
  const head = await gitLine(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (head === undefined || (commit !== undefined && head !== commit)) return false;
  if (await hasIndexLock(place)) return false;
  return (await gitLine(place, ["status", "--porcelain", "--untracked-files=no"])) === "";
}

async function hasIndexLock(place: Git): Promise<boolean> {
  const lock = await gitLine(place, ["rev-parse", "--path-format=absolute", "--git-path", "index.lock"]);
  return lock !== undefined && existsSync(lock);
}

async function ofRemoval({ root, snapshot }: PlaceState, { source, place }: RecoveryContext): Promise<Finished> {
  if (!existsSync(root) && !(await isRegistered(source, root)))
    return finished("remove", "succeeded", "The daemon stopped while it removed the place. Nothing of its folder is left.");
  if (snapshot && (await hasTree(place, source, snapshot.commit)))
    return finished("remove", "failed", "The daemon stopped before it removed anything. The place is complete.");
  return finished(
    "remove",
    "unknown",
    "The daemon stopped while it removed the place, so a part of its folder may be gone. The snapshot has all of it.",
  );
}

async function ofRestoration({ root, snapshot }: PlaceState, { source, place }: RecoveryContext): Promise<Finished> {
  if ((await isMissingOrEmpty(root)) && !(await isRegistered(source, root)))
    return finished("restore", "failed", "The daemon stopped before it restored anything. The snapshot is unchanged.");
  if (snapshot && snapshot.ignored === null && (await hasTree(place, source, snapshot.commit)))
    return finished("restore", "succeeded", "The daemon stopped while it restored the place. All files of the snapshot are there.");
  return finished(
    "restore",
    "unknown",
    "The daemon stopped while it restored the place, so files may be missing in it. The snapshot has all of them.",
  );
}

/** Whether the files on disk are those of a commit. */
async function hasTree(place: Git, source: Git, commit: string): Promise<boolean> {
  if (await hasIndexLock(place)) return false;
  const files = await treeOfFiles(place);
  return files.ok && files.tree === (await gitLine(source, ["rev-parse", `${commit}^{tree}`]));
}

/** Each file is as it was before, or as it should be after. Both are proven by their content. */
async function ofFiles(step: "apply" | "revert", files: readonly AppliedFile[], { contentOf }: RecoveryContext): Promise<Finished> {
  const done: AppliedFile[] = [];
  for (const file of files) {
    const wanted = step === "apply" ? file.after : file.before;
    if ((await contentOf(file.path)) === wanted) done.push(file);
  }
  const verb = step === "apply" ? "applied" : "taken back";
  const message = `The daemon stopped meanwhile: ${done.length} of ${files.length} files were ${verb}.`;
  const outcome = done.length === files.length ? "succeeded" : "failed";
  return { type: "place.stepFinished", step, outcome, message, files: done };
}
