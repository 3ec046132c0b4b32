import { omitUndefined } from "@baton/core/text/omit-undefined";
import { SEND_ONCE } from "@baton/core/client/command-client";
import { backgroundStatusText, type BackgroundCommand } from "@baton/core/session/background-command";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { drawFrame, RESTORE_TERMINAL, type TerminalSize } from "@baton/core/terminal/command-terminal-frame";
import { createTerminalInputQueue } from "@baton/core/terminal/command-terminal-input";
import { oneLine } from "@baton/core/text/sanitize";
import type { Api } from "@baton/daemon/client";
import * as vscode from "vscode";
import type { DaemonConnection } from "../connection/connection.ts";
import { showWarning } from "../show-warning.ts";
import { NOT_TRUSTED } from "../connection/session-command-sender.ts";
import type { ActiveSession } from "./active-session.ts";

/** Opens the terminal of a command of the active session in the editor's own terminal view. */
export function registerAttachTerminal(link: DaemonConnection, current: ActiveSession): vscode.Disposable {
  return vscode.commands.registerCommand("baton.openTerminal", async () => {
    const { row: session } = current;
    if (!session) return showWarning("There is no session in this workspace yet.");
    if (!vscode.workspace.isTrusted) return showWarning(NOT_TRUSTED);
    try {
      const api = await link.api();
      const rows = (await api.command.list.query({ sessionId: session.id })).filter(({ terminal }) => terminal);
      if (rows.length === 0) return showWarning("No command of this session has a terminal.");
      const row = await pickCommand(rows);
      if (row) vscode.window.createTerminal({ name: oneLine(row.command).slice(0, 60), pty: commandTerminal(api, row) }).show();
    } catch (error) {
      showWarning(errorMessage(error));
    }
  });
}

async function pickCommand(rows: readonly BackgroundCommand[]): Promise<BackgroundCommand | undefined> {
  if (rows.length === 1) return rows[0];
  const items = rows.map((row) => ({ label: oneLine(row.command), description: `${backgroundStatusText(row)} · ${row.id}`, row }));
  return (await vscode.window.showQuickPick(items, { title: "Open the terminal of which command?" }))?.row;
}

/** A terminal of the editor that shows the one of a command. If the user closes it, the command continues. */
function commandTerminal(api: Api, { sessionId, id }: Pick<BackgroundCommand, "sessionId" | "id">): vscode.Pseudoterminal {
  const output = new vscode.EventEmitter<string>();
  const size = new vscode.EventEmitter<vscode.TerminalDimensions | undefined>();
  const closed = new vscode.EventEmitter<void>();
  let following: { unsubscribe: () => void } | undefined;
  let own: TerminalSize | undefined;
  let drawn: TerminalSize | undefined;
  let isOurs = false;
  let ended = false;
  const fail = (error: unknown) => output.fire(`\r\n${oneLine(errorMessage(error))}\r\n`);
  const type = createTerminalInputQueue(
    ({ data, size: wanted }) => api.command.type.mutate({ sessionId, id, data, ...omitUndefined({ size: wanted }) }, SEND_ONCE),
    fail,
  );
  return {
    onDidWrite: output.event,
    onDidOverrideDimensions: size.event,
    onDidClose: closed.event,
    open(dimensions) {
      own = dimensions;
      following = api.command.watch.subscribe(
        { sessionId, id },
        {
          onData: ({ end, ...frame }) => {
            const { columns, rows } = frame;
            if (drawn?.columns !== columns || drawn.rows !== rows) {
              isOurs = own?.columns === columns && own.rows === rows;
              size.fire(isOurs ? undefined : { columns, rows });
            }
            drawn = { columns, rows };
            output.fire(drawFrame(frame, { rows, scrollback: true }));
            if (!end) return;
            ended = true;
            output.fire(
              `${RESTORE_TERMINAL}\u001b[${rows};1H\r\n(${backgroundStatusText({ status: end.reason, exitCode: end.exitCode })})\r\n`,
            );
          },
          onError: fail,
        },
      );
      if (own) type("", own); // opening it is like typing: the terminal takes this size
    },
    close: () => following?.unsubscribe(),
    handleInput(data) {
      if (ended) return closed.fire();
      type(data, isOurs ? undefined : own);
    },
    setDimensions(dimensions) {
      own = dimensions;
      if (isOurs && !ended) type("", own);
    },
  };
}
