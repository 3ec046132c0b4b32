import type { PlaceState } from "@baton/core/place/place-state";
import { gitLine, type Git } from "./git/git.ts";
import { treeOfFiles } from "./git/git-objects.ts";
import { treeOfIgnored } from "./take-snapshot.ts";

/** Why the snapshot of a place does not have all that is in the place now. Undefined if it has. */
export async function staleSnapshotReason(
  { root, snapshot }: Pick<PlaceState, "root" | "snapshot">,
  git: Git,
): Promise<string | undefined> {
  if (!snapshot) return "it has no snapshot";
  const now = await treeOfFiles(git);
  if (!now.ok) return uncomparable(now.why);
  if (now.tree !== (await treeOf(snapshot.commit, git))) return "a file was written during the removal";
  const ignored = await treeOfIgnored(root, git);
  if (!ignored.ok) return uncomparable(ignored.why);
  const saved = snapshot.ignored === null ? null : await treeOf(snapshot.ignored, git);
  if (ignored.tree !== saved || ignored.leftOut.join("\0") !== snapshot.leftOut.join("\0"))
    return "an ignored file was written during the removal";
  return (await gitLine(git, ["rev-parse", "HEAD"])) === snapshot.head ? undefined : "a commit was made during the removal";
}

const uncomparable = (why: string): string => `its files could not be compared with the snapshot: ${why}`;

const treeOf = (commit: string, git: Git): Promise<string | undefined> => gitLine(git, ["rev-parse", `${commit}^{tree}`]);
