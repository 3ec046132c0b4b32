import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import type { PlaceSnapshot } from "@baton/core/protocol/place";
import { addWorktree, claimFolder, discardWorktree, prepareCopy, type StepResult } from "./create-place.ts";
import { withDiskFullHint } from "./disk-full-hint.ts";
import { gitLine, retryWhileWorktreesChange, type Git } from "./git/git.ts";
import { snapshotRef, withScratchFolder } from "./git/git-objects.ts";
import { checkedOutBranches } from "./git/repository.ts";

/** Brings a removed place back as its snapshot has it: the branch, what was staged, all files, and ignored files. */
export async function restorePlace(
  place: PlaceState,
  snapshot: PlaceSnapshot,
  source: Git,
  openIn: (folder: string) => Git,
): Promise<StepResult> {
  const { root } = place;
  const claimed = await claimFolder(root);
  if (!claimed.ok) return claimed;
  const added = await retryWhileWorktreesChange(async () => {
    const { args, notes } = await headOf(place, snapshot, source);
    return { ...(await addWorktree(source, args)), notes };
  });
  const { notes } = added;
  if (!added.ok) {
    await discardWorktree(source, root);
    return { ok: false, why: await withDiskFullHint(added.why, root) };
  }
  const git = openIn(root);
  const filled = await fillIn(place, snapshot, git);
  if (filled !== undefined) {
    await discardWorktree(source, root); // the snapshot has all of it
    return { ok: false, why: await withDiskFullHint(filled, root) };
  }
  return { ok: true, notes: [...notes, ...(await prepareCopy(place, source, git)), ...(await restoreSubmodules(place, git))] };
}

/** The arguments that check out the branch of a snapshot, or its commit if the branch has moved on or is checked out elsewhere. */
async function headOf({ root }: PlaceState, { head, branch }: PlaceSnapshot, source: Git): Promise<{ args: string[]; notes: string[] }> {
  if (branch === null) return { args: ["--detach", root, head], notes: [] };
  const tip = await gitLine(source, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  if (tip === undefined) return { args: ["--no-track", "-b", branch, root, head], notes: [] };
  const elsewhere = (await checkedOutBranches(source)).get(branch);
  if (elsewhere !== undefined)
    return {
      args: ["--detach", root, head],
      notes: [`the branch ${branch} is checked out in ${elsewhere}, so the place has no branch now`],
    };
  if (tip !== head)
    return { args: ["--detach", root, head], notes: [`the branch ${branch} has other commits now, so the place has no branch`] };
  return { args: [root, branch], notes: [] };
}

/** Makes the files, then the index, then the ignored files those of the snapshot. Returns the problem, if there is one. */
async function fillIn({ root }: PlaceState, { commit, head, index, ignored }: PlaceSnapshot, git: Git): Promise<string | undefined> {
  const files = await git(["read-tree", "-m", "-u", head, commit]);
  if (!files.ok) return files.why;
  const staged = await git(["read-tree", index ?? head]);
  if (!staged.ok) return staged.why;
  await git(["update-index", "-q", "--refresh"]); // fails when files differ, which is what the snapshot says
  if (ignored === null) return undefined;
  return withScratchFolder(async (folder) => {
    const env = { GIT_INDEX_FILE: path.join(folder, "index") };
    const read = await git(["read-tree", ignored], { env });
    if (!read.ok) return read.why;
    const written = await git(["checkout-index", "--all", "--force"], { env, cwd: root });
    return written.ok ? undefined : written.why;
  });
}

/** Brings back what was in the submodules. */
async function restoreSubmodules(place: PlaceState, git: Git): Promise<string[]> {
  const ref = snapshotRef(place);
  const modules = await git(["submodule", "--quiet", "foreach", "pwd"]);
  if (!modules.ok) return [];
  const notes: string[] = [];
  for (const folder of modules.out.split("\n").filter(Boolean)) {
    const name = path.relative(place.root, folder);
    const from = await gitLine(git, ["-C", path.join(place.checkout, name), "rev-parse", "--absolute-git-dir"]);
    const fetched = from && (await git(["fetch", "--quiet", from, ref], { cwd: folder }));
    if (!fetched || !fetched.ok) continue; // it had no snapshot
    const parent = await gitLine(git, ["rev-parse", "FETCH_HEAD^"], { cwd: folder });
    const done = parent === undefined ? undefined : await git(["checkout", "--quiet", "--detach", parent], { cwd: folder });
    const overlaid = done?.ok ? await git(["read-tree", "-m", "-u", "HEAD", "FETCH_HEAD"], { cwd: folder }) : done;
    await git(["reset", "--quiet"], { cwd: folder });
    if (!overlaid?.ok) notes.push(`the files of the submodule ${name} are in its ref ${ref}`);
  }
  return notes;
}
