import { isAccessRequest } from "@baton/core/protocol/request-traits";
import type { RequestAnswer, RequestChoice, Request } from "@baton/core/protocol/request";
import { sanitize, escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { approvalTitle } from "@baton/core/text/request/approval-title";
import { stripMarkdown } from "@baton/core/text/strip-markdown";
import { capitalize } from "../text/strings.ts";

/** The parts of a request that its title is made of. */
export type RequestText = Pick<Request, "kind" | "text" | "header" | "subject">;

/** Whether the request is about a call. Only these have a tool, and a text that names the action. */
export const isApproval = ({ kind, subject }: Pick<Request, "kind" | "subject">): boolean => kind === "approval" && "call" in subject;

export const requestTitle = ({ kind, text, header, subject }: RequestText): string =>
  sanitize(kind === "approval" ? header : text).trim() || ("call" in subject ? "A question" : "Continue?");

/** The title without the marks of a question's Markdown. */
export const plainTitle = (request: RequestText): string =>
  request.kind === "approval" ? requestTitle(request) : stripMarkdown(requestTitle(request));

/** A request in one line: the verb and object of a call, otherwise its title. */
export const requestSummary = (request: RequestText): string =>
  isApproval(request) ? capitalize(escapeInvisible(request.text)) : plainTitle(request);

/**
 * The effect of allowing the request: `Run npm test?`, `Delete data.bin?`. A long command has a general headline, because it follows in
 * full.
 */
export function requestHeadline(request: Pick<Request, "kind" | "text" | "header" | "subject" | "tool" | "view">): string {
  if (!isApproval(request)) return plainTitle(request).split("\n")[0] ?? "";
  const { tool = "", text, view } = request;
  if (tool.includes("__")) return approvalTitle(tool);
  const object = oneLine(escapeInvisible(text.slice(text.indexOf(" ") + 1)));
  const verb = view?.type === "diff" && HEADLINE_VERBS[tool] ? DIFF_VERBS[view.change] : HEADLINE_VERBS[tool];
  return verb === undefined || object === "" || object.length > MAX_HEADLINE || text.includes("\n")
    ? requestTitle(request)
    : `${verb} ${object}?`;
}

const MAX_HEADLINE = 72;

/** Tools whose label says what happens. */
const HEADLINE_VERBS: Readonly<Record<string, string>> = {
  run_command: "Run",
  edit_file: "Edit",
  write_file: "Write",
  delete_file: "Delete",
  move_file: "Move",
  rename_symbol: "Rename",
  read_file: "Read",
  list_files: "List",
  search_text: "Search for",
  fetch_url: "Fetch",
  web_search: "Search the web for",
  stop_command: "Stop",
};
const DIFF_VERBS = { create: "Create", change: "Edit", delete: "Delete" } as const;

/** The choices of an approval always have the same keys. A choice that a request lacks keeps its place. */
const APPROVAL_CHOICES: readonly RequestChoice[] = [
  { id: "once", label: "Allow once" },
  { id: "session", label: "This session" },
  { id: "workspace", label: "This workspace" },
  { id: "deny", label: "Deny" },
];

/** The choices in the order of their keys. `offered` is false for one that this request lacks. */
export function orderedChoices(request: Pick<Request, "kind" | "subject" | "choices">): { choice: RequestChoice; offered: boolean }[] {
  const isUsual = isAccessRequest(request) && request.choices.every(({ id }) => APPROVAL_CHOICES.some((usual) => usual.id === id));
  if (!isUsual) return request.choices.map((choice) => ({ choice, offered: true }));
  return APPROVAL_CHOICES.map((usual) => {
    const own = request.choices.find(({ id }) => id === usual.id);
    return { choice: own ?? usual, offered: own !== undefined };
  });
}

/** The kind of question, if it says more than the title. */
export function requestKind(request: RequestText): string | undefined {
  const header = sanitize(request.header).trim();
  return request.kind === "approval" || header === "" || header === "Question" || header === requestTitle(request) ? undefined : header;
}

const ANSWER_TEXTS: Record<string, string> = {
  once: "Allowed once",
  session: "Allowed for this session",
  workspace: "Allowed for this workspace",
  deny: "Denied",
};

/** The answer in a few words. */
export function answerText({ choice, text }: RequestAnswer, { choices }: Pick<Request, "choices">): string {
  const label = choices.find(({ id }) => id === choice)?.label;
  return ANSWER_TEXTS[choice ?? ""] ?? `Answered “${oneLine(label ?? text ?? "")}”`;
}
