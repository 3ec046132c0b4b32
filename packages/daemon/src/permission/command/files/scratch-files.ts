import { lstatSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import type { PathUse } from "../programs/program-types.ts";

/** The file or folder that `mktemp` makes, under an example of its name. */
export const NEW_SCRATCH = path.join(tmpdir(), "tmp.XXXXXXXXXX");

/** A call of `mktemp` that makes its file in the folder for temporary files. */
export const MAKES_SCRATCH = /^(( -[dq]+)|( -t [\w.-]+)|( --suffix=[\w.-]+)|( \/tmp\/[\w.-]*X{3,}[\w.-]*))*$/;

const PLACES: ReadonlySet<string> = new Set(["/tmp", tmpdir()]);

/**
 * Whether a path is a scratch file, so that its place raises no question of its own: a plain name directly in the folder for temporary
 * files. It is new, or a file of this user without a second name, and no link. What is read has to come from the same text, because
 * other programs keep their files there.
 */
export function isScratch(file: string, use: PathUse, made: ReadonlySet<string>): boolean {
  if (file === NEW_SCRATCH || file.startsWith(`${NEW_SCRATCH}/`)) return true;
  const [top, isTop] = topOf(file);
  if (top === undefined || !/^\w[\w.+@%-]*$/.test(path.basename(top))) return false;
  const there = lstatSync(top, { throwIfNoEntry: false });
  if ((!isTop || (use !== "edits" && use !== "writes")) && !made.has(top)) return false;
  return there === undefined || (isTop && there.isFile() && there.nlink === 1 && there.uid === userInfo().uid);
}

/** Endings of files that hold what a program tells. No program looks for such a file by itself. */
const TOLD = /\.(log|txt|out|err|csv|tsv|diff|patch|md)$/;

/**
 * Whether a scratch file may be written without an edit rule. Below a folder that holds the workspace, programs look for their settings
 * (`package.json`, `conftest.py`), so there only names count that no program looks for.
 */
export const isFreeScratch = (file: string, workspace: string): boolean =>
  file === NEW_SCRATCH ||
  TOLD.test(file) ||
  (!workspace.startsWith(`${path.dirname(file)}/`) && lstatSync(file, { throwIfNoEntry: false }) === undefined);

/** The file or folder directly in the folder for temporary files that a path is or lies in. */
function topOf(file: string): [top: string | undefined, isTop: boolean] {
  for (let at = file; at !== path.dirname(at); at = path.dirname(at)) if (PLACES.has(path.dirname(at))) return [at, at === file];
  return [undefined, false];
}
