import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";

/** The newest output of running calls, on disk. The result of a call that a crash cut off contains it. */
export type OutputJournal = {
  add(sessionId: string, callId: string, text: string): void;
  /** The output of a call that an earlier daemon ran, without that of its last moment. Empty if there is none. */
  read(sessionId: string, callId: string): Promise<string>;
  /** Forgets a call whose result is in the log. */
  remove(sessionId: string, callId: string): void;
  /** Forgets the calls of a deleted session. */
  removeSession(sessionId: string): Promise<void>;
};

/** Quick commands end earlier, so nothing is written for them. */
const WRITE_EVERY_MS = 250;
/** The number of characters that are kept of a call. */
const MAX_KEPT = 32 * 1024;

type Output = { text: string; timer: NodeJS.Timeout | undefined; isWritten: boolean };

/** Opens the journal in a private folder. A problem of the disk is reported once; the output is then not kept. */
export function openOutputJournal(folder: string, report: (problem: string, error: unknown) => void): OutputJournal {
  const outputs = new Map<string, Output>();
  let isBroken = false;
  const folderOf = (sessionId: string): string => path.join(folder, encodeURIComponent(sessionId));
  const fileOf = (sessionId: string, callId: string): string => path.join(folderOf(sessionId), `${encodeURIComponent(callId)}.txt`);

  const write = (file: string, output: Output): void => {
    output.timer = undefined;
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, output.text, { mode: 0o600 });
      renameSync(`${file}.new`, file);
      output.isWritten = true;
    } catch (error) {
      if (!isBroken) report("the output of a running command could not be written", error);
      isBroken = true;
    }
  };

  return {
    add(sessionId, callId, text) {
      const file = fileOf(sessionId, callId);
      const output = outputs.get(file) ?? { text: "", timer: undefined, isWritten: false };
      outputs.set(file, output);
      output.text = (output.text + text).slice(-MAX_KEPT);
      if (!isBroken) output.timer ??= setTimeout(() => write(file, output), WRITE_EVERY_MS).unref();
    },
    async read(sessionId, callId) {
      const file = fileOf(sessionId, callId);
      const text = await readFile(file, "utf8").catch(() => "");
      if (text !== "") outputs.set(file, { text, timer: undefined, isWritten: true });
      return text;
    },
    remove(sessionId, callId) {
      const file = fileOf(sessionId, callId);
      const output = outputs.get(file);
      outputs.delete(file);
      clearTimeout(output?.timer);
      if (output?.isWritten) rmSync(file, { force: true });
    },
    removeSession: (sessionId) => rm(folderOf(sessionId), { recursive: true, force: true }),
  };
}
