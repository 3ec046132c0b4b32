import type { AppServices } from "../store/app-context.ts";

/** Goes to the open request after the active one, in any session. Without one, it says so. */
export function goToNextRequest({ lists, now, route, tell }: Pick<AppServices, "lists" | "now" | "route" | "tell">): void {
  const items = lists.inbox.get() ?? [];
  const at = items.findIndex(({ id }) => id === now.get());
  const next = items[(at + 1) % Math.max(1, items.length)];
  if (!next || next.id === now.get()) return tell(next ? "This is the only open request." : "Nothing needs you.");
  route.go({ page: "session", id: next.sessionId, request: next.id });
}
