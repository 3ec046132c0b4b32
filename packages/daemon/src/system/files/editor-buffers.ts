import { randomUUID } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { systemFault, type SystemFault } from "../system-fault.ts";
import type { ResolvedPath } from "./resolved-path.ts";
import type { TextFile } from "./read-text.ts";

/** What an editor has and the disk has not. `text` is undefined where it is too large to be taken in. */
export type UnsavedBuffer = { client: string; text: string | undefined };

/** A part of an unsaved text. `from` counts letters from its begin; `version` is the editor's own count of its changes. */
export type BufferPiece = { path: string; version: number; from: number; text: string; last: boolean };

/** An unsaved text that was written to the disk as the base of a change; `path` as the editor named it. */
export type Written = { path: string; version: number };

/** Unsaved texts of editors, for as long as each is connected. Nothing of it is kept anywhere else. */
export type EditorBuffers = {
  /** Begins to hold what one editor has. Gives the name under which it tells of its texts. */
  hold: (client: string, onWritten: (written: Written) => void) => string;
  /** Takes in the next piece; with the last one the text counts. A holder that is gone, or a piece that does not follow, changes nothing. */
  put: (holder: string, piece: BufferPiece) => void;
  /** The text was saved or given up. */
  drop: (holder: string, path: string) => void;
  release: (holder: string) => void;
  /** What is unsaved of a file, by its real path. */
  at: (real: string) => UnsavedBuffer | undefined;
  /** A file as the person sees it: as it is unsaved, else as it was found on the disk. */
  over: (place: ResolvedPath, found: TextFile | SystemFault) => TextFile | SystemFault;
  /** Why a file must not be written now; undefined when it may. */
  faultOf: (place: ResolvedPath) => SystemFault | undefined;
  /** The file has been written: its unsaved text is part of it, and the editor is told. */
  settle: (place: ResolvedPath) => void;
};

/** `stamp` is how the disk stood when the text began to differ; `settled` when the disk has it and the editor does not know yet. */
type Entry = { path: string; real: string; version: number; text: string | undefined; stamp: string; settled: boolean };
type Holder = {
  client: string;
  onWritten: (written: Written) => void;
  entries: Map<string, Entry>;
  coming?: Omit<BufferPiece, "last" | "from">;
};

/** Of one editor, in letters. */
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
    hold(client, onWritten) {
      const id = randomUUID();
      holders.set(id, { client, onWritten, entries: new Map() });
      return id;
    },
    put(id, { path, version, from, text, last }) {
      const holder = holders.get(id);
      if (!holder) return;
      const before = from === 0 ? "" : holder.coming?.path === path && holder.coming.version === version ? holder.coming.text : undefined;
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
      const whole = marked ? BYTE_ORDER_MARK + text : text; // an editor does not show the mark
      const { relative } = place;
      return { relative, text: whole, size: Buffer.byteLength(whole), mode: "fault" in found ? 0o644 : found.mode };
    },
    faultOf({ real, relative }) {
      const [first, ...more] = entriesAt(real);
      if (!first) return undefined;
      const { client, entry } = first;
      const why =
        more.length > 0
          ? `${relative} has unsaved changes in two places (${[first, ...more].map((each) => each.client).join(", ")}).`
          : entry.text === undefined
            ? `${relative} has unsaved changes in ${client} that are too large to be taken in.`
            : entry.stamp === stampOf(real)
              ? undefined
              : `${relative} has unsaved changes in ${client}, and was changed on the disk since they were begun.`;
      return why === undefined ? undefined : systemFault("forbidden", `${why} Ask the person to save or to revert it, then retry.`);
    },
    settle({ real }) {
      for (const { onWritten, entry } of entriesAt(real)) {
        entry.settled = true;
        onWritten({ path: entry.path, version: entry.version });
      }
    },
  };
}

/** A text that replaces another keeps its stamp: what the disk got meanwhile is not part of it. */
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
    return path; // it is gone from the disk, and lives in the editor only
  }
}

function stampOf(real: string): string {
  const stats = lstatSync(real, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : "";
}
