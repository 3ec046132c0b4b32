import { existsSync } from "node:fs";
import path from "node:path";
import { foldersFrom, realPath } from "../files/path-on-disk.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import type { Word } from "../words/word.ts";

/**
 * Returns why git would use settings that came with the files, if it would. Git takes a folder with `HEAD`, `objects` and
 * `refs` for a repository. It then follows the `config` there, which may name programs. Any cloned repository can contain
 * such a folder. Source: the description of `safe.bareRepository` in git-config(1).
 */
export function bareRepositoryReason(
  words: readonly Word[],
  { cwds }: Pick<ShellContext, "cwds">,
  made: ReadonlySet<string>,
): string | undefined {
  const found = foldersOf(words, { cwds })
    .flatMap((folder) => [realPath(folder) ?? folder, folder]) // it may not exist yet
    .map((folder) => bareAbove(folder, [...made]))
    .find((folder) => folder !== undefined);
  return found === undefined ? undefined : `git takes ${found} for a repository, and does what the settings in it say`;
}

/** Returns the folders in which a git call with these words may work. */
export const foldersOf = (words: readonly Word[], { cwds }: Pick<ShellContext, "cwds">): string[] =>
  cwds.map((cwd) => placesOf(words).reduce((at, to) => path.resolve(at, to), cwd));

/** Returns the values of `-C`, in order. */
const placesOf = (words: readonly Word[]): string[] => words.flatMap(({ text }, i) => (words[i - 1]?.text === "-C" ? [text] : []));

/** Returns the folder, or the nearest one above it, that git would take for a repository without a `.git`. The text may make it. */
function bareAbove(folder: string, made: readonly string[]): string | undefined {
  const found = foldersFrom(folder).find((at) => existsSync(path.join(at, ".git")) || isBare(at, made));
  return found === undefined || existsSync(path.join(found, ".git")) ? undefined : found;
}

/**
 * True if git may take the folder for a repository. Git only checks whether it may enter `objects` and `refs`, and an
 * executable file passes this check as well. A file `commondir` names another folder that has both. Source:
 * gitrepository-layout(5), `is_git_directory` in setup.c.
 */
function isBare(folder: string, made: readonly string[]): boolean {
  const has = (name: string) => {
    const file = path.join(folder, name);
    return existsSync(file) || made.some((each) => each === file || each.startsWith(`${file}/`));
  };
  return has("HEAD") && ["commondir", "objects", "refs"].some(has);
}
