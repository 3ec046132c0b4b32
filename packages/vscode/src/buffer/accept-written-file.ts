import path from "node:path";
import * as vscode from "vscode";

/**
 * A session has written a file whose unsaved text was the base of its change, so the disk has that text too: the editor
 * takes the file from the disk. Where the person has typed on since, nothing is taken, and they are told.
 */
export async function acceptWrittenFile({ path: file, version }: { path: string; version: number }): Promise<void> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === file);
  if (!document?.isDirty) return;
  if (document.version === version && (await isActive(document)) && document.version === version) {
    await vscode.commands.executeCommand("workbench.action.files.revert"); // it knows of the active editor only
    if (!document.isDirty) return;
  }
  await tellBoth(document);
}

/** Brings the file to the front without taking the focus; false when something else is there. */
async function isActive(document: vscode.TextDocument): Promise<boolean> {
  const inFront = () => vscode.window.activeTextEditor?.document === document;
  if (inFront()) return true;
  const { viewColumn } = tabOf(document.uri)?.group ?? { viewColumn: vscode.ViewColumn.Active };
  const focused = vscode.window.tabGroups.activeTabGroup.viewColumn === viewColumn;
  await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: focused, preview: false });
  return inFront();
}

const tabOf = (uri: vscode.Uri): vscode.Tab | undefined =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri));

async function tellBoth({ uri }: vscode.TextDocument): Promise<void> {
  const name = path.basename(uri.fsPath);
  const picked = await vscode.window.showWarningMessage(
    `${name} was changed by a session while you went on typing. What you typed is in the editor only: compare before you save.`,
    "Compare",
  );
  if (picked === undefined) return;
  await vscode.window.showTextDocument(uri, { preview: false });
  await vscode.commands.executeCommand("workbench.files.action.compareWithSaved");
}
