import type { Actor } from "../../protocol/request.ts";

/** The client that answers by the flags it was started with, when no user can be asked. */
export const UNATTENDED = "unattended";

const WITHOUT_USER: Readonly<Record<string, string>> = { demo: "by the demo itself", [UNATTENDED]: "by baton run, without a user to ask" };

/** The kinds of client that show where an answer came from. */
export type ClientKind = "terminal" | "page" | "editor";

const PLACES: Readonly<Record<ClientKind, { here: string; another: string }>> = {
  terminal: { here: "in a terminal", another: "in another terminal" },
  page: { here: "on the page", another: "on another page" },
  editor: { here: "in the editor", another: "in another window of the editor" },
};

const KINDS: Readonly<Record<string, ClientKind>> = {
  terminal: "terminal",
  cli: "terminal",
  run: "terminal",
  page: "page",
  editor: "editor",
};

/** Where an answer came from, as a part of a sentence. `reader` is the client that shows it; `elsewhere` if it did not answer itself. */
export function answerOrigin(
  by: Actor | undefined,
  { reader, here, elsewhere = false }: { reader: ClientKind; here: boolean; elsewhere?: boolean },
): string {
  if (here) return "by you, here";
  if (!by || !("person" in by)) return "by the daemon";
  return WITHOUT_USER[by.person] ?? `by you, ${originOf(by.person, elsewhere ? reader : undefined)}`;
}

function originOf(client: string, reader: ClientKind | undefined): string {
  const kind = KINDS[client];
  if (kind === undefined) return `in ${client}`;
  return `${PLACES[kind][kind === reader ? "another" : "here"]}${client === "run" ? ", by baton run" : ""}`;
}

/** The name of the client that answered. */
export const clientName = (by: Actor): string => ("person" in by ? by.person : "the daemon");
