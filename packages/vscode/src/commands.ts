import { oneLine } from "@baton/core/text/sanitize";
import { newCommandId } from "@baton/core/client/command-client";
import * as vscode from "vscode";
import { installProgram } from "./connection/install-program.ts";
import { runDetached } from "./connection/run-detached.ts";
import type { DaemonConnection } from "./connection/connection.ts";
import type { InboxItem } from "@baton/core/protocol/request";
import type { DaemonLists } from "./connection/daemon-lists.ts";
import { showWarning } from "./show-warning.ts";
import type { SessionCommandSender } from "./connection/session-command-sender.ts";
import { mentionCommands } from "./mention/mention-commands.ts";
import type { ViewProvider } from "./panel/view-provider.ts";
import type { DiffApproval } from "./request/diff-approval.ts";
import type { ActiveSession } from "./session/active-session.ts";
import { sessionQuickPicks } from "./session/quick-picks.ts";

export type CommandDependencies = {
  link: DaemonConnection;
  lists: DaemonLists;
  commands: SessionCommandSender;
  panel: ViewProvider;
  current: ActiveSession;
  approval: DiffApproval;
};

/** Registers all commands of the extension. */
export function registerCommands({ link, lists, commands, panel, current, approval }: CommandDependencies): vscode.Disposable[] {
  const picks = sessionQuickPicks(lists, current, commands);
  const on = (name: string, action: (...args: never[]) => unknown) => vscode.commands.registerCommand(`baton.${name}`, action);
  return [
    on("show", () => panel.show()),
    on("newSession", () => panel.show({ kind: "go", place: "#/new" })),
    on("inbox", () => panel.show({ kind: "go", place: "#/" })),
    on("openSession", async (id?: string) => {
      const sessionId = id ?? (await picks.session());
      if (sessionId !== undefined) panel.show({ kind: "go", place: sessionRoute(sessionId) });
    }),
    on("openInTab", async (given?: { id?: string }) => {
      await lists.known(); // a window that has just opened has no list yet
      const row = lists.sessionsHere.find(({ id }) => id === given?.id) ?? current.row;
      panel.openTab(row ? sessionRoute(row.id) : "#/", row ? oneLine(row.title) || "New session" : "Baton");
    }),
    on("board", () => panel.openTab("#/board", "Baton Board")),
    on("settings", () => panel.openTab("#/settings/modes", "Baton Settings")),
    on("pickMode", () => picks.mode()),
    on("coordinate", () => {
      if (!current.row) return showWarning("There is no session in this workspace yet.");
      return commands.send(current.row.id, { type: "coordinate", promptId: newCommandId() });
    }),
    on("pickModel", () => picks.model()),
    on("stop", () => current.row && commands.send(current.row.id, { type: "interrupt" })),
    on("connect", () => link.connect()),
    on("restartDaemon", () => link.restart()),
    on("install", async () => {
      if (await installProgram()) await link.connect();
    }),
    on("request.once", (uri?: vscode.Uri) => approval.answer(uri, "once")),
    on("request.session", (uri?: vscode.Uri) => approval.answer(uri, "session")),
    on("request.workspace", (uri?: vscode.Uri) => approval.answer(uri, "workspace")),
    on("request.deny", (uri?: vscode.Uri) => approval.answer(uri, "deny")),
    on("request.why", (uri?: vscode.Uri) => {
      const item = approval.requestFor(uri);
      if (item) panel.show({ kind: "go", place: sessionRoute(item.sessionId, item.id) });
    }),
    ...mentionCommands((text) => panel.show({ kind: "insert", text })),
  ];
}

/** Shows a request: a file change as a diff, everything else on the page. */
export function showRequest(item: InboxItem, { panel, approval }: Pick<CommandDependencies, "panel" | "approval">): void {
  const inPage = () => panel.show({ kind: "go", place: sessionRoute(item.sessionId, item.id) });
  runDetached(approval.show(item.id, true).then((isShown) => void (isShown || inPage())));
}

const sessionRoute = (session: string, request?: string): string =>
  `#/session/${encodeURIComponent(session)}${request === undefined ? "" : `/${encodeURIComponent(request)}`}`;
