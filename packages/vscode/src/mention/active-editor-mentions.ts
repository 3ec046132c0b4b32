import type { Mention } from "@baton/core/protocol/connection/webview-messages";
import * as vscode from "vscode";
import { relativePath, diagnosticText } from "./mention-commands.ts";
import { formatMention } from "./format-mention.ts";

const MAX_PROBLEMS = 3;

/** Mentions for the active editor: the selection, the file, and its first problems. */
function activeEditorMentions(): Mention[] {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor?.document.uri.scheme !== "file") return [];
  const { document, selection } = editor;
  const problems = vscode.languages.getDiagnostics(document.uri).slice(0, MAX_PROBLEMS);
  return [
    ...(selection.isEmpty ? [] : [{ text: formatMention(relativePath(document.uri), selection), about: "selection" }]),
    { text: formatMention(relativePath(document.uri)), about: "open in the editor" },
    ...problems.map((each) => ({ text: diagnosticText(document.uri, each), about: "problem" })),
  ];
}

/** Calls `onChange` with the mentions, now and whenever they change. */
export function followActiveEditorMentions(onChange: (mentions: Mention[]) => void): vscode.Disposable {
  let last = "";
  const update = () => {
    const mentions = activeEditorMentions();
    const now = JSON.stringify(mentions);
    if (now !== last) onChange(mentions);
    last = now;
  };
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.window.onDidChangeTextEditorSelection(update),
    vscode.languages.onDidChangeDiagnostics(update),
  );
}
