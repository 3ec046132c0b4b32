import { readlinkSync } from "node:fs";
import path from "node:path";
import { attempt, isLink, pathKind, realPath } from "./path-on-disk.ts";
import { leadsThroughProcess } from "./process-folders.ts";

const MAX_LINKS = 40;

/** Resolves a path as programs see it: `..` after a symlink leads to the parent of the target. A slash at the end stays. */
export function physical(cwd: string, name: string, links = 0): string {
  const absolute = path.isAbsolute(name) ? name : `${cwd}/${name}`;
  if (!/(^|\/)\.\.(\/|$)/.test(absolute)) return absolute;
  let missing: string | undefined; // there is no link below it
  return absolute.split("/").reduce((at, part) => {
    if (part !== "..") return part === "" || part === "." ? at : `${at === "/" ? "" : at}/${part}`;
    if (missing !== undefined && `${at}/`.startsWith(`${missing}/`)) return path.dirname(at);
    if (leadsThroughProcess(at)) return at; // the parent of such a folder depends on the process, too
    const real = realPath(at);
    if (real !== undefined) return path.dirname(real);
    const first = firstMissing(at);
    const target = links < MAX_LINKS && isLink(first) ? attempt(() => readlinkSync(first)) : undefined;
    if (target === undefined) missing = first;
    else return path.dirname(physical(path.dirname(first), target, links + 1) + at.slice(first.length)); // the text may make what it leads to
    return path.dirname(at);
  }, "/");
}

/** Returns the first part of a path that is not on the disk. */
function firstMissing(file: string): string {
  const parent = path.dirname(file);
  return parent === file || pathKind(parent) !== "nothing" ? file : firstMissing(parent);
}

/** The same, without a slash at the end. */
export const resolvePath = (cwd: string, name: string): string => path.resolve(physical(cwd, name));
