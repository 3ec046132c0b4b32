import path from "node:path";
import type { DocumentSymbol, Location, Position, SymbolInformation } from "vscode-languageserver-protocol";
import { toFile, toUri, type LanguageServer } from "../server/language-server.ts";
import { equalEnds } from "./map-lines.ts";

/** The number of symbols whose references are searched, and of files that are checked besides an edited one. */
const MAX_SYMBOLS = 12;
const MAX_FILES = 12;

/** The files that use a symbol of the file whose lines the edit changes. The server must have the text before the edit. */
export async function dependentFiles(server: LanguageServer, file: string, before: string, after: string): Promise<string[]> {
  const { documentSymbolProvider, referencesProvider } = server.capabilities;
  if (!documentSymbolProvider || !referencesProvider) return [];
  const symbols = await server.request<DocumentSymbol[] | SymbolInformation[] | null>("textDocument/documentSymbol", {
    textDocument: { uri: toUri(file) },
  });
  const changed = [...positionsIn(symbols ?? [], changedLines(before, after))].slice(0, MAX_SYMBOLS);
  const found = new Set<string>();
  for (const position of changed) {
    const references = await server.request<Location[] | null>("textDocument/references", {
      textDocument: { uri: toUri(file) },
      position,
      context: { includeDeclaration: false },
    });
    for (const { uri } of references ?? []) {
      const other = toFile(uri);
      if (other !== undefined && other !== file && isOwnFile(other, server.root)) found.add(other);
    }
  }
  return [...found].slice(0, MAX_FILES);
}

const isOwnFile = (file: string, root: string): boolean =>
  file.startsWith(root + path.sep) && !file.slice(root.length).split(path.sep).includes("node_modules");

/** The first and the last changed line of the old text, counted from 0. Where lines are only inserted, the lines around them. */
function changedLines(before: string, after: string): { from: number; to: number } {
  const old = before.split(/\r?\n/);
  const { start, end } = equalEnds(old, after.split(/\r?\n/));
  const to = old.length - end - 1;
  return to < start ? { from: start - 1, to: start } : { from: start, to };
}

/** The kinds of symbols whose children are local: methods, constructors and functions. */
const WITH_LOCALS: ReadonlySet<number> = new Set([6, 9, 12]);

function* positionsIn(symbols: readonly (DocumentSymbol | SymbolInformation)[], lines: { from: number; to: number }): Generator<Position> {
  for (const symbol of symbols) {
    const range = "range" in symbol ? symbol.range : symbol.location.range;
    if (range.end.line < lines.from || range.start.line > lines.to) continue;
    yield "selectionRange" in symbol ? symbol.selectionRange.start : range.start;
    if ("children" in symbol && !WITH_LOCALS.has(symbol.kind)) yield* positionsIn(symbol.children ?? [], lines);
  }
}
