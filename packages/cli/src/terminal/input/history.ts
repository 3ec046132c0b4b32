import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "@baton/daemon/client";
import { errorMessage } from "@baton/core/client/errors";

/** What was sent before from this folder, the newest last. Kept for the next time, readable by its owner only. */
export type History = { entries: string[]; add: (text: string) => void };

const MAX_HISTORY_ENTRIES = 500;

/** `tell` hears once that the file cannot be written; until the client ends, the history is kept all the same. */
export function openHistory(folder: string, workspace: string, tell: (fault: string) => void): History {
  let isWritten = true;
  const file = path.join(folder, "history.jsonl");
  const entries = linesOf(file)
    .flatMap((line) => entryOf(line, workspace))
    .slice(-MAX_HISTORY_ENTRIES);
  return {
    entries,
    add: (text) => {
      if (entries.at(-1) === text) return;
      entries.push(text);
      if (!isWritten) return;
      try {
        makeFolder(folder);
        appendFileSync(file, `${JSON.stringify({ workspace, text })}\n`, { mode: 0o600 });
      } catch (error) {
        isWritten = false;
        tell(`The history of prompts cannot be saved: ${errorMessage(error)}`);
      }
    },
  };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return []; // nothing was sent yet
  }
}

function entryOf(line: string, workspace: string): string[] {
  try {
    const said: unknown = JSON.parse(line);
    if (typeof said !== "object" || said === null || !("workspace" in said) || said.workspace !== workspace) return [];
    return "text" in said && typeof said.text === "string" ? [said.text] : [];
  } catch {
    return []; // a line that was cut off
  }
}
