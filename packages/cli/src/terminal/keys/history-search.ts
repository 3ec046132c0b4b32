import type { KeyAction } from "@baton/core/terminal/key-actions";
import { keyHint } from "../../render/layout.ts";
import type { TerminalClient } from "../terminal-client.ts";
import type { Key } from "../input/key-decoder.ts";

/** Searches the history, newest first. Enter takes the match; Esc brings back the line as it was. */
export function handleSearchKey(client: TerminalClient, key: Key, action: KeyAction | undefined): boolean {
  const isAgain = action === "searchHistory";
  const { search, field } = client.line;
  if (!search) {
    if (isAgain && !field) find(client, "", 0);
    return isAgain;
  }
  if (isAgain) find(client, search.query, search.nth + 1);
  else if (key.name === "backspace") find(client, search.query.slice(0, -1), 0);
  else if (key.text !== undefined && !key.ctrl && !key.alt) find(client, search.query + key.text, 0);
  else {
    const isCancelled = key.name === "escape" || (key.ctrl === true && (key.name === "c" || key.name === "g"));
    client.line.endSearch({ restore: isCancelled });
    return key.name === "escape" || key.name === "enter" || key.ctrl === true;
  }
  return true;
}

function find(client: TerminalClient, query: string, nth: number): void {
  const found = client.line.findInHistory(query, nth);
  const older = keyHint(client.style(), "searchHistory", "older");
  client.showHint(`sent before, with “${query}”${found ? "" : ": nothing"} · Enter takes it · ${older} · Esc`);
}
