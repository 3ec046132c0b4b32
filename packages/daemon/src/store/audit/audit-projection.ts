import type { LoggedEvent, WorkspaceEvent } from "@baton/core/protocol/event";
import type { Actor, RequestAnswer, Request } from "@baton/core/protocol/request";
import type { AccessVerdict, SourcedRule, Rule } from "@baton/core/protocol/rule";
import { clientName } from "@baton/core/text/request/answer-origin";
import { asksForTrust, isFallback, ruleText, UNTRUSTED_FOLDER } from "@baton/core/text/rule-text";

/** The decision: `granted` and `revoked` are about a rule for later calls, the others about one call or question. */
type Decision = "allowed" | "denied" | "granted" | "revoked";

/** A decision of a session. `by` is the client in which the user decided, `rule` if a rule did, or `the daemon`. */
export type AuditRow = {
  /** Epoch milliseconds. */
  at: number;
  seq: number;
  decision: Decision;
  by: string;
  /** The tool of the call. Empty if the decision is about a rule or about the session. */
  tool: string;
  /** The resource of the call, or the subject of the question. */
  what: string;
  /** The rule with its source, or the answer with its note. */
  why: string;
};

/** The tool of a call, and its label. */
export type AuditCall = { tool: string; object: string };

/** The knowledge of a session while its events are read in order. Only open requests and calls of the session are kept. */
export type AuditState = {
  calls: Map<string, AuditCall>;
  requests: Map<string, Request>;
  grants: Map<string, Rule>;
  answered: Set<string>;
};

export const emptyAudit = (): AuditState => ({ calls: new Map(), requests: new Map(), grants: new Map(), answered: new Set() });

/** Folds one event. Returns the decision that it records, if it records one. */
export function foldAudit(state: AuditState, event: LoggedEvent): AuditRow | undefined {
  const place = { at: event.at, seq: event.seq };
  if (event.type === "request.opened") {
    state.requests.set(event.request.id, event.request);
    return undefined;
  }
  if (event.type === "request.answered") {
    const request = state.requests.get(event.requestId);
    state.requests.delete(event.requestId);
    return request && answerRow(state, request, event.answer, event.by, place);
  }
  if (event.type === "tool.allowed") {
    const { verdict, answeredBy, callId } = event;
    if (answeredBy !== undefined) return undefined; // the answer is a row already
    const call = state.calls.get(callId);
    const why = verdict.rule ? sourcedRuleText(verdict.rule) : verdict.why;
    return {
      ...place,
      decision: "allowed",
      by: "rule",
      tool: call?.tool ?? "",
      what: accessText(verdict.accesses) || (call?.object ?? ""),
      why,
    };
  }
  if (event.type === "tool.finished") {
    if (event.result.outcome !== "denied" || state.answered.has(event.callId)) return undefined;
    const call = state.calls.get(event.callId);
    return {
      ...place,
      decision: "denied",
      by: "rule",
      tool: call?.tool ?? "",
      what: call?.object ?? "",
      why: event.result.end ?? event.result.text,
    };
  }
  if (event.type === "grant.given") {
    state.grants.set(event.grant.id, event.grant.rule);
    const why = `for this ${event.grant.scope === "user" ? "user" : event.grant.scope}`;
    return { ...place, decision: "granted", by: clientName(event.by), tool: "", what: ruleText(event.grant.rule), why };
  }
  if (event.type === "grant.revoked") {
    const rule = state.grants.get(event.grantId);
    return { ...place, decision: "revoked", by: clientName(event.by), tool: "", what: rule ? ruleText(rule) : event.grantId, why: "" };
  }
  return undefined;
}

/** The decision that an event of a folder records. Folders keep grants for all of their sessions, trust, and approved servers. */
export function workspaceRow(state: AuditState, event: LoggedEvent<WorkspaceEvent>): AuditRow | undefined {
  if (event.type === "grant.given" || event.type === "grant.revoked") return foldAudit(state, event);
  const row = { at: event.at, seq: event.seq, by: clientName(event.by), tool: "", why: "" };
  switch (event.type) {
    case "workspace.trusted":
      return { ...row, decision: "allowed", what: "trust in this folder" };
    case "workspace.restricted":
      return { ...row, decision: "denied", what: "trust in this folder" };
    case "setup.approved":
      return { ...row, decision: "allowed", what: `the setup of places (${event.hash.slice(0, 10)})` };
    case "hooks.approved":
      return { ...row, decision: "allowed", what: `hooks (${shortHashes(event.hashes)})` };
    case "hooks.refused":
      return { ...row, decision: "denied", what: `hooks (${shortHashes(event.hashes)})` };
    case "tools.approved":
      return { ...row, decision: "allowed", what: `tools (${shortHashes(event.hashes)})` };
    case "tools.refused":
      return { ...row, decision: "denied", what: `tools (${shortHashes(event.hashes)})` };
    case "server.approved":
      return { ...row, decision: "allowed", what: `MCP server ${event.server}` };
    case "server.refused":
      return { ...row, decision: "denied", what: `MCP server ${event.server}` };
  }
}

const shortHashes = (hashes: readonly string[]): string => hashes.map((hash) => hash.slice(0, 10)).join(", ");

/** Answers to questions of the agent decide nothing about permissions, so they are no rows. */
function answerRow(
  state: AuditState,
  request: Request,
  answer: RequestAnswer,
  by: Actor,
  place: Pick<AuditRow, "at" | "seq">,
): AuditRow | undefined {
  const { kind, subject, choices, tool = "", text, header, verdicts, rule } = request;
  const isDenied = answer.choice === "deny";
  if ("call" in subject && isDenied) state.answered.add(subject.call);
  if (kind !== "approval" && !("workspace" in subject)) return undefined;
  const call = "call" in subject ? state.calls.get(subject.call) : undefined;
  const label = choices.find(({ id }) => id === answer.choice)?.label ?? answer.choice ?? "";
  const edited = answer.rule ? `, rule: ${ruleText(answer.rule)}` : "";
  const note = answer.note === undefined ? "" : `: ${answer.note}`;
  const isCause = rule?.source !== UNTRUSTED_FOLDER || asksForTrust(verdicts ?? []);
  const asked = isDenied && rule && !isFallback(rule) && isCause ? ` (asked by ${sourcedRuleText(rule)})` : "";
  return {
    ...place,
    decision: isDenied || answer.choice === "restrict" ? "denied" : "allowed",
    by: clientName(by),
    tool: tool || (call?.tool ?? ""),
    what: accessText(verdicts ?? []) || (call?.object ?? "") || text || header,
    why: `${label}${edited}${note}${asked}`,
  };
}

const accessText = (accesses: readonly AccessVerdict[]): string =>
  [...new Set(accesses.map(({ action, resource }) => `${action} ${resource}`))].join(", ");

const sourcedRuleText = (rule: SourcedRule): string => `${rule.effect} ${ruleText(rule)} (${rule.source})`;
