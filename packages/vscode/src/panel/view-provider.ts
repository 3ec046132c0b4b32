import type { ToPage } from "@baton/core/protocol/webview-messages";
import * as vscode from "vscode";
import { runDetached } from "../connection/run-detached.ts";
import { openWebviewPage, type At, type WebviewPage, type WebviewPageOptions } from "./webview-page.ts";

/** What stands above the view: what it shows. */
const TITLES: Record<At["page"], string> = { home: "Inbox", new: "New session", session: "Session", settings: "Settings" };

/** The page in the side bar, and the same page in editor tabs. */
export class ViewProvider implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  readonly #parts: WebviewPageOptions;
  readonly #media: vscode.Uri;
  #view: { page: WebviewPage; view: vscode.WebviewView } | undefined;
  readonly #tabs = new Set<vscode.WebviewPanel>();
  readonly #waiting: ToPage[] = [];

  constructor(parts: WebviewPageOptions, media: vscode.Uri) {
    this.#parts = parts;
    this.#media = media;
  }

  /** Whether a person can see the page anywhere in this window. */
  get visible(): boolean {
    return this.#view?.view.visible === true || [...this.#tabs].some(({ visible }) => visible);
  }

  /** Shows the page in the side bar, and then tells it something: what is said while the editor moves the focus gets lost. */
  show(message?: ToPage): void {
    runDetached(
      vscode.commands.executeCommand("baton.page.focus").then(() => {
        if (message && this.#view) this.#view.page.say(message);
        else if (message) this.#waiting.push(message);
      }),
    );
  }

  /** A place of the page, such as `#/session/ID`, in an editor tab of its own. */
  openTab(place: string, title: string): void {
    const tab = vscode.window.createWebviewPanel("baton.tab", title, vscode.ViewColumn.Active, { retainContextWhenHidden: true });
    this.#drawTab(tab, place);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const onAt = (at: At) => {
      view.title = TITLES[at.page];
      this.#parts.onAt(at);
    };
    const page = openWebviewPage(view.webview, { place: "", where: "view" }, { ...this.#parts, onAt });
    this.#view = { page, view };
    for (const message of this.#waiting.splice(0)) page.say(message);
    view.onDidDispose(() => {
      page.dispose();
      this.#view = undefined;
    });
  }

  /** A tab that was open when the window was closed; the page keeps its place itself. */
  deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    this.#drawTab(tab, "");
    return Promise.resolve();
  }

  #drawTab(tab: vscode.WebviewPanel, place: string): void {
    tab.iconPath = { light: vscode.Uri.joinPath(this.#media, "baton.svg"), dark: vscode.Uri.joinPath(this.#media, "baton-dark.svg") };
    const page = openWebviewPage(tab.webview, { place, where: "tab" }, this.#parts);
    this.#tabs.add(tab);
    tab.onDidDispose(() => {
      page.dispose();
      this.#tabs.delete(tab);
    });
  }
}
