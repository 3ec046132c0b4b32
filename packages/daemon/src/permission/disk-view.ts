import { lstatSync, readdirSync, realpathSync, statSync, type Dirent, type Stats } from "node:fs";

type Result<T> = { found: T } | { error: unknown };

const emptyView = () => ({
  lstat: new Map<string, Result<Stats | undefined>>(),
  stat: new Map<string, Result<Stats | undefined>>(),
  realPath: new Map<string, Result<string>>(),
  entries: new Map<string, Result<readonly Dirent[]>>(),
});

let view: ReturnType<typeof emptyView> | undefined;

/** Above this number of paths, a walk through a large tree reads folders without keeping them. */
const MAX_KEPT = 2_000;

/**
 * Looks at each path only once while `judge` runs. A verdict asks for the same few paths again and again, and nothing in it changes the
 * disk. `judge` is synchronous.
 */
export function withDiskView<T>(judge: () => T): T {
  if (view) return judge();
  view = emptyView();
  try {
    return judge();
  } finally {
    view = undefined;
  }
}

/** Returns what `lstat` says about a path, and undefined if it does not exist. Throws as `lstat` does. */
export const lstatOf = (file: string): Stats | undefined => lookOnce(view?.lstat, file, () => lstatSync(file, { throwIfNoEntry: false }));

/** Returns what `stat` says about a path, and undefined if it leads to nothing. Throws as `stat` does. */
export const statOf = (file: string): Stats | undefined => lookOnce(view?.stat, file, () => statSync(file, { throwIfNoEntry: false }));

/** Follows all symlinks in a path. Throws if it does not exist, or cannot be followed. */
export const realPathOf = (file: string): string => lookOnce(view?.realPath, file, () => realpathSync.native(file));

/** Returns the entries of a folder. Throws if it does not exist, or cannot be read. */
export const readFolder = (folder: string): readonly Dirent[] =>
  lookOnce(view?.entries, folder, () => readdirSync(folder, { withFileTypes: true }));

function lookOnce<T>(results: Map<string, Result<T>> | undefined, file: string, look: () => T): T {
  const known = results?.get(file);
  const result = known ?? resultOf(look);
  if (!known && results && results.size < MAX_KEPT) results.set(file, result);
  if ("error" in result) throw result.error;
  return result.found;
}

function resultOf<T>(look: () => T): Result<T> {
  try {
    return { found: look() };
  } catch (error) {
    return { error };
  }
}
