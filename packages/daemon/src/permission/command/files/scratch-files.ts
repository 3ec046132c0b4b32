import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { lstatOf } from "../../disk-view.ts";
import { foldersFrom, isBelow } from "./path-on-disk.ts";
import type { PathUse } from "../programs/program-types.ts";

/** The file or folder that `mktemp` creates, under an example name. */
export const NEW_SCRATCH = path.join(tmpdir(), "tmp.XXXXXXXXXX");

/** The arguments with which `mktemp` creates its file in the folder for temporary files. */
export const MAKES_SCRATCH = /^(( -[dq]+)|( -t [\w.-]+)|( --suffix=[\w.-]+)|( \/tmp\/[\w.-]*X{3,}[\w.-]*))*$/;

const PLACES: ReadonlySet<string> = new Set(["/tmp", tmpdir()]);

/**
 * True if a path is a scratch file, so that its folder raises no separate question. It has a plain name directly in the folder
 * for temporary files. It is new, or it is a file of this user with only one name and not a symlink. A file that is read has to be a log, or to
 * come from the same text, because other programs keep their files in this folder too.
 */
export function isScratch(file: string, use: PathUse, made: ReadonlySet<string>): boolean {
  if (isBelow(file, NEW_SCRATCH)) return true;
  const [top, isTop] = topOf(file);
  if (top === undefined || !/^\w[\w.+@%-]*$/.test(path.basename(top))) return false;
  const isWritten = use === "edits" || use === "writes";
  const isLog = LOG.test(top) && (use === "reads" || use === "names");
  if (!(isTop && (isWritten || isLog)) && !made.has(top)) return false;
  const there = lstatOf(top);
  return there === undefined || (isTop && there.isFile() && there.nlink === 1 && there.uid === userInfo().uid);
}

/** Endings of files with the output of a program. */
const LOG = /\.(log|out|err)$/;

/** Endings of files with program output or prose. No program looks for such a file on its own. */
export const READ_BY_PEOPLE = /\.(log|txt|out|err|csv|tsv|diff|patch|md)$/;

/**
 * True if a scratch file may be written without an edit rule. Below a folder that contains the workspace, programs look for
 * their settings (`package.json`, `conftest.py`). In such a folder, the file name must be one that no program looks for.
 */
export const isFreeScratch = (file: string, workspace: string): boolean =>
  file === NEW_SCRATCH || READ_BY_PEOPLE.test(file) || (!workspace.startsWith(`${path.dirname(file)}/`) && lstatOf(file) === undefined);

/** Returns the entry of the folder for temporary files that a path names or is below. */
function topOf(file: string): [top: string | undefined, isTop: boolean] {
  const top = foldersFrom(file).find((at) => PLACES.has(path.dirname(at)));
  return [top, top === file];
}
