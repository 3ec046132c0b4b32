import { readlinkSync } from "node:fs";
import path from "node:path";
import { attempt, isLink } from "./path-on-disk.ts";

/** Places such as `/proc/self/cwd`, which lead to different folders for the command and for the daemon. Source: proc(5). */
const OF_PROCESS = /^\/+proc\/(self|thread-self|\d+)\/(cwd|root|fd|task|map_files)(\/|$)|^\/+dev\/fd\/\D/;
const MAX_LINKS = 40;

/** True if an absolute path is below such a place. */
export const isOfProcess = (file: string): boolean => OF_PROCESS.test(path.posix.normalize(file));

/** True if an absolute path leads to such a place through symlinks. A repository can contain a symlink to `/proc/self/cwd`. */
export function leadsThroughProcess(file: string, links = 0): boolean {
  if (isOfProcess(file)) return true;
  if (links > MAX_LINKS) return false;
  const parts = path.posix.normalize(file).split("/");
  return parts.some((_, i) => {
    const [at, rest] = [parts.slice(0, i + 1).join("/"), parts.slice(i + 1).join("/")];
    const target = at === "" ? undefined : targetOf(at);
    return target !== undefined && leadsThroughProcess(path.join(path.resolve(path.dirname(at), target), rest), links + 1);
  });
}

/** For other files than links, readlink would throw, which is slow. */
const targetOf = (link: string): string | undefined => (isLink(link) ? attempt(() => readlinkSync(link)) : undefined);
