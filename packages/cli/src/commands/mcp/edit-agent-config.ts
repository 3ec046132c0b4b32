import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { applyEdits, modify, parse, type FormattingOptions, type ParseError } from "jsonc-parser";
import { EXIT, Stop } from "../../connection/exit-codes.ts";

/** Puts a value into another program's JSON file, at this path of keys; comments, order and indentation stay. Stops when the file is broken. */
export function writeConfigEntry(file: string, keys: readonly string[], value: unknown): void {
  const text = textWithParents(file, keys);
  const first = { getInsertionIndex: () => 0, formattingOptions: formatOf(text) }; // elsewhere the entry before it would be written anew as well
  write(file, applyEdits(text, modify(text, [...keys], value, first)));
}

/** The text of the file. Stops when a value cannot be put there. */
export function textWithParents(file: string, keys: readonly string[]): string {
  const before = textOf(file);
  const text = before.trim() === "" ? "{}\n" : before;
  if (hasRoom(text, keys)) return text;
  throw new Stop(`${file} is not JSON with room for ${keys.join(".")}. Put the entry in by hand: call again without --write.`, EXIT.failed);
}

/** Puts our table at the end of a TOML file, which then has it once. */
export function appendTomlTable(file: string, head: string, table: string): void {
  const before = withoutTomlTable(file, head);
  write(file, `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}\n${table}\n`);
}

/** The text of the file. Stops when it has a table with this head already. */
export function withoutTomlTable(file: string, head: string): string {
  const text = textOf(file);
  if (text.includes(head)) throw new Stop(`${file} has the entry ${head} already. Take it out first.`, EXIT.failed);
  return text;
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Others need not read it when it is new: it may hold a token. */
function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

/** Whether it can be read, and everything on the way is an object or not there yet. */
function hasRoom(text: string, keys: readonly string[]): boolean {
  const errors: ParseError[] = [];
  let at: unknown = parse(text, errors, { allowTrailingComma: true });
  for (const key of keys) {
    if (at === undefined) break;
    if (typeof at !== "object" || at === null || Array.isArray(at)) return false;
    at = (at as Record<string, unknown>)[key]; // seen to be an object
  }
  return errors.length === 0;
}

/** How a file is indented and its lines end, as far as its first lines tell. */
function formatOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const isTab = indent.startsWith("\t");
  return { insertSpaces: !isTab, tabSize: isTab ? 1 : indent.length, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}
