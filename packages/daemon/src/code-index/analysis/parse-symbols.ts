import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { Language as Grammar, Parser, type Node, type TreeCursor } from "web-tree-sitter";
import { languageOf, type Language } from "./languages.ts";

/** A definition in a file. Lines count from 1. `depth`: the number of definitions around it. */
export type CodeSymbol = { name: string; kind: string; line: number; endLine: number; depth: number };

/** Finds the definitions in a text. Empty for a language without a grammar. */
export type ParseSymbols = (file: string, text: string) => Promise<CodeSymbol[]>;

const MAX_SYMBOLS = 2_000;
const MAX_NAME = 80;
/** A text that takes longer is machine-made or meant to be slow. */
const MAX_PARSE_MS = 1_500;

/** Opens the parser. A grammar is loaded when the first file of its language comes. */
export async function openParser(): Promise<ParseSymbols> {
  await Parser.init({ locateFile: (name: string) => path.join(runtimeFolder(), name) });
  const parser = new Parser();
  const loaded = new Map<string, Promise<Grammar>>();
  const load = (grammar: string): Promise<Grammar> => {
    const loading = loaded.get(grammar) ?? Grammar.load(readGrammar(`tree-sitter-${grammar}.wasm`));
    loaded.set(grammar, loading);
    return loading;
  };
  return async (file, text) => {
    const language = languageOf(file);
    if (!language) return [];
    parser.setLanguage(await load(language.grammar));
    const until = performance.now() + MAX_PARSE_MS;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
    if (!tree) {
      parser.reset(); // the next text must not continue this one
      return [];
    }
    const cursor = tree.walk();
    try {
      const found: CodeSymbol[] = [];
      collect(cursor, language, 0, found);
      return found;
    } finally {
      cursor.delete();
      tree.delete();
    }
  };
}

function collect(cursor: TreeCursor, language: Language, depth: number, found: CodeSymbol[]): void {
  if (!cursor.gotoFirstChild()) return;
  do {
    if (found.length >= MAX_SYMBOLS) break;
    const type = cursor.nodeType;
    const kind = Object.hasOwn(language.symbols, type) ? language.symbols[type] : undefined;
    const name = kind === undefined ? undefined : nameOf(cursor.currentNode);
    if (kind !== undefined && name !== undefined)
      found.push({ name, kind, line: cursor.startPosition.row + 1, endLine: cursor.endPosition.row + 1, depth });
    if (language.containers.has(type)) collect(cursor, language, name === undefined ? depth : depth + 1, found);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

/** The name that a node defines. In C it is inside of declarators, which are nested. */
function nameOf(node: Node): string | undefined {
  let named = node.childForFieldName("name") ?? (node.type === "assignment" ? node.childForFieldName("left") : null);
  for (let at = named ? null : node.childForFieldName("declarator"); at; at = at.childForFieldName("declarator")) named = at;
  if (!named || (DECLARES_FUNCTIONS.has(node.type) && !declaresFunction(node))) return undefined;
  const name = named.text.replace(/\(.*/s, "");
  return name.length <= MAX_NAME && /^[\p{L}_$#~][\p{L}\p{N}_$:.#~?!=]*$/u.test(name) ? name : undefined;
}

/** In C and C++ these nodes also declare variables and fields. */
const DECLARES_FUNCTIONS: ReadonlySet<string> = new Set(["declaration", "field_declaration"]);

const declaresFunction = (node: Node): boolean => {
  for (let at = node.childForFieldName("declarator"); at; at = at.childForFieldName("declarator"))
    if (at.type === "function_declarator") return true;
  return false;
};

/** Beside the bundle, or in the package. */
const folderOf = (name: string, file: string): string => {
  const built = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(built) ? built : path.dirname(createRequire(import.meta.url).resolve(file));
};

/** The grammars are compressed beside the bundle. */
function readGrammar(name: string): Uint8Array {
  const file = path.join(grammarFolder(), name);
  return existsSync(file) ? readFileSync(file) : brotliDecompressSync(readFileSync(`${file}.br`));
}

const runtimeFolder = (): string => folderOf("grammars", "web-tree-sitter/web-tree-sitter.wasm");
const grammarFolder = (): string => folderOf("grammars", "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm");
