import { randomBytes } from "node:crypto";
import { accessSync, constants, lstatSync, realpathSync, type Stats } from "node:fs";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { systemFault, toSystemFault, type SystemFault } from "../system-fault.ts";
import { isStillAtPath, type ResolvedPath } from "./resolved-path.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * Writes a new file beside the old one, then replaces it. A reader sees the old or the new text, a full disk leaves the old one, and other
 * hard links keep it. Permission bits and, for root, the owner are kept. A new file gets `mode` minus the umask.
 */
export async function writeText(
  place: ResolvedPath,
  text: string | Uint8Array,
  signal: AbortSignal,
  mode = 0o666,
): Promise<{ relative: string; created: boolean } | SystemFault> {
  signal.throwIfAborted();
  const { real, relative } = place;
  try {
    const before = lstatSync(real, { throwIfNoEntry: false });
    const unfit = before && checkTarget(before, place);
    if (unfit) return unfit;
    const folder = path.dirname(real);
    await makeFolder(folder);
    if (realpathSync.native(folder) !== folder) return moved(relative);
    const beside = path.join(folder, `.baton-${randomBytes(8).toString("hex")}.tmp`);
    try {
      return (await fill(beside, { text, mode }, before, relative, signal)) ?? (await putInPlace(beside, place, before));
    } finally {
      await rm(beside, { force: true });
    }
  } catch (error) {
    signal.throwIfAborted();
    return toSystemFault(error, relative);
  }
}

async function fill(
  beside: string,
  { text, mode }: { text: string | Uint8Array; mode: number },
  before: Stats | undefined,
  relative: string,
  signal: AbortSignal,
): Promise<SystemFault | undefined> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(beside, flags, before ? before.mode & 0o777 : mode);
  try {
    if (!isStillAtPath(file.fd, beside)) return moved(relative);
    if (before) await keepTraits(file, before);
    await file.writeFile(text, { signal });
    await file.sync();
    return undefined;
  } finally {
    await file.close();
  }
}

async function keepTraits(file: FileHandle, before: Stats): Promise<void> {
  if (process.geteuid?.() === 0) await file.chown(before.uid, before.gid);
  await file.chmod(before.mode & 0o7777);
}

async function putInPlace(
  beside: string,
  { real, relative }: ResolvedPath,
  before: Stats | undefined,
): Promise<{ relative: string; created: boolean } | SystemFault> {
  const now = lstatSync(real, { throwIfNoEntry: false });
  if (now?.ino !== before?.ino || (now && !now.isFile())) return moved(relative);
  await rename(beside, real);
  return { relative, created: before === undefined };
}

function checkTarget(before: Stats, { real, relative }: ResolvedPath): SystemFault | undefined {
  if (before.isDirectory()) return systemFault("not_a_file", `${relative} is a folder.`);
  if (!before.isFile()) return systemFault("not_a_file", `${relative} is not a regular file.`);
  const writable = (before.mode & 0o222) !== 0 && isWritable(real);
  return writable ? undefined : systemFault("forbidden", `${relative} is read-only. Ask the user before you change it.`);
}

function isWritable(real: string): boolean {
  try {
    accessSync(real, constants.W_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM" || error.code === "EROFS"))
      return false;
    throw error;
  }
}

const moved = (relative: string): SystemFault =>
  systemFault("moved", `${relative} was changed or moved by another program meanwhile. Read it again, then retry.`);
