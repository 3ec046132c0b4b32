import { randomUUID } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { systemFault, type SystemFault } from "../system-fault.ts";
import type { ResolvedPath } from "./resolved-path.ts";
import type { TextFile } from "./read-text.ts";

/** Text that an editor has not saved. `text` is undefined if it is too large. */
type UnsavedBuffer = { client: string; text: string | undefined };

/** A piece of an unsaved text. `from` counts characters from its start; `version` is the editor's own counter. */
type BufferPiece = { path: string; version: number; from: number; text: string; last: boolean };

/** An unsaved text that a tool used as the base of a change and wrote. `path`: the editor's path. */
export type BufferWrite = { path: string; version: number };

/** Unsaved texts of editors while these are connected. They are stored nowhere else. */
export type EditorBuffers = {
  /** Registers an editor. Returns the id under which it sends its texts. */
  hold: (client: string, onWritten: (written: BufferWrite) => void) => string;
  /** Adds a piece. With the last piece the text takes effect. A piece of an unknown editor, or out of order, is ignored. */
  put: (holder: string, piece: BufferPiece) => void;
  /** The text was saved or discarded. */
  drop: (holder: string, path: string) => void;
  release: (holder: string) => void;
  /** The unsaved text of a file, by its real path. */
  at: (real: string) => UnsavedBuffer | undefined;
  /** The unsaved texts of all files below a folder. */
  below: (folder: string) => { client: string; path: string }[];
  /** A file as the user sees it: the unsaved text, otherwise the text on the disk. */
  over: (place: ResolvedPath, found: TextFile | SystemFault) => TextFile | SystemFault;
  /** The reason why a file must not be written now. Undefined if it may. */
  faultOf: (place: ResolvedPath) => SystemFault | undefined;
  /** The file has been written with its unsaved text, and the editor is informed. */
  settle: (place: ResolvedPath) => void;
};

/** `stamp`: the state of the file when the text began to differ. `settled`: the file was written, and the editor does not know yet. */
type Entry = { path: string; real: string; version: number; text: string | undefined; stamp: string; settled: boolean };
type Holder = {
  client: string;
  onWritten: (written: BufferWrite) => void;
  entries: Map<string, Entry>;
  coming?: Omit<BufferPiece, "last" | "from">;
};

/** The limit of one editor, in characters. */
const MAX_BUFFER_BYTES = 10 * 1024 * 1024;
const BYTE_ORDER_MARK = "\uFEFF";

export function openEditorBuffers(): EditorBuffers {
  const holders = new Map<string, Holder>();
  const entriesAt = (real: string) =>
    [...holders.values()].flatMap(({ client, onWritten, entries }) =>
      [...entries.values()].filter((entry) => entry.real === real && !entry.settled).map((entry) => ({ client, onWritten, entry })),
    );
  const at = (real: string): UnsavedBuffer | undefined => {
    const [found] = entriesAt(real);
    return found && { client: found.client, text: found.entry.text };
  };

  return {
    at,
    below: (folder) =>
      [...holders.values()].flatMap(({ client, entries }) =>
        [...entries.values()].flatMap(({ real, settled }) => (!settled && real.startsWith(folder + sep) ? { client, path: real } : [])),
      ),
    hold(client, onWritten) {
      const id = randomUUID();
      holders.set(id, { client, onWritten, entries: new Map() });
      return id;
    },
    put(id, { path, version, from, text, last }) {
      const holder = holders.get(id);
      if (!holder) return;
      const before = continuationOf(holder.coming, { path, version, from });
      delete holder.coming;
      if (before?.length !== from) return;
      const whole = before + text;
      if (last) keep(holder, { path, version, text: whole });
      else if (whole.length <= MAX_BUFFER_BYTES) holder.coming = { path, version, text: whole };
      else keep(holder, { path, version, text: undefined });
    },
    drop: (id, path) => void holders.get(id)?.entries.delete(path),
    release: (id) => void holders.delete(id),
    over(place, found) {
      const text = at(place.real)?.text;
      if (text === undefined || ("fault" in found && found.fault !== "missing")) return found;
      const marked = !("fault" in found) && found.text.startsWith(BYTE_ORDER_MARK) && !text.startsWith(BYTE_ORDER_MARK);
      const whole = marked ? BYTE_ORDER_MARK + text : text; // an editor hides the byte order mark
      const { relative } = place;
      return { relative, text: whole, size: Buffer.byteLength(whole), mode: "fault" in found ? 0o644 : found.mode };
    },
    faultOf({ real, relative }) {
      const [first, ...more] = entriesAt(real);
      if (!first) return undefined;
      const why = more.length > 0 ? conflictText(relative, [first, ...more]) : unwritableReason(relative, real, first);
      return why === undefined ? undefined : systemFault("forbidden", `${why} Ask the user to save or revert it, then retry.`);
    },
    settle({ real }) {
      for (const { onWritten, entry } of entriesAt(real)) {
        entry.settled = true;
        onWritten({ path: entry.path, version: entry.version });
      }
    },
  };
}

type EditorEntry = { client: string; entry: Entry };

const conflictText = (relative: string, all: readonly EditorEntry[]): string =>
  `${relative} has unsaved changes in two places (${all.map((each) => each.client).join(", ")}).`;

function unwritableReason(relative: string, real: string, { client, entry }: EditorEntry): string | undefined {
  if (entry.text === undefined) return `${relative} has unsaved changes in ${client} that are too large to read.`;
  if (entry.stamp === stampOf(real)) return undefined;
  return `${relative} has unsaved changes in ${client}, and the file on the disk has changed since then.`;
}

/** The text before a piece. Undefined if the piece does not continue the text that is arriving. */
function continuationOf(
  coming: Holder["coming"],
  { path, version, from }: Pick<BufferPiece, "path" | "version" | "from">,
): string | undefined {
  if (from === 0) return "";
  return coming?.path === path && coming.version === version ? coming.text : undefined;
}

/** A newer unsaved text keeps the stamp of the first one, because it does not include later changes on the disk. */
function keep({ entries }: Holder, { path, version, text }: Pick<Entry, "path" | "version" | "text">): void {
  const others = [...entries.values()].filter((entry) => entry.path !== path);
  const fits = others.reduce((sum, entry) => sum + (entry.text?.length ?? 0), text?.length ?? 0) <= MAX_BUFFER_BYTES;
  const real = realOf(path);
  const stamp = entries.get(path)?.stamp ?? stampOf(real);
  entries.set(path, { path, real, version, text: fits ? text : undefined, stamp, settled: false });
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // the file was deleted and only exists in the editor
  }
}

function stampOf(real: string): string {
  const stats = lstatSync(real, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : "";
}
