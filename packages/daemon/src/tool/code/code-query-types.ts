/** A line of a file in the workspace. Lines count from 1. */
export type CodeLine = { file: string; line: number; text: string };

/** An error of a file. */
type CodeError = { line: number; column: number; message: string };

/** A symbol of a file with its kind, such as `function`. `depth`: the number of symbols around it. */
export type OutlineSymbol = { name: string; kind: string; line: number; depth: number };

/** A symbol in a file. Without a line, the query is about its first occurrence. */
export type SymbolLocation = { file: string; symbol: string; line?: number | undefined };

/** A change of a file's whole text. `path`: relative to the workspace if the file is inside, otherwise absolute. */
export type TextChange = { path: string; before: string; after: string };

/** Why a question about code has no answer, as a sentence for the model. */
export type CodeFault = { fault: string };

/** Answers questions about the code of a workspace with its language servers. */
export type CodeQueries = {
  errors: (workspace: string, file: string, signal: AbortSignal) => Promise<CodeError[] | CodeFault>;
  /** The lines in the workspace. `outside`: the number of lines in other files. */
  find: (
    workspace: string,
    what: "definition" | "references" | "implementations",
    place: SymbolLocation,
    signal: AbortSignal,
  ) => Promise<{ lines: CodeLine[]; outside: number } | CodeFault>;
  /** The files that a new name of the symbol changes. Nothing is written. */
  rename: (workspace: string, place: SymbolLocation, newName: string, signal: AbortSignal) => Promise<TextChange[] | CodeFault>;
  outline: (workspace: string, file: string, signal: AbortSignal) => Promise<OutlineSymbol[] | CodeFault>;
};

/** A part of a file. Lines count from 1. `symbol`: the definition around it, such as `function parse`. */
type CodeExcerpt = { from: number; to: number; symbol: string | undefined; lines: readonly string[] };

/** The files that a search found, best first. `notes`: why files may be missing. */
type FoundCode = {
  found: readonly { path: string; excerpts: readonly CodeExcerpt[] }[];
  notes: readonly string[];
};

/** Searches the index of a workspace. `below`: only this folder or file, relative to the workspace. Undefined: everywhere. */
export type SearchCode = (
  workspace: string,
  query: { query: string; below: string | undefined },
  mayShow: (relative: string) => boolean,
  signal: AbortSignal,
) => Promise<FoundCode | CodeFault>;
