import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { applyEdits, modify, parse, type FormattingOptions, type ParseError } from "jsonc-parser";
import { EXIT_CODES, CommandExit } from "../../connection/exit-codes.ts";

/** Sets a value in another agent's JSON file. Comments, order and indentation stay. Stops if the file is invalid. */
export function writeConfigEntry(file: string, keys: readonly string[], value: unknown): void {
  const text = textWithParents(file, keys);
  const first = { getInsertionIndex: () => 0, formattingOptions: detectFormat(text) }; // otherwise the library reformats the previous entry
  write(file, applyEdits(text, modify(text, [...keys], value, first)));
}

/** The text of the file. Stops if the value cannot be added. */
export function textWithParents(file: string, keys: readonly string[]): string {
  const before = readConfig(file);
  const text = before.trim() === "" ? "{}\n" : before;
  if (canInsert(text, keys)) return text;
  throw new CommandExit(
    `${file} is not JSON with an object at ${keys.join(".")}. Add the entry by hand: run the command again without --write.`,
    EXIT_CODES.failed,
  );
}

/** Appends a table to a TOML file. */
export function appendTomlTable(file: string, head: string, table: string): void {
  const before = withoutTomlTable(file, head);
  write(file, `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}\n${table}\n`);
}

/** The text of the file. Stops if it already has this table. */
export function withoutTomlTable(file: string, head: string): string {
  const text = readConfig(file);
  if (text.includes(head)) throw new CommandExit(`${file} already has the entry ${head}. Remove it first.`, EXIT_CODES.failed);
  return text;
}

const readConfig = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** A new file is readable by the user only, because it may contain a token. */
function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

/** Whether the text is valid, and every value on the path is an object or missing. */
function canInsert(text: string, keys: readonly string[]): boolean {
  const errors: ParseError[] = [];
  let at: unknown = parse(text, errors, { allowTrailingComma: true });
  for (const key of keys) {
    if (at === undefined) break;
    if (typeof at !== "object" || at === null || Array.isArray(at)) return false;
    at = (at as Record<string, unknown>)[key]; // checked to be an object
  }
  return errors.length === 0;
}

/** The indentation and line ends of a file. */
function detectFormat(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const isTab = indent.startsWith("\t");
  return { insertSpaces: !isTab, tabSize: isTab ? 1 : indent.length, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}
