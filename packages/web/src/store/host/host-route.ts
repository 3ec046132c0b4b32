import type { EditorHost } from "../../connection/editor-host.ts";
import { observableValue } from "../../connection/observable.ts";
import type { App } from "../app-context.ts";
import { routeHref, parseRoute, type Route } from "../route.ts";

const KEY = "baton.place";

/**
 * Places of a page inside an editor, which has no address of its own: links are followed here, and the place is kept
 * with the view. A new session begins in the editor's own folder, and the settings are those for it.
 */
export function hostRoute(host: EditorHost): App["route"] {
  const placed = (route: Route): Route =>
    (route.page === "new" || route.page === "settings") && route.cwd === undefined ? { ...route, ...cwdOf(host) } : route;
  const route = observableValue(placed(parseRoute(host.place || (host.store.getItem(KEY) ?? ""))));
  const go = (to: Route) => {
    route.set(placed(to));
    settle();
  };
  const settle = () => {
    const at = route.get();
    host.store.setItem(KEY, routeHref(at));
    host.say({ kind: "at", page: at.page, session: at.page === "session" ? at.id : null });
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

const cwdOf = ({ folders: [first] }: EditorHost): { cwd?: string } => (first === undefined ? {} : { cwd: first });

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
