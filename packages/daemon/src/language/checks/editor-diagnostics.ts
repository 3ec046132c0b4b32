import { randomUUID } from "node:crypto";
import path from "node:path";
import type { FileError } from "./new-errors.ts";

/** A question to an editor about the errors of files. Paths are absolute. `before`: an agent is about to change the first file. */
export type EditorLook = { id: string; moment: "before" | "after"; files: readonly string[]; withinMs: number };

/** The errors of files by their absolute paths. A file that the editor cannot judge is missing. */
export type EditorErrors = ReadonlyMap<string, readonly FileError[]>;

/** An editor that has a folder open. */
export type AttachedEditor = {
  /** Asks the editor. Rejects if it leaves or takes too long. `later`: the errors that it knew some time after its answer, if they differ. */
  look: (
    moment: EditorLook["moment"],
    files: readonly string[],
    withinMs: number,
  ) => Promise<{ errors: EditorErrors; later: Promise<EditorErrors | undefined> }>;
};

/** The editors that offer their diagnostics while they are connected. */
export type EditorDiagnostics = {
  /** Registers an editor with the folders of its window. Returns the id under which it answers. */
  hold: (folders: readonly string[], onLook: (look: EditorLook) => void) => string;
  /** The errors for a look. A second answer has the errors that came later. Answers to other looks are ignored. */
  answer: (holder: string, look: string, errors: EditorErrors) => void;
  release: (holder: string) => void;
  /** The editor that counts for a folder: of those that have it open, the one that came first. */
  at: (folder: string) => AttachedEditor | undefined;
};

type Pending = { first: PromiseWithResolvers<EditorErrors>; later: PromiseWithResolvers<EditorErrors | undefined>; isAnswered: boolean };
type Holder = { folders: readonly string[]; onLook: (look: EditorLook) => void; pending: Map<string, Pending>; editor: AttachedEditor };

/** How long Baton waits for errors after the answer of an editor, in milliseconds. */
const LATER_MS = 20_000;

export function openEditorDiagnostics(): EditorDiagnostics {
  const holders = new Map<string, Holder>();

  const look = async (
    holder: Holder,
    { withinMs, ...question }: Omit<EditorLook, "id">,
  ): Promise<Awaited<ReturnType<AttachedEditor["look"]>>> => {
    const id = randomUUID();
    const pending: Pending = { first: Promise.withResolvers(), later: Promise.withResolvers(), isAnswered: false };
    holder.pending.set(id, pending);
    const late = setTimeout(() => pending.first.reject(new Error("the editor did not answer in time")), withinMs);
    try {
      holder.onLook({ id, withinMs, ...question });
      const errors = await pending.first.promise;
      const over = setTimeout(() => pending.later.resolve(undefined), LATER_MS);
      over.unref();
      const later = pending.later.promise.finally(() => {
        clearTimeout(over);
        holder.pending.delete(id);
      });
      if (question.moment === "before") pending.later.resolve(undefined);
      return { errors, later };
    } catch (error) {
      holder.pending.delete(id);
      throw error;
    } finally {
      clearTimeout(late);
    }
  };

  return {
    hold(folders, onLook) {
      const id = randomUUID();
      const holder: Holder = {
        folders,
        onLook,
        pending: new Map(),
        editor: { look: (moment, files, withinMs) => look(holder, { moment, files, withinMs }) },
      };
      holders.set(id, holder);
      return id;
    },
    answer(id, lookId, errors) {
      const pending = holders.get(id)?.pending.get(lookId);
      if (!pending) return;
      if (pending.isAnswered) pending.later.resolve(errors);
      else pending.first.resolve(errors);
      pending.isAnswered = true;
    },
    release(id) {
      const holder = holders.get(id);
      holders.delete(id);
      for (const { first, later } of holder?.pending.values() ?? []) {
        first.reject(new Error("the editor was closed"));
        later.resolve(undefined);
      }
    },
    at: (folder) => [...holders.values()].find(({ folders }) => folders.some((each) => isWithin(folder, each)))?.editor,
  };
}

const isWithin = (folder: string, outer: string): boolean => folder === outer || folder.startsWith(outer.replace(/[\\/]$/, "") + path.sep);
