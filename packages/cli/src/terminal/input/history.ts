import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { makePrivateFolder } from "@baton/daemon/client";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { isRecord, parseJson } from "@baton/core/text/json";

/** Prompts sent from this folder, newest last. The file is readable by the user only. */
export type History = { entries: string[]; add: (text: string) => void };

const MAX_HISTORY_ENTRIES = 500;

/** `tell` is called once if the file cannot be written. The history then lasts until the client ends. */
export function openHistory(folder: string, workspace: string, report: (problem: string) => void): History {
  let isWritten = true;
  const file = path.join(folder, "history.jsonl");
  const entries = readHistory(file)
    .flatMap((line) => parseEntry(line, workspace))
    .slice(-MAX_HISTORY_ENTRIES);
  return {
    entries,
    add: (text) => {
      if (entries.at(-1) === text) return;
      entries.push(text);
      if (!isWritten) return;
      try {
        makePrivateFolder(folder);
        appendFileSync(file, `${JSON.stringify({ workspace, text })}\n`, { mode: 0o600 });
      } catch (error) {
        isWritten = false;
        report(`The prompt history cannot be saved: ${errorMessage(error)}`);
      }
    },
  };
}

function readHistory(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return []; // no prompt was sent yet
  }
}

function parseEntry(line: string, workspace: string): string[] {
  const value = parseJson(line); // the line may be incomplete
  return isRecord(value) && value["workspace"] === workspace && typeof value["text"] === "string" ? [value["text"]] : [];
}
