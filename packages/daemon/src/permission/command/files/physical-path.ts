import path from "node:path";
import { realPath } from "./path-on-disk.ts";
import { leadsThroughProcess } from "./process-folders.ts";

/** Resolves a path as programs see it: `..` after a symlink leads to the parent of the target. A slash at the end stays. */
export function physical(cwd: string, name: string): string {
  const absolute = path.isAbsolute(name) ? name : `${cwd}/${name}`;
  if (!/(^|\/)\.\.(\/|$)/.test(absolute)) return absolute;
  return absolute.split("/").reduce((at, part) => {
    if (part !== "..") return part === "" || part === "." ? at : `${at === "/" ? "" : at}/${part}`;
    return leadsThroughProcess(at) ? at : path.dirname(realPath(at) ?? at); // the parent of such a folder depends on the process, too
  }, "/");
}

/** The same, without a slash at the end. */
export const resolvePath = (cwd: string, name: string): string => path.resolve(physical(cwd, name));
