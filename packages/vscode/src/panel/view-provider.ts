import type { ToPage } from "@baton/core/protocol/connection/webview-messages";
import * as vscode from "vscode";
import { runDetached } from "../connection/run-detached.ts";
import { openWebviewPage, type PageRoute, type WebviewPage, type WebviewPageOptions } from "./open-webview-page.ts";

/** The title of the view for each page. */
const TITLES: Record<PageRoute["page"], string> = { home: "Inbox", new: "New session", session: "Session", settings: "Settings" };

/** The page in the side bar and in editor tabs. */
export class ViewProvider implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  readonly #parts: WebviewPageOptions;
  readonly #media: vscode.Uri;
  #view: { page: WebviewPage; view: vscode.WebviewView } | undefined;
  readonly #tabs = new Set<vscode.WebviewPanel>();
  readonly #waiting: ToPage[] = [];

  constructor(options: WebviewPageOptions, media: vscode.Uri) {
    this.#parts = options;
    this.#media = media;
  }

  /** Whether the page is visible in this window. */
  get visible(): boolean {
    return this.#view?.view.visible === true || [...this.#tabs].some(({ visible }) => visible);
  }

  /** Shows the page in the side bar, then sends the message. A message sent during the focus change would be lost. */
  show(message?: ToPage): void {
    runDetached(
      vscode.commands.executeCommand("baton.page.focus").then(() => {
        if (message && this.#view) this.#view.page.post(message);
        else if (message) this.#waiting.push(message);
      }),
    );
  }

  /** Opens a route of the page, such as `#/session/ID`, in an editor tab. */
  openTab(route: string, title: string): void {
    const tab = vscode.window.createWebviewPanel("baton.tab", title, vscode.ViewColumn.Active, { retainContextWhenHidden: true });
    this.#drawTab(tab, route);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const onAt = (at: PageRoute) => {
      view.title = TITLES[at.page];
      this.#parts.onAt(at);
    };
    const page = openWebviewPage(view.webview, { place: "", where: "view" }, { ...this.#parts, onAt });
    this.#view = { page, view };
    for (const message of this.#waiting.splice(0)) page.post(message);
    view.onDidDispose(() => {
      page.dispose();
      this.#view = undefined;
    });
  }

  /** Restores a tab of an earlier window. The page stores its own route. */
  deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    this.#drawTab(tab, "");
    return Promise.resolve();
  }

  #drawTab(tab: vscode.WebviewPanel, route: string): void {
    tab.iconPath = { light: vscode.Uri.joinPath(this.#media, "baton.svg"), dark: vscode.Uri.joinPath(this.#media, "baton-dark.svg") };
    const page = openWebviewPage(tab.webview, { place: route, where: "tab" }, this.#parts);
    this.#tabs.add(tab);
    tab.onDidDispose(() => {
      page.dispose();
      this.#tabs.delete(tab);
    });
  }
}
