import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { ShellContext } from "../shell/shell-context.ts";
import type { Word } from "../shell/word.ts";

/**
 * Why git would work with settings that came with the files, if so. Git takes a folder with `HEAD`, `objects` and `refs` in it
 * for a repository and does what its `config` says, programs included; such a folder can lie in any repository that is cloned.
 * Source: the description of `safe.bareRepository` in git-config(1).
 */
export function strangeRepository(words: readonly Word[], { cwds }: Pick<ShellContext, "cwds">): string | undefined {
  const found = foldersOf(words, { cwds })
    .map(bareAbove)
    .find((folder) => folder !== undefined);
  return found === undefined ? undefined : `git takes ${found} for a repository, and does what the settings in it say`;
}

/** The folders in which a call of git with these words may work. */
export const foldersOf = (words: readonly Word[], { cwds }: Pick<ShellContext, "cwds">): string[] =>
  cwds.map((cwd) => placesOf(words).reduce((at, to) => path.resolve(at, to), cwd));

/** Where `-C` leads, one after the other. */
const placesOf = (words: readonly Word[]): string[] => words.flatMap(({ text }, i) => (words[i - 1]?.text === "-C" ? [text] : []));

/** The folder, or the nearest one above it, that git would take for a repository without a `.git`. */
function bareAbove(folder: string): string | undefined {
  const real = realOf(folder);
  for (let at = real; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return undefined;
    if (isBare(at)) return at;
    if (at === path.dirname(at)) return undefined;
  }
}

/**
 * Git only asks whether `objects` and `refs` may be entered, which a file that may be run passes as well. A file `commondir`
 * names another folder that has both. Source: gitrepository-layout(5), `is_git_directory` in setup.c.
 */
const isBare = (folder: string): boolean =>
  existsSync(path.join(folder, "HEAD")) && ["commondir", "objects", "refs"].some((name) => existsSync(path.join(folder, name)));

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // it is not there yet, and those above it are looked at as they are named
  }
}
