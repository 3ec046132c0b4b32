import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import { gitLine, type Git } from "./git.ts";

/** Where a place begins. `label`: the base as the user reads it. */
type Base = { label: string; commit: string };

const PULL_REQUEST = /^#(\d{1,9})$|^https:\/\/[^/]+\/[^/]+\/[^/]+\/pull\/(\d{1,9})(?:\/.*)?$/;

/** The number of a pull request, written as `#123` or as its address. */
export function pullRequestOf(base: string): string | undefined {
  const match = PULL_REQUEST.exec(base);
  return match?.[1] ?? match?.[2];
}

/**
 * Finds the commit of a base: a branch, a tag, a commit or a pull request of the remote `origin`. Without a base, the commit that is
 * checked out. A pull request is fetched, which needs the network.
 */
export async function resolveBase(git: Git, base: string | undefined): Promise<Base | { refused: Refusal }> {
  const pull = base === undefined ? undefined : pullRequestOf(base);
  if (pull !== undefined) return pullRequest(git, pull);
  const named = base ?? "HEAD";
  if (named.startsWith("-")) return refuse("place_impossible", `"${named}" is not a branch, tag or commit.`);
  const commit = await gitLine(git, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${named}^{commit}`]);
  if (commit === undefined)
    return refuse(
      "place_impossible",
      `There is no branch, tag or commit "${named}" in this repository. \`git branch -a\` lists the branches.`,
    );
  if (base !== undefined) return { label: base, commit };
  const branch = await gitLine(git, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return { label: branch ?? commit.slice(0, 10), commit };
}

async function pullRequest(git: Git, number: string): Promise<Base | { refused: Refusal }> {
  const ref = `refs/baton/pull/${number}`;
  const fetched = await git(["fetch", "--no-tags", "--no-recurse-submodules", "origin", `+refs/pull/${number}/head:${ref}`]);
  if (!fetched.ok)
    return refuse(
      "place_impossible",
      `The pull request #${number} could not be fetched from origin: ${fetched.why}. Check the number and the remote.`,
    );
  const commit = await gitLine(git, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  return commit === undefined
    ? refuse("place_impossible", `origin has no commit for the pull request #${number}.`)
    : { label: `#${number}`, commit };
}
