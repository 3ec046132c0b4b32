import path from "node:path";
import type { Position, PrepareRenameResult, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import type { CodeFault, TextChange } from "../../tool/code/code-query-types.ts";
import { isBelow, toFile, toUri, type LanguageServer } from "../server/language-server.ts";
import { applyTextEdits } from "./text-edits.ts";

type Renaming = { file: string; position: Position; symbol: string; newName: string };

/** The number of files of one renaming. */
const MAX_FILES = 200;
const MAX_ATTEMPTS = 3;

/** Asks a server which files a new name changes. The server must have the text of the file with the symbol. */
export async function symbolRenameChanges(server: LanguageServer, renaming: Renaming): Promise<TextChange[] | CodeFault> {
  const { symbol } = renaming;
  const { renameProvider } = server.capabilities;
  if (!renameProvider) return { fault: `The language server ${server.name} cannot rename symbols. ${BY_HAND}` };
  try {
    if (typeof renameProvider === "object" && renameProvider.prepareProvider && !(await isRenameable(server, renaming)))
      return { fault: `The language server ${server.name} cannot rename ${symbol} at this place.` };
    const edits = await editsOfOpenFiles(server, renaming);
    return "fault" in edits ? edits : changesOf(server, edits, symbol);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string }; // the shape of the library's errors
    if (typeof code !== "number") throw error;
    return { fault: `The language server ${server.name} cannot rename ${symbol}: ${message}` };
  } finally {
    await server.closeUnused(new Set([renaming.file]));
  }
}

const BY_HAND = "Find its references with find_symbol and edit them.";

async function isRenameable(server: LanguageServer, { file, position }: Renaming): Promise<boolean> {
  const params = { textDocument: { uri: toUri(file) }, position };
  return (await server.request<PrepareRenameResult | null>("textDocument/prepareRename", params)) !== null;
}

type EditsByFile = Map<string, TextEdit[]>;

/** A server may have read an older text of a file that is not open. Baton opens such files and asks again, so that the edits fit their texts. */
async function editsOfOpenFiles(server: LanguageServer, renaming: Renaming): Promise<EditsByFile | CodeFault> {
  const { file, position, symbol, newName } = renaming;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const answer = await server.request<WorkspaceEdit | null>("textDocument/rename", {
      textDocument: { uri: toUri(file) },
      position,
      newName,
    });
    const edits = editsByFile(answer ?? {});
    if ("fault" in edits) return edits;
    if (edits.size > MAX_FILES)
      return { fault: `Renaming ${symbol} changes ${edits.size} files. rename_symbol changes at most ${MAX_FILES}. ${BY_HAND}` };
    const outside = [...edits.keys()].find((each) => !isBelow(each, server.root));
    if (outside !== undefined)
      // its text must not reach a server that runs in the sandbox
      return { fault: `The language server wants to change ${outside}, which is outside of the workspace. ${BY_HAND}` };
    const closed = [...edits.keys()].filter((each) => server.textOf(each) === undefined);
    if (closed.length === 0) return edits;
    for (const each of closed) if (!(await server.syncFromDisk(each))) return { fault: `${each} cannot be read as a text.` };
  }
  return { fault: `The files that use ${symbol} keep changing. Call rename_symbol again.` };
}

/** The text edits of an answer. Baton does not let a server create, move or delete files. */
function editsByFile({ documentChanges, changes }: WorkspaceEdit): EditsByFile | CodeFault {
  const all: { uri: string; edits: readonly unknown[] }[] = [];
  for (const change of documentChanges ?? []) {
    if ("kind" in change) {
      const file = "oldUri" in change ? change.oldUri : change.uri;
      return {
        fault: `The language server also wants to ${change.kind} the file ${toFile(file) ?? file}, which rename_symbol cannot do. ${BY_HAND}`,
      };
    }
    all.push({ uri: change.textDocument.uri, edits: change.edits });
  }
  if (!documentChanges) for (const [uri, edits] of Object.entries(changes ?? {})) all.push({ uri, edits });
  const files: EditsByFile = new Map();
  for (const { uri, edits } of all) {
    const file = toFile(uri);
    if (file === undefined) return { fault: `The language server wants to change ${uri}, which is not a file.` };
    const plain = edits.filter((edit) => isTextEdit(edit));
    if (plain.length < edits.length) return { fault: `The language server sent an edit of ${file} that Baton does not understand.` };
    files.set(file, [...(files.get(file) ?? []), ...plain]);
  }
  return files;
}

const isTextEdit = (edit: unknown): edit is TextEdit =>
  typeof edit === "object" && edit !== null && "range" in edit && "newText" in edit && typeof edit.newText === "string";

function changesOf(server: LanguageServer, edits: EditsByFile, symbol: string): TextChange[] | CodeFault {
  const changes: TextChange[] = [];
  for (const [file, each] of edits) {
    const before = server.textOf(file) ?? "";
    const after = applyTextEdits(before, each);
    if (after === undefined) return { fault: `The language server ${server.name} sent edits of ${file} that do not fit its text.` };
    if (after !== before) changes.push({ path: path.relative(server.root, file).split(path.sep).join("/"), before, after });
  }
  return changes.length === 0 ? { fault: `Renaming ${symbol} changes nothing.` } : changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
