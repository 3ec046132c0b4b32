import type { Request, Answer } from "@baton/core/protocol/request";
import { sanitize, escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { capitalize } from "../text/format.ts";

/** The parts of a request that its title is made of. */
export type RequestText = Pick<Request, "kind" | "text" | "header" | "subject">;

/** Whether the request is about a call. */
export const isApproval = ({ kind, subject }: Pick<Request, "kind" | "subject">): boolean => kind === "approval" && "call" in subject;

export const requestTitle = ({ kind, text, header, subject }: RequestText): string =>
  sanitize(kind === "approval" ? header : text).trim() || ("call" in subject ? "A question" : "Continue?");

/** A request in one line: the verb and object of a call, otherwise its title. */
export const requestSummary = (request: RequestText): string =>
  isApproval(request) ? capitalize(escapeInvisible(request.text)) : requestTitle(request);

/** What would happen if the user allows it: `Run npm test?`, `Delete data.bin?`. A long command is cut, because it follows in full. */
export function requestHeadline(request: RequestText): string {
  if (!isApproval(request)) return requestTitle(request).split("\n")[0] ?? "";
  const summary = oneLine(requestSummary(request));
  return `${summary.length > MAX_HEADLINE ? `${summary.slice(0, MAX_HEADLINE).trimEnd()} …` : summary}?`;
}

const MAX_HEADLINE = 120;

/** The kind of question, if it says more than the title. */
export function requestKind(request: RequestText): string | undefined {
  const header = sanitize(request.header).trim();
  return request.kind === "approval" || header === "" || header === "Question" || header === requestTitle(request) ? undefined : header;
}

const ANSWER_TEXTS: Record<string, string> = {
  once: "Allowed once",
  session: "Allowed for this session",
  workspace: "Allowed for this workspace",
  deny: "Refused",
};

/** The answer in a few words. */
export function answerText({ choice, text }: Answer, { choices }: Pick<Request, "choices">): string {
  const label = choices.find(({ id }) => id === choice)?.label;
  return ANSWER_TEXTS[choice ?? ""] ?? `Answered “${oneLine(label ?? text ?? "")}”`;
}
