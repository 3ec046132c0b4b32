import type { Actor } from "../protocol/request.ts";

const TERMINALS: Record<string, string> = { terminal: "", cli: "", run: ", by baton run" };

const PLACES: Record<string, string> = { page: "on the page", editor: "in the editor" };

/** The client that answers as it was told beforehand, with nobody there. */
export const UNATTENDED = "unattended";

/** Those whose answers no person gave. */
export const BY_ITSELF: Readonly<Record<string, string>> = { demo: "by the demo itself", [UNATTENDED]: "by baton run, with nobody to ask" };

/** Where an answer came from, for the person who reads it in a terminal. `elsewhere` when it is known that it was not this one. */
export function answeredWhere(by: Actor | undefined, { here, elsewhere = false }: { here: boolean; elsewhere?: boolean }): string {
  if (here) return "by you, here";
  if (!by || !("person" in by)) return "by the daemon";
  const itself = BY_ITSELF[by.person];
  if (itself !== undefined) return itself;
  const terminal = TERMINALS[by.person];
  const place = terminal === undefined ? (PLACES[by.person] ?? `in ${by.person}`) : `in ${elsewhere ? "another" : "a"} terminal${terminal}`;
  return `by you, ${place}`;
}

export const nameOf = (by: Actor): string => ("person" in by ? by.person : "the daemon");
