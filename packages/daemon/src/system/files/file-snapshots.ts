import { hash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { open, rm, rmdir } from "node:fs/promises";
import type { Blobs } from "./blob.ts";
import type { EditorBuffers } from "./editor-buffers.ts";
import { systemFault, toSystemFault, type SystemFault } from "../system-fault.ts";
import { isStillAtPath, type ResolvedPath } from "./resolved-path.ts";
import { listFilesBelow } from "./list-files-below.ts";
import { statIfExists } from "./stat-if-exists.ts";
import { writeText } from "./write-text.ts";
import path from "node:path";

/** Larger files have no snapshots, so an undo cannot restore them. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Snapshots of files as blobs. A hash is the sha256 of a content; null means no file. */
export type FileSnapshots = {
  /** Stores the current content, unsaved changes included. Undefined if the file cannot have a snapshot. */
  keep: (place: ResolvedPath) => Promise<string | null | undefined>;
  /** The current content. Undefined if the file cannot have a snapshot. */
  now: (place: ResolvedPath) => Promise<string | null | undefined>;
  /** The files below a folder, for one snapshot each. */
  filesIn: (place: ResolvedPath) => Promise<string[]>;
  /** The missing parent folders, the outermost first. */
  missingAbove: (place: ResolvedPath) => string[];
  isFolder: (place: ResolvedPath) => boolean;
  /** Removes an empty folder. True if it did. */
  removeEmpty: (place: ResolvedPath) => Promise<boolean>;
  /** The permission bits of the file. Undefined if there is no file. */
  modeOf: (place: ResolvedPath) => number | undefined;
  /** Restores a content completely or not at all. A file that was missing gets these permission bits. */
  restore: (
    place: ResolvedPath,
    was: { to: string | null; mode?: number | undefined },
    signal: AbortSignal,
  ) => Promise<undefined | SystemFault>;
  /** A content by its hash. Undefined if it is no longer stored. */
  read: (hash: string) => Promise<Uint8Array | undefined>;
  /** Stores a content that no file has yet, and returns its hash. */
  store: (content: Uint8Array) => Promise<string>;
};

export function openFileSnapshots(blobs: Blobs, buffers: Pick<EditorBuffers, "at">): FileSnapshots {
  return {
    keep: async (place) => {
      const unsaved = buffers.at(place.real)?.text;
      const content = unsaved === undefined ? await contentOf(place) : Buffer.from(unsaved);
      return content ? blobs.put(content) : content;
    },
    now: async (place) => {
      const content = await contentOf(place);
      return content ? hash("sha256", content) : content;
    },
    filesIn: listFilesBelow,
    missingAbove: missingParents,
    isFolder,
    removeEmpty,
    modeOf: ({ real }) => {
      const there = statIfExists(real);
      return there?.isFile() ? there.mode & 0o777 : undefined;
    },
    read: (hashed) => blobs.read(hashed),
    store: (content) => blobs.put(content),
    async restore(place, { to, mode }, signal) {
      const unsaved = buffers.at(place.real);
      if (unsaved) return systemFault("forbidden", `${place.relative} has unsaved changes in ${unsaved.client}.`);
      if (to === null) return remove(place);
      const content = await blobs.read(to);
      if (!content) return systemFault("missing", `The earlier content of ${place.relative} is no longer stored.`);
      const written = await writeText(place, content, signal, mode);
      return "fault" in written ? written : undefined;
    },
  };
}

async function contentOf({ real }: ResolvedPath): Promise<Uint8Array | null | undefined> {
  const there = statIfExists(real);
  if (!there) return null;
  if (!there.isFile() || there.size > MAX_BYTES) return undefined;
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return isStillAtPath(file.fd, real) ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

async function remove({ real, relative }: ResolvedPath): Promise<undefined | SystemFault> {
  try {
    await rm(real);
    return undefined;
  } catch (error) {
    const fault = toSystemFault(error, relative);
    return fault.fault === "missing" ? undefined : fault;
  }
}

/** The missing parent folders, the outermost first, with the same kind of path as the file. */
function missingParents({ real, relative }: ResolvedPath): string[] {
  const above = { real: path.dirname(real), relative: path.dirname(relative) };
  return existsSync(above.real) ? [] : [...missingParents(above), above.relative];
}

const isFolder = ({ real }: Pick<ResolvedPath, "real">): boolean => statIfExists(real)?.isDirectory() ?? false;

/** Removes a folder unless it has content. */
async function removeEmpty({ real }: Pick<ResolvedPath, "real">): Promise<boolean> {
  return rmdir(real).then(
    () => true,
    () => false,
  );
}
