import type { App } from "./app-context.ts";

/** Where there is nothing to list yet, a view opens with the box that a session begins in. */
export function openInitialRoute({ route, lists }: Pick<App, "route" | "lists">): void {
  const stop = [lists.sessions.watch(look), lists.inbox.watch(look)];

  function look(): void {
    const [sessions, inbox] = [lists.sessions.get(), lists.inbox.get()];
    if (sessions === undefined || inbox === undefined) return;
    for (const each of stop) each();
    if (sessions.length === 0 && inbox.length === 0 && route.get().page === "home") route.go({ page: "new" });
  }
}
