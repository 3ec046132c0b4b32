import type { Actor, Answer, Request } from "@baton/core/protocol/request";
import { BY_ITSELF } from "@baton/core/text/actor";
import { oneLine } from "@baton/core/text/clean";

const PLACES: Record<string, string> = {
  terminal: "in a terminal",
  run: "in a terminal, by baton run",
  cli: "in a terminal",
  page: "on the page",
  editor: "in the editor",
};

/** Where an answer came from, for the person who reads it here. `elsewhere` when it is known that it was not this page. */
export function answeredWhere(by: Actor | undefined, { here, elsewhere = false }: { here: boolean; elsewhere?: boolean }): string {
  if (here) return "by you, here";
  if (elsewhere && by && "person" in by && by.person === "page") return "by you, on another page";
  if (!by || !("person" in by)) return "by the daemon";
  return BY_ITSELF[by.person] ?? `by you, ${PLACES[by.person] ?? `in ${by.person}`}`;
}

const GIVEN: Record<string, string> = {
  once: "Allowed once",
  session: "Allowed for this session",
  workspace: "Allowed for this workspace",
  deny: "Refused",
};

/** What was answered, in a few words. */
export function answerGiven({ choice, text }: Answer, { choices }: Pick<Request, "choices">): string {
  const label = choices.find(({ id }) => id === choice)?.label;
  return GIVEN[choice ?? ""] ?? `Answered “${oneLine(label ?? text ?? "")}”`;
}
