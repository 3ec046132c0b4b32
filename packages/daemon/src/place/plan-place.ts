import { omitUndefined } from "@baton/core/text/omit-undefined";
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { PlaceName, type PlaceEvent, type PlaceId } from "@baton/core/protocol/place";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { gitLine, type Git } from "./git/git.ts";
import { checkedOutBranches, findCheckout } from "./git/repository.ts";
import { pullRequestOf, resolveBase } from "./git/resolve-base.ts";

/** A place that a user or an agent asks for. All fields but `source` have defaults. */
export type PlaceRequest = {
  /** The real path of the folder to work in. */
  source: string;
  name?: string | undefined;
  /** A branch, tag, commit or pull request (`#123`). Default: the commit that is checked out. */
  base?: string | undefined;
  /** An existing branch to check out instead of a new one. */
  branch?: string | undefined;
  group?: string | undefined;
};

type PlacePlan = Extract<PlaceEvent, { type: "place.requested" }>;

type PlanContext = {
  git: Git;
  /** The folder for the places of all repositories. */
  folder: string;
  /** Identifies the command, so that a repeated one plans the same place. */
  key: string;
  /** The names of the places that the repository has already. */
  taken: (commonDir: string) => ReadonlySet<string>;
  by: Actor;
};

/**
 * The digits of the digest in an id. Two daemons that know nothing of each other can give places of one repository the same name, and must not
 * give them the same id. A valid name and digits are a valid id.
 */
const ID_DIGEST = 12;

/** Decides everything about a place before anything is changed: its name, folder, branch and base commit. */
export async function planPlace(request: PlaceRequest, context: PlanContext): Promise<PlacePlan | { refused: Refusal }> {
  const { git, folder, key, by } = context;
  const checkout = await findCheckout(git, request.source);
  if ("refused" in checkout) return checkout;
  const taken = context.taken(checkout.commonDir);
  const digest = hash("sha256", key);
  const name = nameOf(request, digest.slice(0, 4), taken);
  if (typeof name !== "string") return name;
  const branch = request.branch === undefined ? await newBranch(git, name) : await existingBranch(git, request.branch);
  if (typeof branch !== "string") return branch;
  const base = await resolveBase(git, request.branch ?? request.base);
  if ("refused" in base) return base;
  const root = path.join(folder, repositoryFolder(checkout.commonDir), name);
  if (existsSync(root))
    return refuse("place_impossible", `The folder ${root} exists already. Choose another name, or move that folder away.`);
  return {
    type: "place.requested",
    id: `${name}-${digest.slice(0, ID_DIGEST)}` as PlaceId,
    key,
    name,
    source: request.source,
    checkout: checkout.top,
    commonDir: checkout.commonDir,
    root,
    branch,
    ownBranch: request.branch === undefined,
    base: base.label,
    baseCommit: base.commit,
    ...omitUndefined({ group: request.group }),
    by,
  };
}

/** The folder for the places of a repository: its name, and a digest that keeps repositories of the same name apart. */
function repositoryFolder(commonDir: string): string {
  const name = path.basename(commonDir) === ".git" ? path.basename(path.dirname(commonDir)) : path.basename(commonDir, ".git");
  return `${name || "repository"}-${hash("sha256", commonDir).slice(0, 6)}`;
}

function nameOf({ name, base }: PlaceRequest, suffix: string, taken: ReadonlySet<string>): string | { refused: Refusal } {
  const pull = base === undefined ? undefined : pullRequestOf(base);
  if (name === undefined) return freeName(pull === undefined ? `work-${suffix}` : `pr-${pull}`, taken);
  const parsed = PlaceName.safeParse(name);
  if (!parsed.success)
    return refuse("place_impossible", `"${name}" cannot be the name of a place: ${parsed.error.issues[0]?.message ?? "it is invalid"}.`);
  if (!taken.has(name)) return name;
  return refuse("place_impossible", `This repository has a place "${name}" already. Choose another name, or work in that place.`);
}

/** The name, or the name with the next free number. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let n = 2;
  while (taken.has(`${name}-${n}`)) n++;
  return `${name}-${n}`;
}

/** A branch that does not exist yet. */
async function newBranch(git: Git, name: string): Promise<string> {
  const exists = async (branch: string) => (await gitLine(git, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])) !== undefined;
  const wanted = `baton/${name}`;
  let branch = wanted;
  for (let n = 2; await exists(branch); n++) branch = `${wanted}-${n}`;
  return branch;
}

async function existingBranch(git: Git, branch: string): Promise<string | { refused: Refusal }> {
  if ((await gitLine(git, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])) === undefined)
    return refuse(
      "place_impossible",
      `There is no local branch "${branch}". Name it as the base instead, and the place gets a branch of its own.`,
    );
  const elsewhere = (await checkedOutBranches(git)).get(branch);
  if (elsewhere === undefined) return branch;
  return refuse(
    "place_impossible",
    `The branch "${branch}" is checked out in ${elsewhere}, and git allows that once. Name it as the base instead.`,
  );
}
