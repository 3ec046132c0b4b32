import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";

/**
 * The git folders of a worktree: its own, the one that all worktrees of the repository share, and the file that leads to them. Real paths.
 */
type WorktreeGit = { own: string; common: string; link: string };

/**
 * Finds the git folders of the worktree that a folder belongs to. Undefined for an ordinary checkout, whose `.git` is a folder. The shared
 * folder must know the worktree too, so a file that an agent wrote cannot name any other folder.
 */
export function worktreeGit(folder: string): WorktreeGit | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const link = path.join(at, ".git");
    const text = readText(link);
    if (text !== undefined) return verified(link, /^gitdir: (.+)\n?$/.exec(text)?.[1]);
    if (path.dirname(at) === at) return undefined;
  }
}

function verified(link: string, named: string | undefined): WorktreeGit | undefined {
  if (named === undefined) return undefined;
  try {
    const own = realpathSync(path.resolve(path.dirname(link), named));
    const common = realpathSync(path.resolve(own, (readText(path.join(own, "commondir")) ?? "").trim()));
    const isKnown =
      path.dirname(own) === path.join(common, "worktrees") &&
      realpathSync((readText(path.join(own, "gitdir")) ?? "").trim()) === realpathSync(link);
    return isKnown ? { own, common, link } : undefined;
  } catch {
    return undefined; // a broken worktree
  }
}

/** The text of a file. Undefined for a folder and for a file that cannot be read. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
