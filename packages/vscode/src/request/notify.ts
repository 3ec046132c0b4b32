import { oneLine, escapeInvisible } from "@baton/core/text/sanitize";
import { stripMarkdown } from "@baton/core/text/strip-markdown";
import * as vscode from "vscode";
import { runDetached } from "../connection/run-detached.ts";
import type { InboxItem, Request } from "@baton/core/protocol/request";
import type { DaemonLists } from "../connection/daemon-lists.ts";
import type { SessionCommandSender } from "../connection/session-command-sender.ts";

export type NotifyOptions = {
  lists: DaemonLists;
  commands: SessionCommandSender;
  /** Whether the page is visible. No notification is needed then, because the page shows every request. */
  visible: () => boolean;
  show: (item: InboxItem) => void;
};

const MAX_CHOICES = 4;

/** Notifies of new requests in this workspace while the page is hidden. A short request has buttons for its choices. */
export function notifyRequests({ lists, commands, visible, show }: NotifyOptions): vscode.Disposable {
  let known: Set<string> | undefined;
  return lists.onInbox(() => {
    const here = lists.inboxHere;
    const fresh = here.filter(({ id }) => !(known?.has(id) ?? false));
    const first = known === undefined;
    known = new Set(here.map(({ id }) => id));
    if (fresh.length === 0 || visible() || !vscode.workspace.getConfiguration("baton").get("notify", true)) return;
    if (first && fresh.length > 1) runDetached(summary(fresh));
    else for (const item of fresh) runDetached(notify(item));
  });

  async function summary(items: readonly InboxItem[]): Promise<void> {
    const [oldest] = items;
    const picked = await vscode.window.showInformationMessage(`${items.length} requests need you.`, "Show");
    if (picked && oldest) show(oldest);
  }

  async function notify(item: InboxItem): Promise<void> {
    const { text, whole } = notificationText(item);
    const choices = whole && vscode.workspace.isTrusted ? item.choices.slice(0, MAX_CHOICES) : [];
    const labels = choices.map(({ label }) => oneLine(label));
    const picked = await vscode.window.showInformationMessage(`${text}  (${oneLine(item.title) || "Baton"})`, ...labels, "Show");
    const choice = choices[labels.indexOf(picked ?? "")];
    if (choice) await commands.answer(item, { choice: choice.id });
    else if (picked !== undefined) show(item);
  }
}

/** The longest text that a notification shows completely. */
const WHOLE = 160;

/** The text of a notification. `whole` is true if it shows everything to approve. */
function notificationText({ kind, header, text, view, subject, notes = [] }: Request): { text: string; whole: boolean } {
  if ("network" in subject) return { text: oneLine(escapeInvisible(header)), whole: true }; // the header names the host
  if (kind !== "approval") return { text: oneLine(stripMarkdown(text) || header), whole: view === undefined && text.length <= WHOLE };
  const what = view?.type === "command" ? [view.command, ...notes].join(". ") : text;
  const whole = view?.type === "command" && what.length <= WHOLE && !what.includes("\n");
  return { text: `${oneLine(header)} ${cut(escapeInvisible(what).replaceAll("\n", " "))}`, whole };
}

const cut = (text: string): string => (text.length > WHOLE ? `${text.slice(0, WHOLE)}…` : text);
