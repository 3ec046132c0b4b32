import type { TerminalClient } from "./client.ts";
import { inputWith } from "./input-buffer.ts";
import type { Search } from "./history.ts";
import type { Key } from "./key-decoder.ts";

/** Ctrl+R: finds what was sent before, the newest first; Enter takes it into the line, Esc gives the line back. */
export function handleSearchKey(client: TerminalClient, key: Key): boolean {
  const isAgain = key.ctrl === true && key.name === "r";
  if (!client.search) {
    if (isAgain && !client.typing) find(client, { query: "", nth: 0, before: client.draft });
    return isAgain;
  }
  const { search } = client;
  if (isAgain) find(client, { ...search, nth: search.nth + 1 });
  else if (key.name === "backspace") find(client, { ...search, query: search.query.slice(0, -1), nth: 0 });
  else if (key.text !== undefined && !key.ctrl && !key.alt) find(client, { ...search, query: search.query + key.text, nth: 0 });
  else {
    client.search = undefined;
    if (key.name === "escape" || (key.ctrl && (key.name === "c" || key.name === "g"))) client.draft = search.before;
    return key.name === "escape" || key.name === "enter" || key.ctrl === true;
  }
  return true;
}

function find(client: TerminalClient, search: Search): void {
  const matches = client.history.entries.toReversed().filter((entry) => entry.toLowerCase().includes(search.query.toLowerCase()));
  const nth = Math.min(search.nth, Math.max(0, matches.length - 1));
  const match = matches[nth];
  client.search = { ...search, nth };
  client.draft = match === undefined ? search.before : inputWith(match);
  client.draftFor = "prompt";
  client.hint = `sent before, with “${search.query}”${match === undefined ? ": nothing" : ""} · Enter takes it · Ctrl+R older · Esc`;
}
