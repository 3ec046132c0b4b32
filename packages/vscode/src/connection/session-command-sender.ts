import { createCommands, type Commands } from "@baton/core/client/command-client";
import { errorMessage } from "@baton/core/client/rpc-errors";
import * as vscode from "vscode";
import { showWarning } from "../show-warning.ts";
import type { DaemonConnection } from "./connection.ts";

export const NOT_TRUSTED =
  "This workspace is not trusted in the editor, so Baton only shows its sessions. Trust it to answer requests and send prompts.";

/** Commands of the editor's own controls. They never reject: a refusal is shown as a warning. */
export type SessionCommandSender = Pick<Commands, "answer" | "send">;

export function sessionCommandSender(link: DaemonConnection): SessionCommandSender {
  const run = async (command: (commands: Commands) => Promise<void>): Promise<void> => {
    if (!vscode.workspace.isTrusted) return showWarning(NOT_TRUSTED);
    try {
      await command(createCommands(await link.api()));
    } catch (error) {
      showWarning(errorMessage(error));
    }
  };
  return {
    answer: (request, answer) => run((commands) => commands.answer(request, answer)),
    send: (sessionId, command) => run((commands) => commands.send(sessionId, command)),
  };
}
