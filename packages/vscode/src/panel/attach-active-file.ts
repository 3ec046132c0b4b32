import { ClientCommand, type SessionCommand } from "@baton/core/protocol/command";
import * as vscode from "vscode";
import { mentionOf } from "../mention/mention.ts";

/**
 * Adds the active file to an outgoing prompt or mode switch, if the user's settings allow it. The user can see it there.
 */
export function prepareOutgoing(path: string, input: unknown): unknown {
  if (path !== "session.send" || typeof input !== "object" || input === null || !("wish" in input)) return input;
  const { data: wish } = ClientCommand.safeParse(input.wish);
  return wish === undefined ? input : { ...input, wish: withActiveFile(wish) };
}

/** Adds it to a command of the editor's own controls. */
export function withActiveFile(wish: SessionCommand): SessionCommand {
  if (!vscode.workspace.getConfiguration("baton").get("sendActiveFile", false)) return wish;
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor?.document.uri.scheme !== "file") return wish;
  const file = vscode.workspace.asRelativePath(editor.document.uri, false);
  if (wish.type === "switchMode") return { ...wish, file };
  if (wish.type !== "prompt") return wish;
  const active = mentionOf(file, editor.selection);
  return wish.text.includes(active) ? wish : { ...wish, text: `${wish.text}\n\n(open in the editor: ${active})` };
}
