import { readFileSync } from "node:fs";
import type { FromPage, WebviewInitData, ToPage } from "@baton/core/protocol/connection/webview-messages";
import * as vscode from "vscode";
import type { Folders } from "../connection/folders.ts";
import { runDetached } from "../connection/run-detached.ts";
import type { DaemonConnection, ConnectionState } from "../connection/connection.ts";
import { followActiveEditorMentions } from "../mention/active-editor-mentions.ts";
import { errorHtml, pageHtml, type ErrorAction } from "./html.ts";
import { prepareOutgoing } from "./attach-active-file.ts";
import { relayCalls } from "./relay-calls.ts";
import path from "node:path";

export type WebviewPageOptions = {
  link: DaemonConnection;
  folders: Folders;
  /** The folder of the built page. */
  built: vscode.Uri;
  /** Called with the page's current route. */
  onAt: (at: PageRoute) => void;
};

/** The page's current route. */
export type PageRoute = Extract<FromPage, { kind: "at" }>;

/** The page in a webview. */
export type WebviewPage = { post: (message: ToPage) => void; dispose: () => void };

/** Draws the page in a webview, or an error without a daemon. `place` is the first route, such as `#/session/abc`. */
export function openWebviewPage(
  webview: vscode.Webview,
  { place, where }: Pick<WebviewInitData, "place" | "where">,
  { link, folders, built, onAt }: WebviewPageOptions,
): WebviewPage {
  webview.options = { enableScripts: true, localResourceRoots: [built], enableCommandUris: COMMANDS };
  const waiting: ToPage[] = [];
  let ready = false;
  let drawn: "page" | "fault" | undefined;
  /** Whether the drawn page had a daemon: only then it has content to keep. */
  let hadDaemon = false;
  let offering: vscode.Disposable | undefined;

  const post = (message: ToPage) => {
    if (ready) runDetached(webview.postMessage(message), () => undefined); // the page may be gone
    else waiting.push(message);
  };
  const handle = (message: Exclude<FromPage, { kind: "call" | "stop" }>) => {
    switch (message.kind) {
      case "ready":
        ready = true;
        offering?.dispose();
        offering = followActiveEditorMentions((mentions) => post({ kind: "mentions", mentions }));
        return waiting.splice(0).forEach(post);
      case "at":
        return onAt(message);
      case "connect":
        return runDetached(link.connect());
      case "open":
        return runDetached(openFile(message, folders));
    }
  };
  const passing = relayCalls({ link, webview, onMessage: handle, outgoing: prepareOutgoing });
  /** While connecting, and after a page with content has lost its daemon, the drawn page stays. */
  const wantedFor = (state: ConnectionState): "page" | "fault" => {
    switch (state.kind) {
      case "connecting":
        return drawn ?? "page";
      case "connected":
      case "lost":
        return "page";
      case "absent":
        return state.otherVersion || drawn !== "page" || !hadDaemon ? "fault" : "page";
    }
  };
  const draw = () => {
    const { state } = link;
    const next = wantedFor(state);
    if (next === "page" && drawn === "page") return void (hadDaemon ||= isThere(state));
    if (next === "fault" && state.kind === "connecting") return; // the error stays until the result is known
    ready = false;
    drawn = next;
    hadDaemon = next === "page" && isThere(state);
    webview.html =
      state.kind === "absent"
        ? errorHtml(state.problem, errorActions(state))
        : pageHtml(
            readFileSync(vscode.Uri.joinPath(built, "index.html").fsPath, "utf8"),
            { base: String(webview.asWebviewUri(built)), source: webview.cspSource },
            { folders: [...folders.paths()], place, where },
          );
  };
  const listening = link.onState(draw);
  draw();
  return {
    post,
    dispose: () => {
      listening.dispose();
      offering?.dispose();
      passing.dispose();
    },
  };
}

const isThere = ({ kind }: ConnectionState): boolean => kind === "connected" || kind === "lost";

const COMMANDS = [
  "baton.connect",
  "baton.install",
  "baton.restartDaemon",
  "workbench.action.openSettings",
  "workbench.action.openRemoteSettings",
  "workbench.trust.manage",
];

function errorActions({ otherVersion, notInstalled }: { otherVersion: boolean; notInstalled: boolean }): ErrorAction[] {
  if (otherVersion) return [{ label: "Restart the daemon (open requests are kept)", command: "baton.restartDaemon" }];
  const again = { label: "Try again", command: "baton.connect" };
  if (!vscode.workspace.isTrusted) return [{ label: "Trust this folder", command: "workbench.trust.manage" }, again];
  const path = { label: "Set the path of the program", ...settings("baton.executable") };
  return notInstalled ? [{ label: "Install Baton with npm", command: "baton.install" }, again, path] : [again, path];
}

/** A setting of the machine that runs the extension. In a remote window the user's local settings do not apply. */
const settings = (query: string): Omit<ErrorAction, "label"> =>
  vscode.env.remoteName === undefined
    ? { command: "workbench.action.openSettings", args: query }
    : { command: "workbench.action.openRemoteSettings", args: { query } };

/** Opens a file at a line, which counts from 1. The path is relative to the session's workspace. */
async function openFile(
  { path: relativePath, line, workspace }: { path: string; line?: number | undefined; workspace?: string | undefined },
  folders: Folders,
): Promise<void> {
  const file = path.resolve(workspace ?? folders.paths()[0] ?? "/", relativePath);
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file), {
      preview: true,
      viewColumn: vscode.ViewColumn.One,
      ...(line === undefined ? {} : { selection: new vscode.Range(at, at) }),
    });
  } catch {
    void vscode.window.showWarningMessage(`${file} cannot be opened. It may have been deleted, or it is not a text file.`);
  }
}
