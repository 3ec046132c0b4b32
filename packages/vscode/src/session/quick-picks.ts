import { oneLine } from "@baton/core/text/sanitize";
import { formatMoney } from "@baton/core/text/format";
import * as vscode from "vscode";
import type { DaemonLists } from "../connection/daemon-lists.ts";
import { showWarning } from "../show-warning.ts";
import type { SessionCommandSender } from "../connection/session-command-sender.ts";
import { withActiveFile } from "../panel/attach-active-file.ts";
import type { ActiveSession } from "./active-session.ts";
import { statusIcon, STATUS_LABELS } from "./status-appearance.ts";

export type SessionQuickPicks = { mode: () => Promise<void>; model: () => Promise<void>; session: () => Promise<string | undefined> };

/** Quick picks for modes, models and sessions. */
export function sessionQuickPicks(lists: DaemonLists, current: ActiveSession, commands: SessionCommandSender): SessionQuickPicks {
  return {
    async mode() {
      const { row } = current;
      if (!row) return showWarning("There is no session in this workspace yet.");
      const items = lists.modes.map(({ slug, name, icon, description }) => ({
        label: `$(${icon}) ${slug}`,
        description: slug === row.mode ? `${name} · now` : name,
        detail: oneLine(description),
        slug,
      }));
      const picked = await vscode.window.showQuickPick(items, { title: `Mode of "${oneLine(row.title)}"`, matchOnDetail: true });
      if (picked && picked.slug !== row.mode) await commands.send(row.id, withActiveFile({ type: "switchMode", mode: picked.slug }));
    },

    async model() {
      const { row } = current;
      if (!row) return showWarning("There is no session in this workspace yet.");
      const model = await pickOrType(lists.models, row.model ?? undefined);
      if (model !== undefined && model !== row.model) await commands.send(row.id, { type: "chooseModel", model });
    },

    async session() {
      const items = lists.sessionsHere.map((row) => ({
        label: oneLine(row.title) || "New session",
        description: `${row.mode} · ${STATUS_LABELS[row.status]} · ${formatMoney(row.cost)}`,
        iconPath: statusIcon(row.status),
        id: row.id,
      }));
      const picked = await vscode.window.showQuickPick(items, { title: "Open a session", matchOnDescription: true });
      return picked?.id;
    },
  };
}

/** A model of another session, or any other typed as `provider/model`. */
function pickOrType(known: readonly string[], now: string | undefined): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick();
  const itemsFor = (typed: string) => [
    ...known.map((label) => ({ label, ...(label === now ? { description: "now" } : {}) })),
    ...(typed.includes("/") && !known.includes(typed) ? [{ label: typed, description: "use this model", alwaysShow: true }] : []),
  ];
  pick.title = "Model";
  pick.placeholder = "provider/model";
  pick.items = itemsFor("");
  return new Promise((settle) => {
    pick.onDidChangeValue((typed) => (pick.items = itemsFor(typed.trim())));
    pick.onDidAccept(() => {
      settle(pick.selectedItems[0]?.label);
      pick.hide();
    });
    pick.onDidHide(() => {
      settle(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
