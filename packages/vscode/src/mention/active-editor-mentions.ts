import type { Mention } from "@baton/core/protocol/webview-messages";
import * as vscode from "vscode";
import { named, textOf } from "./mention-commands.ts";
import { mentionOf } from "./mention.ts";

const MAX_PROBLEMS = 3;

/** Mentions for the active editor: the selection, the file, and its first problems. */
function offered(): Mention[] {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor?.document.uri.scheme !== "file") return [];
  const { document, selection } = editor;
  const problems = vscode.languages.getDiagnostics(document.uri).slice(0, MAX_PROBLEMS);
  return [
    ...(selection.isEmpty ? [] : [{ text: mentionOf(named(document.uri), selection), about: "selection" }]),
    { text: mentionOf(named(document.uri)), about: "open in the editor" },
    ...problems.map((each) => ({ text: textOf(document.uri, each), about: "problem" })),
  ];
}

/** Calls `tell` with the mentions, now and whenever they change. */
export function followActiveEditor(tell: (mentions: Mention[]) => void): vscode.Disposable {
  let told = "";
  const look = () => {
    const mentions = offered();
    const now = JSON.stringify(mentions);
    if (now !== told) tell(mentions);
    told = now;
  };
  look();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.window.onDidChangeTextEditorSelection(look),
    vscode.languages.onDidChangeDiagnostics(look),
  );
}
