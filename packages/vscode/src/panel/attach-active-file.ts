import { ClientCommand, type SessionCommand } from "@baton/core/protocol/command";
import * as vscode from "vscode";
import { formatMention } from "../mention/format-mention.ts";

/**
 * Adds the active file to an outgoing prompt or mode switch, if the user's settings allow it. The user can see it there.
 */
export function prepareOutgoing(path: string, input: unknown): unknown {
  if (path !== "session.send" || typeof input !== "object" || input === null || !("wish" in input)) return input;
  const { data: command } = ClientCommand.safeParse(input.wish);
  return command === undefined ? input : { ...input, wish: withActiveFile(command) };
}

/** Adds it to a command of the editor's own controls. */
export function withActiveFile(command: SessionCommand): SessionCommand {
  if (!vscode.workspace.getConfiguration("baton").get("sendActiveFile", false)) return command;
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor?.document.uri.scheme !== "file") return command;
  const file = vscode.workspace.asRelativePath(editor.document.uri, false);
  if (command.type === "switchMode") return { ...command, file };
  if (command.type !== "prompt") return command;
  const active = formatMention(file, editor.selection);
  return command.text.includes(active) ? command : { ...command, text: `${command.text}\n\n(open in the editor: ${active})` };
}
