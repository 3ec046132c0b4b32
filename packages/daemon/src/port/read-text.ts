import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFile, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { fault, faultOfError, type Fault } from "./fault.ts";
import type { Place } from "./place.ts";
import { leadsTo } from "./leads-to.ts";

/** `text` is as it stands in the file, with its line ends and, where it has one, its byte order mark. */
export type TextFile = { relative: string; text: string; size: number; mode: number };

const MOST_BYTES = 10 * 1024 * 1024;
const AT_ONCE = 256 * 1024;

/**
 * Opens without following a link, then looks where the opened file lies: what is read is what the gate saw. Small files
 * are read at once, as that is faster than to wait for a thread.
 */
export async function readText({ real, relative }: Place, signal: AbortSignal): Promise<TextFile | Fault> {
  signal.throwIfAborted();
  try {
    const unfit = faultOfKind(lstatSync(real), relative);
    if (unfit) return unfit;
    const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readOpened(file, { real, relative }, signal);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    signal.throwIfAborted();
    return withSiblings(faultOfError(error, relative), real);
  }
}

const MOST_SIBLINGS = 2_000;

/** So that a mistyped name can be answered with the one that was meant. */
async function withSiblings(found: Fault, real: string): Promise<Fault> {
  if (found.fault !== "missing") return found;
  try {
    return { ...found, siblings: (await readdir(path.dirname(real))).slice(0, MOST_SIBLINGS) };
  } catch (error) {
    return faultOfError(error, path.dirname(real)).fault === "missing" ? found : { ...found, siblings: [] };
  }
}

async function readOpened(file: number, { real, relative }: Place, signal: AbortSignal): Promise<TextFile | Fault> {
  const stats = fstatSync(file);
  const unfit = faultOfKind(stats, relative);
  if (unfit) return unfit;
  if (!leadsTo(file, real)) return fault("moved", `${relative} has been moved since it was checked. Call the tool again.`);
  const content = stats.size <= AT_ONCE ? readFileSync(file) : await readLater(file, signal);
  if (content.includes(0) || !isUtf8(content)) return fault("binary", `${relative} is no UTF-8 text (${stats.size} bytes).`);
  return { relative, text: content.toString("utf8"), size: content.length, mode: stats.mode & 0o7777 };
}

const readLater = (file: number, signal: AbortSignal): Promise<Buffer> =>
  new Promise((done, fail) => {
    readFile(file, { signal }, (error, content) => (error ? fail(error) : done(content)));
  });

type Kind = { isFile(): boolean; isDirectory(): boolean; size: number };

function faultOfKind(stats: Kind, relative: string): Fault | undefined {
  if (stats.isDirectory()) return fault("not_a_file", `${relative} is a folder.`);
  if (!stats.isFile()) return fault("not_a_file", `${relative} is not a regular file.`);
  if (stats.size > MOST_BYTES)
    return fault("too_large", `${relative} has ${Math.ceil(stats.size / 1024 / 1024)} MB; more than 10 MB are not read.`);
  return undefined;
}
