import { observableValue, type ObservableValue } from "../connection/observable.ts";

/** Where the user is on the page. `request` is the request to scroll to, and `seq` the event, for example a match of a search. */
export type AppRoute =
  | { page: "home" }
  | { page: "new"; cwd?: string }
  /** All sessions by state. */
  | { page: "board" }
  /** The sessions whose places have this group, side by side. */
  | { page: "versions"; group: string }
  | { page: "session"; id: string; request?: string; seq?: number }
  /** The changes of a session, of the turn that began with the prompt `turn`, or of the session's place. */
  | { page: "review"; id: string; turn?: string; since?: PlaceDiffBase }
  /** Settings for the folder `cwd`; `session` is the session from which the user came. */
  | { page: "settings"; part: string; cwd?: string; session?: string };

/** The changes of a place since its base, or since its last commit. */
export type PlaceDiffBase = "base" | "commit";

export function parseRoute(hash: string): AppRoute {
  const [, page = "", first, second, third] = hash.replace(/^#/, "").split("/").map(decode);
  if (page === "session" && first) return { page: "session", id: first, ...sessionTarget(second) };
  if (page === "review" && first && second === "since")
    return { page, id: first, ...(third === "base" || third === "commit" ? { since: third } : {}) };
  if (page === "review" && first) return { page, id: first, ...(second ? { turn: second } : {}) };
  if (page === "settings" && first) return { page, part: first, ...(second ? { cwd: second } : {}), ...(third ? { session: third } : {}) };
  if (page === "board") return { page };
  if (page === "versions" && first) return { page, group: first };
  if (page === "new") return { page: "new", ...(first ? { cwd: first } : {}) };
  return { page: "home" };
}

/** The request or, after an `@`, the event that an address names. */
function sessionTarget(part: string | undefined): { request?: string; seq?: number } {
  const seq = /^@(\d+)$/.exec(part ?? "")?.[1];
  if (seq !== undefined) return { seq: Number(seq) };
  return part ? { request: part } : {};
}

/** The session that the user sees. */
export const sessionIdOfRoute = (route: AppRoute): string | undefined =>
  route.page === "session" || route.page === "review" ? route.id : undefined;

export function routeHref(route: AppRoute): string {
  switch (route.page) {
    case "home":
      return "#/";
    case "board":
      return "#/board";
    case "versions":
      return hash("versions", route.group);
    case "new":
      return hash("new", route.cwd);
    case "session":
      return hash("session", route.id, route.request ?? (route.seq === undefined ? undefined : `@${route.seq}`));
    case "review":
      return route.since === undefined ? hash("review", route.id, route.turn) : hash("review", route.id, "since", route.since);
    case "settings":
      return hash("settings", route.part, route.cwd, route.cwd === undefined ? undefined : route.session);
  }
}

const hash = (...parts: (string | number | undefined)[]): string =>
  `#/${parts
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join("/")}`;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // an address that the user typed
  }
}

export function watchRoute(): ObservableValue<AppRoute> & { go: (route: AppRoute) => void } {
  const route = observableValue(parseRoute(location.hash));
  addEventListener("hashchange", () => route.set(parseRoute(location.hash)));
  return { ...route, go: (to) => void (location.hash = routeHref(to)) };
}
