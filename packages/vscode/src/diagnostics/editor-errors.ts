import { readFileSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { realPath } from "../connection/folders.ts";

/** The errors of one file in the form of Baton. `path`: without symlinks. */
export type FileErrors = { path: string; errors: { line: number; column: number; message: string; code?: string; source?: string }[] };

/** The daemon accepts no longer texts and lists. */
const MAX_MESSAGE = 1_000;
const MAX_ERRORS = 200;

/** The errors that the editor shows for a file. */
export function errorsOf(uri: vscode.Uri): FileErrors {
  const errors = vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
  return {
    path: realPath(uri.fsPath),
    errors: errors.slice(0, MAX_ERRORS).map(({ range: { start }, message, code, source }) => ({
      line: start.line + 1,
      column: start.character + 1,
      message: message.slice(0, MAX_MESSAGE),
      ...(code === undefined ? {} : { code: String(typeof code === "object" ? code.value : code).slice(0, 100) }),
      ...(source === undefined ? {} : { source: source.slice(0, 100) }),
    })),
  };
}

/** The address of a file as the window knows it, which may lead through a symlink. */
export function workspaceFileUri(file: string): vscode.Uri {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const real = realPath(uri.fsPath);
    if (uri.scheme === "file" && file.startsWith(real + path.sep)) return vscode.Uri.file(uri.fsPath + file.slice(real.length));
  }
  return vscode.Uri.file(file);
}

/** Whether the editor has the text that is on the disk. Editors hide the byte order mark, and have one kind of line ends. */
export function isSameAsDisk(document: vscode.TextDocument): boolean {
  try {
    return comparable(readFileSync(document.uri.fsPath, "utf8")) === comparable(document.getText());
  } catch {
    return false; // the file was removed
  }
}

const comparable = (text: string): string => text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
