import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import type { DocumentSymbol, Location, LocationLink, Position, SymbolInformation } from "vscode-languageserver-protocol";
import type { CodeFault, CodeLine, CodeQueries, OutlineSymbol, SymbolLocation } from "../../tool/code/code-query-types.ts";
import { isBelow, toFile, toUri, type LanguageServer } from "../server/language-server.ts";
import { readErrors } from "../checks/read-errors.ts";
import { symbolRenameChanges } from "./rename-symbol.ts";
import { isTypeScriptServer } from "../checks/tsserver-errors.ts";
import type { LanguageServerDefinition } from "../server/server-definition.ts";
import type { LanguageServerPool } from "../server/server-pool.ts";

type QueryOptions = {
  pool: Pick<LanguageServerPool, "use">;
  serverFor: (file: string, workspace: string) => LanguageServerDefinition | undefined;
};

const MAX_MS = 60_000;
/** How long a server may take to read a text. */
const READY_MS = 5_000;

/** Answers questions about code with the servers of the pool. */
export function openCodeQueries({ pool, serverFor }: QueryOptions): CodeQueries {
  const withFile = async <T>(
    workspace: string,
    relative: string,
    signal: AbortSignal,
    work: (server: LanguageServer, file: string) => Promise<T | CodeFault>,
  ): Promise<T | CodeFault> => {
    const file = path.resolve(workspace, relative);
    const definition = serverFor(file, workspace);
    if (!definition) return { fault: `There is no language server for ${relative}. Use search_text or run_command instead.` };
    const answer = pool.use(definition, workspace, async (server): Promise<T | CodeFault> => {
      await server.refresh(new Set());
      if (!(await server.syncFromDisk(file))) return { fault: `${relative} cannot be read as a text.` };
      if (!isTypeScriptServer(server)) await server.published.settled(READY_MS); // some servers answer before they have read the text
      return work(server, file);
    });
    try {
      return await Promise.race([answer, over(AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]))]);
    } catch (error) {
      signal.throwIfAborted();
      return { fault: `The language server ${definition.name} did not answer: ${error instanceof Error ? error.message : String(error)}.` };
    }
  };

  return {
    errors: (workspace, relative, signal) =>
      withFile(workspace, relative, signal, async (server, file) =>
        ((await readErrors(server, [file])).get(file) ?? []).map(({ line, column, message }) => ({ line, column, message })),
      ),
    find: (workspace, what, place, signal) =>
      withFile(workspace, place.file, signal, async (server, file) => {
        const { method, capability } = METHODS[what];
        if (!server.capabilities[capability]) return { fault: `The language server ${server.name} cannot find ${what}.` };
        const position = positionOf(server.textOf(file) ?? "", place);
        if ("fault" in position) return position;
        const found = await server.request<Location | (Location | LocationLink)[] | null>(method, {
          textDocument: { uri: toUri(file) },
          position,
          ...(what === "references" ? { context: { includeDeclaration: false } } : {}),
        });
        return toLines(found, workspace);
      }),
    rename: async (workspace, place, newName, signal) => {
      const relative = path.relative(workspace, path.resolve(workspace, place.file));
      if (relative.startsWith("..") || path.isAbsolute(relative)) return { fault: `${place.file} is outside of the workspace.` };
      return withFile(workspace, place.file, signal, async (server, file) => {
        const position = positionOf(server.textOf(file) ?? "", place);
        return "fault" in position ? position : symbolRenameChanges(server, { file, position, symbol: place.symbol, newName });
      });
    },
    outline: (workspace, relative, signal) =>
      withFile(workspace, relative, signal, async (server, file) => {
        if (!server.capabilities.documentSymbolProvider) return { fault: `The language server ${server.name} has no outline.` };
        const symbols = await server.request<(DocumentSymbol | SymbolInformation)[] | null>("textDocument/documentSymbol", {
          textDocument: { uri: toUri(file) },
        });
        return [...outlineOf(symbols ?? [], 0)];
      }),
  };
}

const METHODS = {
  definition: { method: "textDocument/definition", capability: "definitionProvider" },
  references: { method: "textDocument/references", capability: "referencesProvider" },
  implementations: { method: "textDocument/implementation", capability: "implementationProvider" },
} as const;

const over = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("it took too long")), { once: true }));

const WORD = /[\p{L}\p{N}_$]/u;

/** The position of a symbol: its first occurrence as a whole word in the line, or in the text. */
function positionOf(text: string, { file, symbol, line }: SymbolLocation): Position | CodeFault {
  const lines = text.split(/\r?\n/);
  const range = line === undefined ? lines.entries() : [[line - 1, lines[line - 1] ?? ""] as const];
  for (const [number, content] of range)
    for (let at = content.indexOf(symbol); at >= 0; at = content.indexOf(symbol, at + 1))
      if (!WORD.test(content[at - 1] ?? " ") && !WORD.test(content[at + symbol.length] ?? " ")) return { line: number, character: at };
  return { fault: `${symbol} does not occur in ${line === undefined ? file : `line ${line} of ${file}`}. Send the line where it occurs.` };
}

/** The lines of a server's answer. Locations in files outside of the workspace, such as libraries, are only counted. */
async function toLines(
  found: Location | readonly (Location | LocationLink)[] | null,
  workspace: string,
): Promise<{ lines: CodeLine[]; outside: number }> {
  const all = (Array.isArray(found) ? found : found ? [found] : []) as readonly (Location | LocationLink)[]; // both forms of the protocol
  const texts = new Map<string, readonly string[]>();
  const lines = new Map<string, CodeLine>();
  let outside = 0;
  for (const each of all) {
    const [uri, range] = "targetUri" in each ? [each.targetUri, each.targetSelectionRange] : [each.uri, each.range];
    const named = toFile(uri);
    const file = named && (await realpath(named).catch(() => named)); // a link may lead to a file that the agent may not read
    if (file === undefined || !isBelow(file, workspace)) {
      outside++;
      continue;
    }
    const relative = path.relative(workspace, file);
    const text = texts.get(file) ?? (await readFile(file, "utf8").catch(() => "")).split(/\r?\n/);
    texts.set(file, text);
    const line = range.start.line + 1;
    lines.set(`${relative}:${line}`, { file: relative, line, text: text[line - 1] ?? "" });
  }
  return { lines: [...lines.values()], outside };
}

/** The protocol's kinds of symbols, from 1. */
const KINDS =
  "file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
    " ",
  );

function* outlineOf(symbols: readonly (DocumentSymbol | SymbolInformation)[], depth: number): Generator<OutlineSymbol> {
  for (const symbol of symbols) {
    const { start } = "selectionRange" in symbol ? symbol.selectionRange : symbol.location.range;
    yield { name: symbol.name, kind: KINDS[symbol.kind - 1] ?? "symbol", line: start.line + 1, depth };
    if ("children" in symbol && !isLocalScope(symbol.kind)) yield* outlineOf(symbol.children ?? [], depth + 1);
  }
}

/** Symbols within methods, constructors and functions are local and not part of an outline. */
const isLocalScope = (kind: number): boolean => kind === 6 || kind === 9 || kind === 12;
