import { lstatSync, type Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { EditorBuffers } from "./editor-buffers.ts";
import { systemFault, toSystemFault, type SystemFault } from "../system-fault.ts";
import { moveFileOnDisk, removeFile } from "./move-file.ts";
import type { ResolvedPath } from "./resolved-path.ts";
import { readContent, readText, type ImageFile, type TextFile } from "./read-text.ts";
import { writeText } from "./write-text.ts";

type Touch = "read" | "edit";

/** The path gate of a workspace or a call. It is asked for every access, so an old verdict allows nothing. */
export type ResolvePath = (named: string, touch: Touch) => ResolvedPath | { refused: string };

type Entry = { name: string; kind: "file" | "folder" | "link" | "other" };
type Stat = { relative: string; kind: "file" | "folder" | "other"; size: number; changedAt: number };

/** The files of a workspace or a call. Paths are as the model wrote them. */
export type Files = {
  /** The text of a regular file of at most 10 MB. `touch`: the access that the path was judged for. */
  readText(named: string, signal: AbortSignal, touch?: Touch): Promise<TextFile | SystemFault>;
  /** The text of a file, or the bytes of an image or a PDF. */
  read(named: string, signal: AbortSignal): Promise<TextFile | ImageFile | SystemFault>;
  /** Replaces or creates a whole file, completely or not at all. */
  writeText(named: string, text: string, signal: AbortSignal): Promise<{ relative: string; created: boolean } | SystemFault>;
  /** Renames a regular file. Never replaces an existing file. */
  move(named: string, to: string, signal: AbortSignal): Promise<{ relative: string; to: string } | SystemFault>;
  /** Deletes a regular file. */
  remove(named: string, signal: AbortSignal): Promise<{ relative: string } | SystemFault>;
  stat(named: string): Stat | SystemFault;
  /** True if the agent may read the file without asking: it is in the workspace, and the rules allow it. */
  mayRead(named: string): boolean;
  /** The entries of a folder by name. `leftOut`: the number of files that may not be read. */
  list(named: string, signal: AbortSignal): Promise<Listing | SystemFault>;
};

type Listing = { relative: string; entries: Entry[]; leftOut: number };

/** Called before a file changes, so that an undo can restore it. `relative`: its path from the gate. */
export type BeforeFileChange = (relative: string) => Promise<void>;

type FilesOptions = {
  keep?: BeforeFileChange | undefined;
  /** The names that a list may show. All by default. */
  mayRead?: (relative: string) => boolean;
  buffers: Pick<EditorBuffers, "at" | "over" | "faultOf" | "settle">;
};

/** Ties files to a path gate. An editor's unsaved text replaces the file's. */
export function openFiles(resolve: ResolvePath, { keep, mayRead = () => true, buffers }: FilesOptions): Files {
  const at = (named: string, touch: Touch): ResolvedPath | SystemFault => {
    const place = resolve(named, touch);
    return "refused" in place ? systemFault("refused", place.refused) : place;
  };
  const faultOfUnsaved = ({ real, relative }: ResolvedPath): SystemFault | undefined => {
    const unsaved = buffers.at(real);
    const todo = "Ask the user to save or revert it, then retry.";
    return unsaved && systemFault("forbidden", `${relative} has unsaved changes in ${unsaved.client}. ${todo}`);
  };
  return {
    async readText(named, signal, touch = "read") {
      const place = at(named, touch);
      return "fault" in place ? place : buffers.over(place, await readText(place, signal));
    },
    async read(named, signal) {
      const place = at(named, "read");
      if ("fault" in place) return place;
      const found = await readContent(place, signal);
      return "bytes" in found ? found : buffers.over(place, found);
    },
    async writeText(named, text, signal) {
      const place = at(named, "edit");
      if ("fault" in place) return place;
      const unsaved = buffers.faultOf(place);
      if (unsaved) return unsaved;
      await keep?.(place.relative);
      const written = await writeText(place, text, signal);
      if (!("fault" in written)) buffers.settle(place);
      return written;
    },
    async move(named, to, signal) {
      const from = at(named, "edit");
      const target = at(to, "edit");
      if ("fault" in from) return from;
      if ("fault" in target) return target;
      const unsaved = faultOfUnsaved(from) ?? faultOfUnsaved(target);
      if (unsaved) return unsaved;
      await keep?.(from.relative);
      await keep?.(target.relative);
      return moveFileOnDisk(from, target, signal);
    },
    async remove(named, signal) {
      const place = at(named, "edit");
      if ("fault" in place) return place;
      const unsaved = faultOfUnsaved(place);
      if (unsaved) return unsaved;
      await keep?.(place.relative);
      return removeFile(place, signal);
    },
    stat(named) {
      const place = at(named, "read");
      return "fault" in place ? place : stat(place);
    },
    mayRead(named) {
      const place = at(named, "read");
      return !("fault" in place) && !path.isAbsolute(place.relative) && mayRead(place.relative);
    },
    async list(named, signal) {
      const place = at(named, "read");
      return "fault" in place ? place : list(place, mayRead, signal);
    },
  };
}

function stat({ real, relative }: ResolvedPath): Stat | SystemFault {
  try {
    const stats = lstatSync(real);
    return { relative, kind: kindOf(stats), size: stats.size, changedAt: stats.mtimeMs };
  } catch (error) {
    return toSystemFault(error, relative);
  }
}

function kindOf(stats: Pick<Stats, "isFile" | "isDirectory">): Stat["kind"] {
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "folder" : "other";
}

async function list(
  { real, relative }: ResolvedPath,
  mayRead: (relative: string) => boolean,
  signal: AbortSignal,
): Promise<Listing | SystemFault> {
  signal.throwIfAborted();
  try {
    const found = await readdir(real, { withFileTypes: true });
    const entries = found.map((entry): Entry => {
      const kind = entry.isSymbolicLink() ? "link" : kindOf(entry);
      return { name: entry.name, kind };
    });
    const within = relative === "." ? "" : `${relative}/`;
    const shown = entries.filter(({ name, kind }) => kind !== "file" || mayRead(`${within}${name}`));
    return { relative, entries: shown.toSorted((a, b) => (a.name < b.name ? -1 : 1)), leftOut: entries.length - shown.length };
  } catch (error) {
    return toSystemFault(error, relative);
  }
}
