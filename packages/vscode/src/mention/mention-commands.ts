import * as vscode from "vscode";
import { showWarning } from "../show-warning.ts";
import { formatMention, problemText } from "./format-mention.ts";

/** Commands that add something from the editor to the prompt. `insert` shows the prompt and inserts a text. */
export function mentionCommands(insert: (text: string) => void): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand("baton.addSelection", () => {
      const editor = vscode.window.activeTextEditor;
      if (!editor) return showWarning("No file is open in the editor.");
      insert(`${formatMention(relativePath(editor.document.uri), editor.selection)} `);
    }),
    vscode.commands.registerCommand("baton.addFile", (clicked?: vscode.Uri) => {
      const uri = clicked ?? vscode.window.activeTextEditor?.document.uri;
      if (!uri) return showWarning("No file is open in the editor.");
      insert(`${formatMention(relativePath(uri))} `);
    }),
    vscode.commands.registerCommand("baton.addProblems", () => {
      const uri = vscode.window.activeTextEditor?.document.uri;
      if (!uri) return showWarning("No file is open in the editor.");
      const problems = vscode.languages.getDiagnostics(uri);
      if (problems.length === 0) return showWarning("This file has no problems.");
      insert(`${problems.map((each) => diagnosticText(uri, each)).join("\n")}\n`);
    }),
    vscode.commands.registerCommand("baton.fix", (uri: vscode.Uri, problems: readonly vscode.Diagnostic[]) => {
      const [first, ...more] = problems.map((each) => diagnosticText(uri, each));
      if (first !== undefined)
        insert(more.length === 0 ? `Fix this problem: ${first}` : `Fix these problems:\n${[first, ...more].join("\n")}\n`);
    }),
    vscode.languages.registerCodeActionsProvider({ scheme: "file" }, fixes, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
  ];
}

const fixes: vscode.CodeActionProvider = {
  provideCodeActions({ uri }, _, { diagnostics }) {
    if (diagnostics.length === 0) return [];
    const action = new vscode.CodeAction("Fix with Baton", vscode.CodeActionKind.QuickFix);
    action.diagnostics = [...diagnostics];
    action.command = { command: "baton.fix", title: "Fix with Baton", arguments: [uri, diagnostics] };
    return [action];
  },
};

/** The path of a file in the first folder of the window. A file of another folder has an absolute path, because only that names it. */
export function relativePath(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder && folder.index > 0 ? uri.fsPath : vscode.workspace.asRelativePath(uri, false);
}

/** A problem of a file, as a prompt mentions it. */
export function diagnosticText(uri: vscode.Uri, { message, range, source, code }: vscode.Diagnostic): string {
  const value = typeof code === "object" ? code.value : code;
  return problemText(relativePath(uri), { message, line: range.start.line, source, code: value === undefined ? undefined : String(value) });
}
