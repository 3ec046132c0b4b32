import { hash } from "node:crypto";
import { constants, lstatSync, existsSync } from "node:fs";
import { open, rm, rmdir } from "node:fs/promises";
import type { Blobs } from "./blob.ts";
import type { EditorBuffers } from "./editor-buffers.ts";
import { systemFault, toSystemFault, type SystemFault } from "../system-fault.ts";
import { isStillAtPath, type ResolvedPath } from "./resolved-path.ts";
import { listFilesBelow } from "./list-files-below.ts";
import { writeText } from "./write-text.ts";
import path from "node:path";

/** Larger files are not kept, and so not taken back. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Contents of files as blobs, to keep them and to have them back. A hash is the sha256 of a content; null is no file. */
export type FileSnapshots = {
  /** Keeps what the file is now, unsaved changes and all; undefined where it is nothing that can be kept. */
  keep: (place: ResolvedPath) => Promise<string | null | undefined>;
  /** What the file is now; undefined where it is nothing that could have been kept. */
  now: (place: ResolvedPath) => Promise<string | null | undefined>;
  /** The files below a folder, to be kept one by one. */
  filesIn: (place: ResolvedPath) => Promise<string[]>;
  /** The folders above that are not there yet, the outermost first. */
  missingAbove: (place: ResolvedPath) => string[];
  isFolder: (place: ResolvedPath) => boolean;
  /** Removes a folder that nothing lies in; whether it did. */
  removeEmpty: (place: ResolvedPath) => Promise<boolean>;
  /** The permission bits of the file; undefined where there is none. */
  modeOf: (place: ResolvedPath) => number | undefined;
  /** Makes the file that content again, at once or not at all; a file that is gone gets these permission bits. */
  restore: (
    place: ResolvedPath,
    was: { to: string | null; mode?: number | undefined },
    signal: AbortSignal,
  ) => Promise<undefined | SystemFault>;
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
      const there = lstatSync(real, { throwIfNoEntry: false });
      return there?.isFile() ? there.mode & 0o777 : undefined;
    },
    async restore(place, { to, mode }, signal) {
      const unsaved = buffers.at(place.real);
      if (unsaved) return systemFault("forbidden", `${place.relative} has unsaved changes in ${unsaved.client}.`);
      if (to === null) return remove(place);
      const content = await blobs.read(to);
      if (!content) return systemFault("missing", `What ${place.relative} was is not kept any more.`);
      const written = await writeText(place, content, signal, mode);
      return "fault" in written ? written : undefined;
    },
  };
}

async function contentOf({ real }: ResolvedPath): Promise<Uint8Array | null | undefined> {
  const there = lstatSync(real, { throwIfNoEntry: false });
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
    const told = toSystemFault(error, relative);
    return told.fault === "missing" ? undefined : told;
  }
}

/** The folders above that are not there yet, the outermost first, named as the place is. */
function missingParents({ real, relative }: ResolvedPath): string[] {
  const above = { real: path.dirname(real), relative: path.dirname(relative) };
  return existsSync(above.real) ? [] : [...missingParents(above), above.relative];
}

const isFolder = ({ real }: Pick<ResolvedPath, "real">): boolean => lstatSync(real, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Removes a folder that nothing lies in; one that others have put something into stays. */
async function removeEmpty({ real }: Pick<ResolvedPath, "real">): Promise<boolean> {
  return rmdir(real).then(
    () => true,
    () => false,
  );
}
