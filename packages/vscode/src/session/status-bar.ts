import { formatCount } from "@baton/core/text/format";
import * as vscode from "vscode";
import type { DaemonConnection, ConnectionState } from "../connection/connection.ts";
import type { DaemonLists } from "../connection/daemon-lists.ts";
import type { ActiveSession } from "./active-session.ts";

/** The mode of the active session, and the number of open requests. */
export function statusBar(link: DaemonConnection, lists: DaemonLists, current: ActiveSession): vscode.Disposable {
  const mode = vscode.window.createStatusBarItem("baton.mode", vscode.StatusBarAlignment.Left, 51);
  const waiting = vscode.window.createStatusBarItem("baton.waiting", vscode.StatusBarAlignment.Left, 50);
  mode.name = "Baton: mode";
  mode.command = "baton.pickMode";
  waiting.name = "Baton: open requests";
  waiting.command = "baton.inbox";

  const draw = () => {
    const { row } = current;
    const activeMode = lists.modes.find(({ slug }) => slug === row?.mode);
    mode.text = row ? `$(${activeMode?.icon ?? "circle"}) ${row.mode}` : "";
    mode.tooltip = row ? `Baton: mode ${row.mode} of "${row.title || "New session"}". Click to choose another.` : "";
    if (row) mode.show();
    else mode.hide();

    const problem = connectionProblem(link.state);
    const open = lists.inbox?.length ?? 0;
    waiting.text = problem ? `$(debug-disconnect) Baton` : open === 0 ? "$(circle-large-outline) Baton" : `$(circle-filled) ${open}`;
    waiting.tooltip =
      problem ?? (open === 0 ? "Baton: nothing needs you" : `Baton: ${formatCount(open, "request")} ${open === 1 ? "needs" : "need"} you`);
    waiting.accessibilityInformation = { label: waiting.tooltip, role: "button" };
    waiting.backgroundColor = problem === undefined && open > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    waiting.show();
  };
  draw();
  return vscode.Disposable.from(mode, waiting, link.onState(draw), lists.onInbox(draw), current.onChange(draw));
}

/** The problem of the connection as a sentence; undefined if there is none. */
function connectionProblem(state: ConnectionState): string | undefined {
  switch (state.kind) {
    case "connecting":
    case "connected":
      return undefined;
    case "lost":
      return "Baton: the connection to the daemon was lost. Reconnecting.";
    case "absent":
      return `Baton: ${state.problem}`;
  }
}
