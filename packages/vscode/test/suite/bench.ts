import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { connectTo, findDaemon, type Connection } from "@baton/daemon/client";
import * as vscode from "vscode";
import type { Exports } from "../../src/extension.ts";

/** The extension under test, active. */
export async function extension(): Promise<Exports> {
  const found = vscode.extensions.getExtension<Exports>("baton.baton-vscode");
  if (!found) throw new Error("the extension is not there");
  return found.activate();
}

/** Resolves when `look` returns a value. Calls it again whenever one of the events fires, and at intervals. */
export async function until<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    await new Promise((again) => setTimeout(again, 20));
  }
}

export async function connected(): Promise<Exports> {
  const exports = await extension();
  await until(() => exports.link.state.kind === "connected");
  return exports;
}

/** A client beside the extension, like a terminal. */
export async function beside(): Promise<Connection> {
  const discoveryFile = path.join(process.env["BATON_HOME"] ?? "", "daemon.json");
  const found = await findDaemon(discoveryFile);
  if (!found) throw new Error("no daemon runs");
  return connectTo(found, { client: "test", discoveryFile });
}

export const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";

/** The address of a file of the workspace. A search for it can take longer than a test on a busy machine. */
export const uriOf = (file: string): vscode.Uri => vscode.Uri.file(path.join(folder(), file));

export const textOf = (file: string): string => readFileSync(path.join(folder(), file), "utf8");

/** Starts a session in the workspace that follows a script of the test. */
export async function begin({ api }: Connection, model: string): Promise<string> {
  const { id } = await api.session.create.mutate({ commandId: randomUUID(), workspace: folder(), model });
  await api.session.send.mutate({
    sessionId: id,
    commandId: randomUUID(),
    wish: { type: "prompt", promptId: randomUUID(), text: "Go on.", delivery: "queue" },
  });
  return id;
}

/** The diff that is open for a request, in any group. */
export function openDiff(): { tab: vscode.Tab; input: vscode.TabInputTextDiff } | undefined {
  for (const { tabs } of vscode.window.tabGroups.all)
    for (const tab of tabs)
      if (tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === "baton-request") return { tab, input: tab.input };
  return undefined;
}

/** The open tabs and requests of the window and of the daemon, for a failed case. */
export async function seen(): Promise<string> {
  const { lists, link } = await extension();
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all.map(({ label }) => label));
  const waiting = lists.inbox?.map(({ id, text }) => `${id} ${text}`);
  const sessions = lists.sessionsHere.map(({ id, status }) => `${id} ${status}`);
  return JSON.stringify({ link: link.state, tabs, waiting, sessions });
}
