import path from "node:path";
import * as vscode from "vscode";
import { realPath } from "../connection/folders.ts";

/** The number of symbols whose references are searched, and of files that are looked at besides the changed one. */
const MAX_SYMBOLS = 12;
const MAX_FILES = 12;

/** The outline of a file. Empty if no extension of the editor knows its language. */
export async function symbolPositions(uri: vscode.Uri): Promise<readonly vscode.Position[]> {
  const symbols = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    uri,
  );
  return (symbols ?? []).map((symbol) => ("selectionRange" in symbol ? symbol.selectionRange.start : symbol.location.range.start));
}

/** The files of the window that use one of these symbols of a file. */
export async function findDependentDocuments(uri: vscode.Uri, symbols: readonly vscode.Position[]): Promise<vscode.Uri[]> {
  const found = new Map<string, vscode.Uri>();
  for (const position of symbols.slice(0, MAX_SYMBOLS)) {
    const places = await vscode.commands.executeCommand<vscode.Location[] | undefined>("vscode.executeReferenceProvider", uri, position);
    for (const { uri: other } of places ?? [])
      if (isOwnFile(other) && String(other) !== String(uri)) found.set(realPath(other.fsPath), other);
  }
  return [...found.values()].slice(0, MAX_FILES);
}

const isOwnFile = (uri: vscode.Uri): boolean =>
  uri.scheme === "file" && vscode.workspace.getWorkspaceFolder(uri) !== undefined && !uri.fsPath.split(path.sep).includes("node_modules");
