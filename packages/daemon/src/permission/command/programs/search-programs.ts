import { readFileSync } from "node:fs";
import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { hasFlag, type ParsedArguments } from "./parse-arguments.ts";
import { readCall } from "./classify-by-table.ts";
import { isOrdinaryName } from "./find-and-xargs.ts";
import { doubtful, type PathUse, type ProgramEffects, type ProgramClassifier, type FolderTraversal } from "./program-types.ts";
import { attempt, foldersFrom } from "../files/path-on-disk.ts";
import { entriesBelow, type FolderEntry } from "../files/walk-folder.ts";
import { readers } from "../tables/readers.ts";
import { literal } from "../words/word.ts";

/** Classifies `grep`. `grep -r` reads all files below a folder or the working directory, also hidden ones. `-R` follows symlinks. */
export const grep: ProgramClassifier = ({ name, words }) => {
  const { effects, sorted } = readCall(readers["grep"], words);
  const follows = hasFlag(sorted, "-R --dereference-recursive");
  if (!follows && !hasFlag(sorted, "-r --recursive") && !sorted.occurrences.some(recurses)) return effects;
  if (name === "zgrep") return doubtful("zgrep hands files to grep as its input, so grep searches the working directory instead");
  return { ...effects, paths: searching(effects.paths, sorted, { follows, leavesOut: () => (name) => !isLookedInto(name, sorted) }) };
};

const recurses = ({ flag, value }: ParsedArguments["occurrences"][number]): boolean =>
  /^(-d|--directories)$/.test(flag) && (value?.kind !== "literal" || value.text.startsWith("r"));

/** True if `grep` reads a file of this name. The last `--include` or `--exclude` that matches decides, or else the first one. */
function isLookedInto(name: string, { occurrences }: ParsedArguments): boolean {
  const chosen = occurrences.filter(({ flag }) => flag === "--include" || flag === "--exclude");
  const last = chosen.findLast(({ flag, value }) => {
    const isPlain = value?.kind !== "open" && value !== undefined && !/[[\\/]/.test(value.text);
    return isPlain ? matchesWildcard(value.text, name) : flag === "--include";
  });
  return last === undefined ? chosen[0]?.flag !== "--include" : last.flag === "--include";
}

/** Classifies `rg`. It skips hidden files and what `.gitignore` names, unless flags or globs include them. `-L` follows symlinks. */
export const rg: ProgramClassifier = ({ words }) => {
  const { effects, sorted } = readCall(readers["rg"], words);
  const globs = words.flatMap(({ text }, i) => globsOf(text, words[i - 1]?.text));
  const follows = hasFlag(sorted, "-L --follow");
  const unrestricted = sorted.occurrences.filter(({ flag }) => flag === "-u" || flag === "--unrestricted").length;
  const isAll = unrestricted > 1 || hasFlag(sorted, "--hidden -. --type-add") || globs.some((glob) => !isOrdinaryName(glob));
  if (hasFlag(sorted, LISTING)) return effects;
  const use = hasFlag(sorted, NAMING) && !isAll && !follows ? "reads" : "searches";
  const chosen = globs.length > 0 ? () => (name: string) => !globs.some((glob) => mayMatch(glob, name)) : leavesHidden;
  const paths = searching(effects.paths, sorted, { follows, ...(isAll ? {} : { leavesOut: chosen }) }, use);
  return { ...effects, paths };
};

function leavesHidden(folder: string): (name: string, below: string) => boolean {
  const isBroughtIn = unhidden(folder);
  return (_, below) => HIDDEN.test(below) && !isBroughtIn(below);
}

const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];
const MAX_FOLDERS = 300;
const PASSED = new Set([".git", "node_modules"]);

/**
 * Returns a test for hidden files that rg searches although no argument asks for it. A line `!.env` in an ignore file
 * includes such a file. The ignore file may be here, above or below (observed with ripgrep 15).
 */
function unhidden(folder: string): (below: string) => boolean {
  let patterns: readonly string[] | undefined;
  return (below) => {
    patterns ??= foldersAround(folder).flatMap((each) => IGNORE_FILES.flatMap((name) => broughtIn(path.join(each, name))));
    return patterns.some((pattern) => /[[\\]/.test(pattern) || below.split("/").some((part) => matchesWildcard(pattern, part)));
  };
}

/** Returns the last parts of the patterns that begin with `!`. */
function broughtIn(file: string): string[] {
  const lines = (attempt(() => readFileSync(file, "utf8")) ?? "").split(/\r?\n/);
  return lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1).trim().replace(/\/+$/, "").split("/").at(-1) ?? "");
}

/** Returns the folder, the folders above it, and the nearest of the folders below it. */
function foldersAround(folder: string): string[] {
  const enters = ({ entry }: FolderEntry) => entry.isDirectory() && !PASSED.has(entry.name);
  const below = [...entriesBelow(folder, { maxFolders: MAX_FOLDERS, enters })].filter(enters);
  return [...foldersFrom(folder), ...below.map(({ file }) => file)];
}

const HIDDEN = /(^|\/)\.[^/]*/;
/** Flags with which rg prints the names of the files, and nothing from them. */
const NAMING = "-l -c -q --files-with-matches --files-without-match --count --count-matches --quiet";
/** Flags with which rg opens no file. */
const LISTING = "--files --type-list --version";
/** True unless a glob certainly does not match a file of this name. */
const mayMatch = (glob: string, name: string): boolean =>
  glob === "" || /[[\\{]/.test(glob) || matchesWildcard(glob.toLowerCase(), name.toLowerCase());

/** Returns the names that a `-g` of rg selects, each alternative by itself. Names that it excludes do not count. */
function globsOf(text: string, before: string | undefined): string[] {
  const glob = /^(-g|--i?glob)$/.test(before ?? "") ? text : /^(?:-g|--i?glob=)(.+)$/s.exec(text)?.[1];
  if (glob === undefined || glob.startsWith("!")) return [];
  const [, head, list, tail] = /^([^{]*)\{([^{}]*)\}([^{]*)$/.exec(glob) ?? [];
  const all = list === undefined ? [glob] : list.split(",").map((each) => `${head}${each}${tail}`);
  return all.filter((each) => !/^\w.*\/\*+$/.test(each)).map((each) => each.slice(each.lastIndexOf("/") + 1));
}

/** Returns the paths of a search: everything below its operands or the working directory, and the files that flags name. */
function searching(
  paths: ProgramEffects["paths"],
  sorted: ParsedArguments,
  search: FolderTraversal,
  use: PathUse = "searches",
): ProgramEffects["paths"] {
  const { operands } = sorted;
  const isSearched = (each: ProgramEffects["paths"][number]) => each.use === "reads" && operands.includes(each.word);
  const all = paths.map((each) => (isSearched(each) ? { word: each.word, use, search } : each));
  const mayBePattern = operands.length === 1 && operands[0]?.kind !== "literal" && !hasFlag(sorted, "-e -f --regexp --file"); // `grep -r a.t?`
  return paths.some(isSearched) && !mayBePattern ? all : [...all, { word: literal("."), use, search }];
}
