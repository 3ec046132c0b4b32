import { omitUndefined } from "@baton/core/text/omit-undefined";
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationSchema,
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import { isAccessRequest } from "@baton/core/protocol/request-traits";
import type { RequestAnswer, RequestChoice, Request, InboxItem } from "@baton/core/protocol/request";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { requestReason } from "@baton/core/text/request/request-reason";
import { ruleText } from "@baton/core/text/rule-text";
import { toContent, changedLines, textContent } from "./tool-call-content.ts";
import { toolKind } from "@baton/core/tool/tool-table";

/** The option that lets the user type the answer as the next prompt. */
export const TYPED = "baton:typed";

/** Converts a request to the protocol's permission request: the exact action, the rule that asks, and the choices. */
export function toPermissionRequest(item: InboxItem, sessionId: string): RequestPermissionRequest {
  const { subject, workspace, tool, header, text, view, input } = item;
  const isCall = item.kind === "approval" && "call" in subject;
  const [detail, why] = [toContent(view, escapeInvisible(text), workspace), reasonText(item)];
  return {
    sessionId,
    toolCall: {
      toolCallId: requestCall(item, sessionId) ?? item.id,
      title: escapeInvisible(isCall ? text : header),
      kind: toolKind(tool ?? ""),
      status: "pending",
      content: [
        ...(isCall || view === undefined ? [] : [textContent(escapeInvisible(text))]),
        ...detail,
        ...(why === "" ? [] : [textContent(why)]),
      ],
      ...changedLines(view, workspace),
      ...omitUndefined({ name: tool, rawInput: input }),
    },
    options: permissionOptions(item),
  };
}

/**
 * The call that a request is about, if it is a call of this session. Calls of subtasks have their own ids, which may be
 * equal.
 */
const requestCall = (item: InboxItem, sessionId: string): string | undefined =>
  item.sessionId === sessionId && "call" in item.subject ? item.subject.call : undefined;

function permissionOptions(item: InboxItem): PermissionOption[] {
  // This client cannot fill in forms: it can decline a form or leave it to another client.
  const choices = item.kind === "form" ? item.choices.slice(1) : item.choices;
  return [
    ...choices.map((choice) => ({ optionId: choice.id, name: choiceName(choice, item), kind: optionKind(choice, item) })),
    ...(item.kind === "question" && item.freeText
      ? [{ optionId: TYPED, name: "Type an answer as the next prompt", kind: "reject_once" as const }]
      : []),
  ];
}

/** A choice that remembers a rule shows the rule. */
function choiceName({ id, label }: RequestChoice, { remember }: Request): string {
  return remember !== undefined && (id === "session" || id === "workspace") ? `${label}: ${escapeInvisible(ruleText(remember))}` : label;
}

function optionKind({ id }: RequestChoice, { kind, choices }: Request): PermissionOptionKind {
  if (LASTING.has(id)) return "allow_always";
  if (id === "restrict") return "reject_always";
  if (REFUSALS.has(id)) return "reject_once";
  return kind === "question" || id === choices[0]?.id ? "allow_once" : "reject_once";
}

/** Answers that Baton remembers. A client that allows a single call automatically must not give them. */
const LASTING: ReadonlySet<string> = new Set(["session", "workspace", "trust", "accept_with_grants"]);
const REFUSALS = new Set(["deny", "stop", "stay", "decline", "cancel"]);

function reasonText(item: InboxItem): string {
  const { kind, folder, mode } = item;
  if (kind === "form") return "Fill in its fields with `baton inbox`, in the browser or in the terminal client.";
  if (!isAccessRequest(item)) return "";
  return `${requestReason(item)} Mode ${mode}${folder === undefined ? "" : `, in ${escapeInvisible(folder)}`}.`;
}

/** Whether clients with forms show a request as a form. Approvals and links have their own kind of request. */
export const isForm = ({ kind, view }: Request): boolean => kind !== "approval" && view?.type !== "link";

/** Converts a question to a form: the user picks a choice or types an answer. */
export function toElicitation(item: InboxItem, sessionId: string): CreateElicitationRequest {
  const { header, text, view } = item;
  const toolCallId = requestCall(item, sessionId);
  const detail = view?.type === "text" && item.kind !== "form" ? `\n\n${view.text}` : "";
  return {
    mode: "form",
    sessionId,
    ...omitUndefined({ toolCallId }),
    message: escapeInvisible(`${header}: ${text}`) + detail,
    requestedSchema: item.kind === "form" ? { type: "object", ...item.fields } : questionSchema(item),
  };
}

function questionSchema({ choices, freeText }: Request): ElicitationSchema {
  const described = ({ id, label, description }: RequestChoice) => ({
    const: id,
    title: label,
    ...omitUndefined({ description }),
  });
  return {
    type: "object",
    properties: {
      ...(choices.length === 0 ? {} : { choice: { type: "string" as const, title: "Answer", oneOf: choices.map(described) } }),
      ...(freeText ? { text: { type: "string" as const, title: "In your own words" } } : {}),
    },
    required: freeText || choices.length === 0 ? [] : ["choice"],
  };
}

/** Converts a filled-in form to an answer. Undefined if the user did not answer; the request then stays open. */
export function elicitationAnswer({ kind, choices }: Request, response: CreateElicitationResponse): RequestAnswer | undefined {
  const last = choices.at(-1)?.id;
  switch (response.action) {
    case "accept": {
      const content: Record<string, unknown> = {
        ...("content" in response && typeof response.content === "object" ? response.content : {}),
      };
      if (kind === "form") return { choice: "accept", fields: content };
      const { choice, text } = content;
      if (typeof text === "string" && text.trim() !== "") return { text };
      return typeof choice === "string" && choice !== "" ? { choice } : undefined;
    }
    case "decline":
      if (kind === "form") return { choice: "decline" };
      return last === undefined ? { text: "The user does not want to answer." } : { choice: last };
    default:
      return undefined;
  }
}
