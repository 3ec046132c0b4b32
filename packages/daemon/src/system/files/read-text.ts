import { isUtf8 } from "node:buffer";
import { detectImageType } from "@baton/core/text/image-type";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFile, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { systemFault, toSystemFault, type SystemFault } from "../system-fault.ts";
import { type ResolvedPath, isStillAtPath } from "./resolved-path.ts";

/** `text` is unchanged, with its line ends and byte order mark. */
export type TextFile = { relative: string; text: string; size: number; mode: number };

/** An image or a PDF as it is on the disk. */
export type ImageFile = { relative: string; mediaType: AttachmentRef["mediaType"]; bytes: Uint8Array };

const MAX_BYTES = 10 * 1024 * 1024;
const AT_ONCE = 256 * 1024;

/** Reads a file as text. */
export async function readText({ real, relative }: ResolvedPath, signal: AbortSignal): Promise<TextFile | SystemFault> {
  const found = await readWhole({ real, relative }, signal);
  return "fault" in found ? found : textIn(found, relative);
}

/** Reads an image or a PDF, detected by its first bytes, as bytes. Reads other files as text. */
export async function readContent({ real, relative }: ResolvedPath, signal: AbortSignal): Promise<TextFile | ImageFile | SystemFault> {
  const found = await readWhole({ real, relative }, signal);
  if ("fault" in found) return found;
  const mediaType = detectImageType(found.content);
  return mediaType === undefined ? textIn(found, relative) : { relative, mediaType, bytes: found.content };
}

type Whole = { content: Buffer; size: number; mode: number };

function textIn({ content, size, mode }: Whole, relative: string): TextFile | SystemFault {
  if (content.includes(0) || !isUtf8(content)) return systemFault("binary", `${relative} is not UTF-8 text (${size} bytes).`);
  return { relative, text: content.toString("utf8"), size: content.length, mode };
}

/**
 * Opens a file without following a link and checks that it is the file that the gate saw. Small files are read synchronously, because that
 * is faster than waiting for a thread.
 */
async function readWhole({ real, relative }: ResolvedPath, signal: AbortSignal): Promise<Whole | SystemFault> {
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
    return withSiblings(toSystemFault(error, relative), real);
  }
}

const MAX_SIBLINGS = 2_000;

/** Adds the names in the folder, so that the message can suggest the closest name. A link that leads nowhere is no suggestion. */
async function withSiblings(found: SystemFault, real: string): Promise<SystemFault> {
  if (found.fault !== "missing") return found;
  const folder = path.dirname(real);
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).slice(0, MAX_SIBLINGS);
    const there = entries.filter((entry) => !entry.isSymbolicLink() || existsSync(path.join(folder, entry.name)));
    return { ...found, siblings: there.map(({ name }) => name) };
  } catch (error) {
    return toSystemFault(error, folder).fault === "missing" ? found : { ...found, siblings: [] };
  }
}

async function readOpened(file: number, { real, relative }: ResolvedPath, signal: AbortSignal): Promise<Whole | SystemFault> {
  const stats = fstatSync(file);
  const unfit = faultOfKind(stats, relative);
  if (unfit) return unfit;
  if (!isStillAtPath(file, real)) return systemFault("moved", `${relative} was moved after it was checked. Call the tool again.`);
  const content = stats.size <= AT_ONCE ? readFileSync(file) : await readLater(file, signal);
  return { content, size: stats.size, mode: stats.mode & 0o7777 };
}

const readLater = (file: number, signal: AbortSignal): Promise<Buffer> =>
  new Promise((done, fail) => {
    readFile(file, { signal }, (error, content) => (error ? fail(error) : done(content)));
  });

type Kind = { isFile(): boolean; isDirectory(): boolean; size: number };

function faultOfKind(stats: Kind, relative: string): SystemFault | undefined {
  if (stats.isDirectory()) return systemFault("not_a_file", `${relative} is a folder.`);
  if (!stats.isFile()) return systemFault("not_a_file", `${relative} is not a regular file.`);
  if (stats.size > MAX_BYTES)
    return systemFault("too_large", `${relative} has ${Math.ceil(stats.size / 1024 / 1024)} MB. Baton reads files of at most 10 MB.`);
  return undefined;
}
