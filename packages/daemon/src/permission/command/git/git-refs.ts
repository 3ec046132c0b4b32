import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { entriesOf } from "../files/walk-folder.ts";

/** Parts of a command that may bring names of branches and tags that git itself would refuse. */
const BRINGS_REFS = /\b(fetch|pull|clone|update|update-ref|symbolic-ref|fast-import|unbundle|push|worktree|GIT_DIR|gh|glab|hub|jj)\b/;

/** True if no branch or tag looks like a flag. Git takes such names from other repositories. The `text` must not bring any. */
export function hasPlainRefs(root: string, text: string): boolean {
  const folder = path.join(root, ".git");
  if (BRINGS_REFS.test(text) || process.env["GIT_DIR"] !== undefined) return false;
  try {
    if (!statSync(folder).isDirectory() || readdirSync(folder).includes("reftable")) return false;
    const named = ["heads", "tags", "remotes"].flatMap((kind) => entriesOf(path.join(folder, "refs", kind)).map(({ name }) => name));
    const packed = readdirSync(folder).includes("packed-refs") ? readFileSync(path.join(folder, "packed-refs"), "utf8") : "";
    return (
      !named.some((name) => name.startsWith("-")) &&
      !/refs\/(heads|tags|remotes)\/-/.test(packed + readFileSync(path.join(folder, "HEAD"), "utf8"))
    );
  } catch {
    return false; // the gate cannot read it as a repository
  }
}
