import { constants, type BigIntStats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const MAX_BYTES = 1_000_000;

/** The content of a file, and the state of the file that it belongs to. */
export type StableFile =
  | { text: string; stamp: string; age: number }
  | { fault: "file_too_large" | "unreadable" | "unsettled"; message: string; stamp: string };

const STABLE_AFTER_MS = 40;
const TRIES = 4;

/**
 * Reads a file that is not being written at the moment, because an incomplete file could define less than the final one. Undefined if there
 * is no file. Waits at most 0.2 seconds.
 */
export async function readStableFile(file: string): Promise<StableFile | undefined> {
  try {
    // Opens a pipe without waiting for its other end.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return await readHandle(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return ofError(error);
  }
}

async function readHandle(handle: FileHandle): Promise<StableFile> {
  let stamp = "";
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await handle.stat({ bigint: true });
    stamp = stampOfStats(before);
    if (!before.isFile()) return { fault: "unreadable", message: "This is not a regular file.", stamp };
    if (before.size > MAX_BYTES)
      return {
        fault: "file_too_large",
        message: `The file has ${(Number(before.size) / 1e6).toFixed(1)} MB. Baton reads at most 1 MB.`,
        stamp,
      };
    const age = Date.now() - Number(before.mtimeMs);
    if (age >= 0 && age < STABLE_AFTER_MS) {
      await setTimeout(STABLE_AFTER_MS - age);
      if (stampOfStats(await handle.stat({ bigint: true })) !== stamp) continue;
    }
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Number(before.size)), 0, Number(before.size), 0);
    if (stampOfStats(await handle.stat({ bigint: true })) === stamp) return { text: buffer.toString("utf8", 0, bytesRead), stamp, age };
  }
  return { fault: "unsettled", message: "A program keeps writing the file.", stamp };
}

/** Identifies the state of a file, as far as the file system can tell. */
export const stampOfStats = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

function ofError(error: unknown): StableFile | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  if (code === "ELOOP") return { fault: "unreadable", message: "The file is a link that leads back to itself.", stamp: code };
  if (code === "EISDIR") return { fault: "unreadable", message: "This is a folder, not a file.", stamp: code };
  if (["EACCES", "EPERM", "ENXIO", "EIO", "ENAMETOOLONG", "ENODEV", "EMFILE", "ENFILE"].includes(code))
    return { fault: "unreadable", message: `The file cannot be read (${code}).`, stamp: code };
  throw error;
}
