import { oneLine } from "@baton/core/text/sanitize";
import { stripMarkdown } from "@baton/core/text/strip-markdown";
import { type SettableValue, observableValue } from "../connection/observable.ts";
import type { DraftStorage } from "./session/drafts.ts";
import type { InboxItem } from "@baton/core/protocol/request";
import type { DaemonData } from "./data/daemon-data.ts";

/** Notifications while the page is hidden. `unable` if the browser does not allow them. */
export type Notifications = { state: SettableValue<"on" | "off" | "unable">; toggle: () => Promise<void> };

const KEY = "baton.notify";

/** In an editor, its extension shows notifications. */
export const hostNotifications: Notifications = {
  state: observableValue<"on" | "off" | "unable">("unable"),
  toggle: async () => undefined,
};

/**
 * Notifies of each request that opens while the page is hidden. It asks for permission only when the user turns
 * notifications on.
 */
export function openNotifications(lists: DaemonData, store: DraftStorage, show: (item: InboxItem) => void): Notifications {
  const able = typeof Notification !== "undefined" && Notification.permission !== "denied";
  const allowed = able && Notification.permission === "granted" && store.getItem(KEY) === "on";
  const state = observableValue<"on" | "off" | "unable">(able ? "off" : "unable");
  if (allowed) state.set("on");
  let known = new Set<string>();
  lists.inbox.watch(() => {
    const items = lists.inbox.get() ?? [];
    if (document.visibilityState === "hidden" && state.get() === "on") for (const item of items) if (!known.has(item.id)) tell(item, show);
    known = new Set(items.map(({ id }) => id));
  });
  return {
    state,
    async toggle() {
      const on = state.get() !== "on";
      const permission = on ? await Notification.requestPermission() : "default";
      state.set(permission === "denied" ? "unable" : on && permission === "granted" ? "on" : "off");
      store.setItem(KEY, state.get());
    },
  };
}

/** Shows who asks and what kind of request it is, but not the command, because others may see the screen. */
function tell(item: InboxItem, show: (item: InboxItem) => void): void {
  const title = oneLine(item.kind === "approval" ? item.header : stripMarkdown(item.text)) || "A question";
  const notification = new Notification(title, { body: `${oneLine(item.title)} · ${item.mode}`, tag: item.id });
  notification.addEventListener("click", () => {
    window.focus();
    show(item);
    notification.close();
  });
}
