import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { copyIgnoredFiles, type CopyReport } from "./setup/copy-ignored-files.ts";
import type { Git } from "./git/git.ts";
import { openSubmodules } from "./git/submodules.ts";

/** Protects the worktree from `git worktree prune` and `git worktree remove` by other programs. */
export const LOCK_REASON = "a place of Baton: `baton places` lists it";

/** The outcome of a step. `notes`: what the user should know although it succeeded. */
export type StepResult = { ok: true; notes: string[] } | { ok: false; why: string };

/**
 * Creates the worktree of a place at its base commit, and makes it ready to work in: submodules, and the ignored files that
 * `.worktreeinclude` names. A failure leaves nothing behind.
 */
export async function createPlace(place: PlaceState, source: Git, openIn: (folder: string) => Git): Promise<StepResult> {
  const { root } = place;
  await mkdir(path.dirname(root), { recursive: true });
  const added = await addWorktree(place, source);
  if (!added.ok) {
    await discardWorktree(source, root);
    return { ok: false, why: added.why };
  }
  await source(["update-ref", baseRef(place), place.baseCommit]); // the base stays, even if its branch is forced to another commit
  return { ok: true, notes: await prepareCopy(place, source, openIn(root)) };
}

const baseRef = ({ id }: Pick<PlaceState, "id">): string => `refs/baton/bases/${id}`;

function addWorktree({ root, branch, ownBranch, baseCommit }: PlaceState, git: Git): ReturnType<Git> {
  const kind = branch === null ? ["--detach"] : ownBranch ? ["--no-track", "-b", branch] : [];
  const start = branch === null || ownBranch ? baseCommit : branch;
  return git(["worktree", "add", "--quiet", "--lock", "--reason", LOCK_REASON, ...kind, root, start]);
}

/** Removes what a failed or interrupted creation left. Only for a worktree in which nobody has worked. */
export async function discardWorktree(git: Git, root: string): Promise<void> {
  await git(["worktree", "remove", "--force", "--force", root]);
  await rm(root, { recursive: true, force: true });
  await discardRegistration(git, root);
}

/** Removes what git remembers about a worktree whose folder is gone. */
export async function discardRegistration(git: Git, root: string): Promise<void> {
  await git(["worktree", "unlock", root]);
  if (!existsSync(root)) await git(["worktree", "prune"]);
}

/** Fills in what git leaves out of a new worktree. A problem here is worth a note, and no reason to fail. */
export async function prepareCopy({ root, checkout }: PlaceState, source: Git, git: Git): Promise<string[]> {
  const [submodules, copied] = [await openSubmodules(source, git, { checkout }), await copyIgnoredFiles(source, { checkout, root })];
  return [...submodules, ...copyNotes(copied)];
}

function copyNotes({ copied, problems }: CopyReport): string[] {
  const done = copied === 0 ? [] : [`${copied === 1 ? "1 ignored file was" : `${copied} ignored files were`} copied (.worktreeinclude)`];
  return [...done, ...problems];
}
