import { existsSync } from "node:fs";
import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { gitLine, nulSeparated, type Git } from "./git.ts";
import { commitTree, gitLinks, snapshotRef, treeOfFiles, type GitFailure } from "./git-objects.ts";

/** The git folder of a repository inside a checkout. Undefined if none is checked out there. */
async function repositoryIn(git: Git, folder: string): Promise<string | undefined> {
  if (!existsSync(path.join(folder, ".git"))) return undefined;
  return gitLine(git, ["rev-parse", "--absolute-git-dir"], { cwd: folder });
}

/**
 * Checks out in a new worktree the submodules that the source checkout has. They are cloned from the source, without network. Returns what
 * could not be done.
 */
export async function openSubmodules(source: Git, git: Git, { checkout }: Pick<PlaceState, "checkout">): Promise<string[]> {
  if (!existsSync(path.join(checkout, ".gitmodules"))) return [];
  const links = await gitLinks(git);
  if (!links.ok) return [`the submodules could not be listed: ${links.why}`];
  const problems: string[] = [];
  for (const each of links.paths) {
    const repository = await repositoryIn(source, path.join(checkout, each));
    if (repository === undefined) continue; // the user does not use it either
    const name = (await submoduleName(git, each)) ?? each;
    const from = ["-c", "protocol.file.allow=always", "-c", `submodule.${name}.url=${repository}`];
    const done = await git([...from, "submodule", "update", "--init", "--", each]);
    if (done.ok) await git(["submodule", "sync", "--quiet", "--", each]);
    else problems.push(`the submodule ${each} could not be checked out: ${done.why}`);
  }
  return problems;
}

async function submoduleName(git: Git, wanted: string): Promise<string | undefined> {
  const listed = await git(["config", "--null", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"]);
  if (!listed.ok) return undefined;
  const [key] = nulSeparated(listed.out).flatMap((entry) => {
    const [name = "", value] = entry.split("\n");
    return value === wanted ? name : [];
  });
  return key?.slice("submodule.".length, -".path".length);
}

/**
 * Saves the repositories inside a place. Git deletes them together with the worktree, so their commits and their uncommitted files are
 * pushed to the same repository in the source checkout, under the ref of the place. Fails for one that the source checkout does not have.
 */
export async function saveRepositories(place: PlaceState, git: Git, folders: readonly string[]): Promise<{ ok: true } | GitFailure> {
  for (const folder of folders) {
    const cwd = path.join(place.root, folder);
    if (!existsSync(path.join(cwd, ".git"))) continue; // a submodule that is not checked out
    const inside: Git = (args, options) => git(args, { ...options, cwd });
    const target = await repositoryIn(git, path.join(place.checkout, folder));
    if (target === undefined)
      return {
        ok: false,
        why: `${folder} is a git repository of its own, and ${place.checkout} does not have it. Move it out of the place first`,
      };
    const head = await gitLine(inside, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
    const files = await treeOfFiles(inside);
    if (head === undefined || !files.ok) return { ok: false, why: `the repository in ${folder} cannot be read` };
    const deeper = files.repositories.filter((each) => existsSync(path.join(cwd, each, ".git")));
    if (deeper.length > 0)
      return { ok: false, why: `${folder}/${deeper[0]} is a repository inside a repository. Move it out of the place first` };
    const commit = await commitTree(inside, { tree: files.tree, parents: [head], message: `Snapshot of the place ${place.name}` });
    if (!commit.ok) return commit;
    const pushed = await inside(["push", "--quiet", "--force", target, `${commit.commit}:${snapshotRef(place)}`]);
    if (!pushed.ok) return { ok: false, why: `the repository in ${folder} could not be saved: ${pushed.why}` };
  }
  return { ok: true };
}
