import type { EditorHost } from "../../connection/editor-host.ts";
import { observableValue } from "../../connection/observable.ts";
import type { AppServices } from "../app-context.ts";
import { routeHref, parseRoute, type AppRoute } from "../route.ts";

const KEY = "baton.place";

/**
 * Routes inside an editor, which has no address bar: links are followed here, and the editor stores the route. A new
 * session and the settings use the editor's first folder.
 */
export function hostRoute(host: EditorHost): AppServices["route"] {
  const placed = (route: AppRoute): AppRoute =>
    (route.page === "new" || route.page === "settings") && route.cwd === undefined ? { ...route, ...hostFolder(host) } : route;
  const route = observableValue(placed(parseRoute(host.place || (host.store.getItem(KEY) ?? ""))));
  const go = (to: AppRoute) => {
    route.set(placed(to));
    settle();
  };
  const settle = () => {
    const at = route.get();
    host.store.setItem(KEY, routeHref(at));
    host.say({ kind: "at", ...reported(at) });
  };
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const href = link?.getAttribute("href");
      if (!href?.startsWith("#/")) return;
      event.preventDefault();
      go(parseRoute(href));
    },
    { capture: true },
  );
  settle();
  return { ...route, go };
}

/** The part of the page that the editor knows. The board and the versions count as the list of sessions. */
function reported(at: AppRoute): { page: "home" | "new" | "session" | "settings"; session: string | null } {
  switch (at.page) {
    case "session":
    case "review":
      return { page: "session", session: at.id };
    case "board":
    case "versions":
      return { page: "home", session: null };
    case "home":
    case "new":
    case "settings":
      return { page: at.page, session: null };
  }
}

const hostFolder = ({ folders: [first] }: EditorHost): { cwd?: string } => (first === undefined ? {} : { cwd: first });

/** Opens the form for a new session if there are no sessions and requests. */
export function openNewSessionIfEmpty({ route, lists }: Pick<AppServices, "route" | "lists">): void {
  const stop = [lists.sessions.watch(check), lists.inbox.watch(check)];

  function check(): void {
    const [sessions, inbox] = [lists.sessions.get(), lists.inbox.get()];
    if (sessions === undefined || inbox === undefined) return;
    for (const each of stop) each();
    if (sessions.length === 0 && inbox.length === 0 && route.get().page === "home") route.go({ page: "new" });
  }
}
