import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "@baton/daemon/client";
import { errorMessage } from "@baton/core/client/errors";

/** Prompts sent from this folder, newest last. The file is readable by the user only. */
export type History = { entries: string[]; add: (text: string) => void };

const MAX_HISTORY_ENTRIES = 500;

/** `tell` is called once if the file cannot be written. The history then lasts until the client ends. */
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
        tell(`The prompt history cannot be saved: ${errorMessage(error)}`);
      }
    },
  };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return []; // no prompt was sent yet
  }
}

function entryOf(line: string, workspace: string): string[] {
  try {
    const said: unknown = JSON.parse(line);
    if (typeof said !== "object" || said === null || !("workspace" in said) || said.workspace !== workspace) return [];
    return "text" in said && typeof said.text === "string" ? [said.text] : [];
  } catch {
    return []; // an incomplete line
  }
}
