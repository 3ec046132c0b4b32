import * as vscode from "vscode";
import { DirtyDocuments } from "./buffer/dirty-documents.ts";
import { registerCommands, showRequest } from "./commands.ts";
import { windowFolders } from "./connection/folders.ts";
import { runDetached } from "./connection/run-detached.ts";
import { DaemonConnection } from "./connection/connection.ts";
import { DaemonLists } from "./connection/daemon-lists.ts";
import { OfferedDiagnostics } from "./diagnostics/offered-diagnostics.ts";
import { offerWorkspaceTrust } from "./connection/offer-workspace-trust.ts";
import { sessionCommandSender } from "./connection/session-command-sender.ts";
import { ViewProvider } from "./panel/view-provider.ts";
import { DiffApproval } from "./request/diff-approval.ts";
import { CHANGE_SCHEME, VirtualDocuments, REQUEST_SCHEME } from "./request/virtual-documents.ts";
import { notifyRequests } from "./request/notify.ts";
import { acceptedHunks } from "./review/accepted-hunks.ts";
import { hunkCommands } from "./review/hunk-commands.ts";
import { hunkDecorations } from "./review/hunk-decorations.ts";
import { hunkLenses } from "./review/hunk-lenses.ts";
import { SessionReview } from "./review/session-review.ts";
import { registerChangedFiles } from "./session/changed-files-tree.ts";
import { commitMessageCommand } from "./scm/commit-message.ts";
import { ActiveSession } from "./session/active-session.ts";
import { registerAttachTerminal } from "./session/command-terminal.ts";
import { restoreFilesCommand } from "./session/restore-files-command.ts";
import { startContexts } from "./session/walkthrough-contexts.ts";
import { statusBar } from "./session/status-bar.ts";
import { sessionTree } from "./session/session-tree.ts";

/** The interface for tests. */
export type Exports = {
  activationMs: number;
  link: Pick<DaemonConnection, "state" | "onState">;
  lists: Pick<DaemonLists, "inbox" | "sessionsHere" | "onInbox" | "onSessions">;
};

/** Creates all parts and returns at once. The connection is opened in the background. */
export function activate({ extensionUri, subscriptions, workspaceState }: vscode.ExtensionContext): Exports {
  const began = performance.now();
  const link = new DaemonConnection();
  const lists = new DaemonLists(windowFolders);
  const commands = sessionCommandSender(link);
  const current = new ActiveSession(lists);
  const unsaved = new DirtyDocuments(link);
  const diagnostics = new OfferedDiagnostics(link, windowFolders);
  const documents = new VirtualDocuments();
  const approval = new DiffApproval(lists, commands, documents);
  const review = new SessionReview(link, current, acceptedHunks(workspaceState));
  const built = vscode.Uri.joinPath(extensionUri, "dist", "page");
  const panel = new ViewProvider(
    { link, folders: windowFolders, built, onAt: ({ session }) => current.show(session ?? undefined) },
    vscode.Uri.joinPath(extensionUri, "media"),
  );

  subscriptions.push(
    link,
    lists,
    current,
    approval,
    unsaved,
    diagnostics,
    vscode.workspace.registerTextDocumentContentProvider(REQUEST_SCHEME, documents),
    vscode.workspace.registerTextDocumentContentProvider(CHANGE_SCHEME, documents),
    vscode.window.registerWebviewViewProvider("baton.page", panel, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.registerWebviewPanelSerializer("baton.tab", panel),
    statusBar(link, lists, current),
    sessionTree(lists),
    registerChangedFiles(link, current, documents),
    review,
    hunkLenses(review),
    hunkDecorations(review),
    hunkCommands({ review, commands, documents }),
    notifyRequests({ lists, commands, visible: () => panel.visible, show: (item) => showRequest(item, { panel, approval }) }),
    link.onState(({ kind }) => runDetached(vscode.commands.executeCommand("setContext", "baton.connected", kind === "connected"))),
    offerWorkspaceTrust(link, windowFolders),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (link.state.kind === "absent") runDetached(link.connect());
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (link.state.kind === "absent" && change.affectsConfiguration("baton.executable")) runDetached(link.connect());
    }),
    startContexts(link, lists),
    commitMessageCommand(link, current),
    restoreFilesCommand(link, current, commands),
    registerAttachTerminal(link, current),
    ...registerCommands({ link, lists, commands, panel, current, approval }),
  );
  runDetached(link.connect());
  runDetached(lists.follow(link));
  runDetached(unsaved.follow());
  runDetached(diagnostics.follow());
  return { activationMs: performance.now() - began, link, lists };
}
