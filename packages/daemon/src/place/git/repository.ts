import { realpath } from "node:fs/promises";
import path from "node:path";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import { gitLine, type Git } from "./git.ts";

/** A folder in a checkout. All paths are real. `prefix`: the folder relative to the top of the checkout, empty for the top itself. */
type Checkout = { top: string; commonDir: string; prefix: string };

/** Finds the checkout of a folder. Refuses a folder outside of git, a bare repository, and one without any commit. */
export async function findCheckout(git: Git, folder: string): Promise<Checkout | { refused: Refusal }> {
  const found = await git(["rev-parse", "--path-format=absolute", "--is-bare-repository", "--git-common-dir"]);
  if (!found.ok) return refuse("place_impossible", `${folder} is not in a git repository (${found.why}). A place is a git worktree.`);
  const [bare, common = ""] = found.out.split("\n");
  if ((await gitLine(git, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])) === undefined)
    return refuse("place_impossible", `The repository of ${folder} has no commit that is checked out. Commit something first.`);
  const commonDir = await realpath(common);
  if (bare === "true") return { top: await realpath(folder), commonDir, prefix: "" };
  const top = await gitLine(git, ["rev-parse", "--show-toplevel"]);
  if (top === undefined) return refuse("place_impossible", `${folder} is inside a .git folder. Start from the checkout itself.`);
  const real = await realpath(top);
  return { top: real, commonDir, prefix: path.relative(real, await realpath(folder)) };
}

/** The branch that a worktree of the repository has checked out, by its full name, with the folder of that worktree. */
export async function checkedOutBranches(git: Git): Promise<Map<string, string>> {
  const listed = await git(["worktree", "list", "--porcelain", "-z"]);
  const branches = new Map<string, string>();
  if (!listed.ok) return branches;
  let folder = "";
  for (const line of listed.out.split("\0")) {
    if (line.startsWith("worktree ")) folder = line.slice("worktree ".length);
    if (line.startsWith("branch ")) branches.set(line.slice("branch refs/heads/".length), folder);
  }
  return branches;
}

/** The commit and the branch that git remembers for a worktree, even if its folder is gone. */
export async function rememberedHead(git: Git, root: string): Promise<{ head: string; branch: string | null } | undefined> {
  const listed = await git(["worktree", "list", "--porcelain", "-z"]);
  if (!listed.ok) return undefined;
  const lines =
    listed.out
      .split("\0\0")
      .map((entry) => entry.split("\0"))
      .find((entry) => entry.includes(`worktree ${root}`)) ?? [];
  const value = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const head = value("HEAD");
  return head === undefined || /^0+$/.test(head) ? undefined : { head, branch: value("branch")?.slice("refs/heads/".length) ?? null };
}

/** Whether git knows a worktree in this folder. */
export async function isRegistered(git: Git, root: string): Promise<boolean> {
  const listed = await git(["worktree", "list", "--porcelain", "-z"]);
  return listed.ok && listed.out.split("\0").includes(`worktree ${root}`);
}
