import path from "node:path";
import * as vscode from "vscode";
import type { Folders } from "../connection/folders.ts";

/** Opens a file that a page names, at its line, which counts from 1. Paths are relative to the session's workspace. */
export async function openFile(
  { path: named, line, workspace }: { path: string; line?: number | undefined; workspace?: string | undefined },
  folders: Folders,
): Promise<void> {
  const file = path.resolve(workspace ?? folders.paths()[0] ?? "/", named);
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file), {
      preview: true,
      viewColumn: vscode.ViewColumn.One,
      ...(line === undefined ? {} : { selection: new vscode.Range(at, at) }),
    });
  } catch {
    void vscode.window.showWarningMessage(`${file} cannot be opened: it is not there any more, or no text.`);
  }
}
