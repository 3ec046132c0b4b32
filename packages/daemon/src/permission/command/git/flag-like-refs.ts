import { readdirSync } from "node:fs";
import path from "node:path";
import { attempt, readText } from "../files/path-on-disk.ts";
import { entriesOf } from "../files/walk-folder.ts";

/** Parts of a command that may bring names of branches and tags that git itself would refuse. */
const BRINGS_REFS = /\b(fetch|pull|clone|update|update-ref|symbolic-ref|fast-import|unbundle|push|worktree|GIT_DIR|gh|glab|hub|jj)\b/;

/** True if no branch or tag looks like a flag. Git takes such names from other repositories. The `text` must not bring any. */
export function hasNoFlagLikeRefs(root: string, text: string): boolean {
  const folder = path.join(root, ".git");
  if (BRINGS_REFS.test(text) || process.env["GIT_DIR"] !== undefined) return false;
  const read = (name: string): string | undefined => readText(path.join(folder, name));
  const names = attempt(() => readdirSync(folder)) ?? ["reftable"];
  const packed = names.includes("packed-refs") ? read("packed-refs") : "";
  const head = read("HEAD");
  if (names.includes("reftable") || packed === undefined || head === undefined) return false; // the gate cannot read it as a repository
  const refs = ["heads", "tags", "remotes"].flatMap((kind) => entriesOf(path.join(folder, "refs", kind)));
  return !refs.some(({ name }) => name.startsWith("-")) && !/refs\/(heads|tags|remotes)\/-/.test(packed + head);
}
