import type { Actor } from "../protocol/request.ts";

const PLACES: Record<string, string> = {
  terminal: "in another terminal",
  run: "in another terminal, by baton run",
  cli: "in another terminal",
  page: "on the page",
  editor: "in the editor",
  demo: "the demo itself",
};

/** Where an answer came from, for the person who reads it here. */
export function answeredWhere(by: Actor | undefined, here: boolean): string {
  if (here) return "by you, here";
  if (!by || !("person" in by)) return "by the daemon";
  return by.person === "demo" ? "by the demo itself" : `by you, ${PLACES[by.person] ?? `in ${by.person}`}`;
}

export const nameOf = (by: Actor): string => ("person" in by ? by.person : "the daemon");
