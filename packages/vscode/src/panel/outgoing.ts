import * as vscode from "vscode";
import { mentionOf } from "../mention/mention.ts";

/** Adds the active file to a prompt that goes out, where the person allows it. It is seen in the prompt. */
export function outgoing(path: string, input: unknown): unknown {
  if (path !== "session.send" || !isPrompt(input)) return input;
  if (!vscode.workspace.getConfiguration("baton").get("sendActiveFile", false)) return input;
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor?.document.uri.scheme !== "file") return input;
  const { document, selection } = editor;
  const active = mentionOf(vscode.workspace.asRelativePath(document.uri, false), selection);
  const { text } = input.wish;
  return text.includes(active) ? input : { ...input, wish: { ...input.wish, text: `${text}\n\n(open in the editor: ${active})` } };
}

type Prompt = { wish: { type: "prompt"; text: string } };

const isPrompt = (input: unknown): input is Prompt => {
  const wish = typeof input === "object" && input !== null && "wish" in input ? input.wish : undefined;
  return (
    typeof wish === "object" && wish !== null && "type" in wish && wish.type === "prompt" && "text" in wish && typeof wish.text === "string"
  );
};
