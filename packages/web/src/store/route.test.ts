import { expect, test } from "vitest";
import { parseLoginHash } from "../connection/login.ts";
import { routeHref, parseRoute, type AppRoute } from "./route.ts";

test("an address is parsed back to its route", () => {
  const routes: AppRoute[] = [
    { page: "home" },
    { page: "new" },
    { page: "new", cwd: "/home/ada/a b/ü%" },
    { page: "session", id: "k3m9.s1.2" },
    { page: "settings", part: "usage" },
    { page: "settings", part: "modes", cwd: "/home/ada/a b" },
    { page: "settings", part: "toolsets", cwd: "/", session: "k3m9.s1" },
    { page: "session", id: "k3m9", request: "k3m9-s1.1" },
    { page: "session", id: "k3m9", seq: 120 },
    { page: "review", id: "k3m9", turn: "p1" },
    { page: "review", id: "k3m9", since: "base" },
    { page: "board" },
    { page: "versions", group: "three/models" },
  ];
  expect(routes.map((route) => parseRoute(routeHref(route)))).toEqual(routes);
  expect(parseRoute("#/session/%")).toEqual({ page: "session", id: "%" });
});

test("a code is not a route inside the page, and a route is not a code", () => {
  expect(parseLoginHash("#q8w7e6r5t4_-ABCDEF")).toEqual({ code: "q8w7e6r5t4_-ABCDEF" });
  expect(parseLoginHash("#q8w7e6r5t4_-ABCDEF/new/%2Fhome%2Fa")).toEqual({ code: "q8w7e6r5t4_-ABCDEF", route: "#/new/%2Fhome%2Fa" });
  expect([parseLoginHash(""), parseLoginHash("#/"), parseLoginHash("#/session/k3m9x2p7qa")]).toEqual([undefined, undefined, undefined]);
});
