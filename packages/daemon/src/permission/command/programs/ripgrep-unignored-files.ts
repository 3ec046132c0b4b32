import { readFileSync } from "node:fs";
import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { attempt, foldersFrom } from "../files/path-on-disk.ts";
import { isSearched } from "../files/find-secrets.ts";
import { entriesBelow } from "../files/walk-folder.ts";

const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];
const MAX_FOLDERS = 300;

/**
 * Returns a test for hidden files that rg searches although no argument asks for it. A line `!.env` in an ignore file
 * includes such a file. The ignore file may be here, above or below (observed with ripgrep 15).
 */
export function unhidden(folder: string): (below: string) => boolean {
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
  const below = [...entriesBelow(folder, { maxFolders: MAX_FOLDERS, enters: isSearched })].filter(isSearched);
  return [...foldersFrom(folder), ...below.map(({ file }) => file)];
}
