import path from "node:path";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { isSearched } from "./command/files/find-secrets.ts";
import { holdsKeys, holdsToken, isSecretName } from "./command/files/key-files.ts";
import { isTracked } from "./command/git/git-index.ts";
import { entriesBelow } from "./command/files/walk-folder.ts";
import { floorOf, hasLimitedName, isWithin, keyPaths } from "./protected-paths.ts";

const MAX_FOLDERS = 20_000;
const MAX_ENTRIES = 200_000;

type LimitOptions = {
  /** True if rules limit which files may be read or changed, besides the defaults. Then every file is judged. */
  reads: boolean;
  edits: boolean;
  mayRead: (below: string, floor: SourcedRule | undefined) => boolean;
  mayEdit: (below: string, floor: SourcedRule | undefined) => boolean;
  /** True for a folder of packages in which a rule limits files. The others are passed over. */
  enters?: (below: string) => boolean;
};

/**
 * The files and folders below a folder with limits, as absolute paths. `repositories`: every `.git`. `links`: links with protected names.
 * `folders`: all folders that were found, relative and nearest first. `isWhole` is false if there were too many to judge all.
 */
export type LimitedFiles = {
  hidden: string[];
  readOnly: string[];
  repositories: string[];
  links: string[];
  folders: string[];
  isWhole: boolean;
};

/** Finds the files below a folder that a command may not read or not change without a question. */
export function limitedFiles(
  folder: string,
  ownRoots: readonly string[],
  { reads, edits, mayRead, mayEdit, enters = () => false }: LimitOptions,
): LimitedFiles {
  const found: LimitedFiles = { hidden: [], readOnly: [], repositories: [], links: [], folders: [], isWhole: true };
  const closed = new Set<string>();
  const fixed = new Set<string>(); // folders in read-only ones
  const special = new Set([...ownRoots, ...keyPaths()].filter((each) => isWithin(folder, each)));
  let [entries, entered] = [0, 0];
  for (const { entry, below, file } of entriesBelow(folder, {
    // Packages bring no keys, and the sandbox protects the parts of git by itself.
    enters: (each) =>
      (isSearched(each) || (each.entry.isDirectory() && enters(each.below))) && !closed.has(each.below) && ++entered < MAX_FOLDERS,
  })) {
    if (++entries > MAX_ENTRIES) break;
    if (entry.isSymbolicLink()) {
      if (entry.name === ".git" || hasLimitedName(entry.name, path.basename(path.dirname(file)))) found.links.push(file);
      continue; // the target of a link is judged under its own name, or is not visible
    }
    if (entry.name === ".git") {
      found.repositories.push(file);
      continue;
    }
    if (entry.isDirectory()) found.folders.push(below);
    const place = { real: file, relative: below, inside: true };
    const isLimited = special.has(file) || hasLimitedName(entry.name, path.basename(path.dirname(file))) || isOwnKey(file);
    const isFixed = fixed.has(path.dirname(below));
    if (isFixed && entry.isDirectory()) fixed.add(below);
    if (!isLimited && !reads && !edits && !looksSecret(below)) continue;
    const editFloor = isLimited ? floorOf("edit", place, ownRoots) : undefined;
    const readFloor = isLimited && !holdsToken(file) ? floorOf("read", place, ownRoots) : undefined; // npm needs its token in the sandbox
    // A folder stays visible if its files are.
    const isUnread = () => !mayRead(below, readFloor) && !(entry.isDirectory() && mayRead(path.join(below, "any-file"), readFloor));
    if ((readFloor || reads || looksSecret(below)) && isUnread()) {
      found.hidden.push(file);
      closed.add(below);
    } else if (!isFixed && (editFloor || (edits && !mayEdit(entry.isDirectory() ? path.join(below, "any-file") : below, undefined)))) {
      found.readOnly.push(file);
      fixed.add(below);
    }
  }
  return { ...found, isWhole: entered < MAX_FOLDERS && entries <= MAX_ENTRIES };
}

/** True for a private key, unless git tracks it. Many projects have such a key for their tests. */
const isOwnKey = (file: string): boolean => /\.(pem|key)$/i.test(file) && holdsKeys(file) && !isTracked(file);

/** True for a path that the default rules may ask about. The rules decide whether they really do. */
const looksSecret = (below: string): boolean => /\.env[^/]*$/.test(below) || isSecretName(below.toLowerCase());
