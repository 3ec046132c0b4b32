import { watched, type Watched } from "../link/watched.ts";

/** Where the person is in the page. `request` is the request to open the session at. */
export type Route = { page: "home" } | { page: "new"; cwd?: string } | { page: "session"; id: string; request?: string };

export function routeOf(hash: string): Route {
  const [, page = "", first, second] = hash.replace(/^#/, "").split("/").map(decode);
  if (page === "session" && first) return { page: "session", id: first, ...(second ? { request: second } : {}) };
  if (page === "new") return { page: "new", ...(first ? { cwd: first } : {}) };
  return { page: "home" };
}

export function hrefOf(route: Route): string {
  switch (route.page) {
    case "home":
      return "#/";
    case "new":
      return route.cwd === undefined ? "#/new" : `#/new/${encodeURIComponent(route.cwd)}`;
    case "session":
      return `#/session/${encodeURIComponent(route.id)}${route.request === undefined ? "" : `/${encodeURIComponent(route.request)}`}`;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // an address that somebody typed
  }
}

export function watchRoute(): Watched<Route> & { go: (route: Route) => void } {
  const route = watched(routeOf(location.hash));
  addEventListener("hashchange", () => route.set(routeOf(location.hash)));
  return { ...route, go: (to) => void (location.hash = hrefOf(to)) };
}
