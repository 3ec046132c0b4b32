import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Actor, RequestAnswer, Request } from "@baton/core/protocol/request";
import { Rule } from "@baton/core/protocol/rule";
import { reduceSession } from "@baton/core/session/reduce";
import type { Call, SessionState } from "@baton/core/session/state";
import { asksForTrust, UNTRUSTED_FOLDER } from "@baton/core/text/rule-text";
import { UNATTENDED } from "@baton/core/text/request/answer-origin";
import { askingToolContext } from "./asking-tool-context.ts";
import { answeredQuestionEvents } from "./answered-question-events.ts";
import { enterCoordinator, canEnterCoordinator, type LackingCall } from "../../coordination/run-coordination.ts";
import { createGrant } from "./create-grant.ts";
import { checkSessionCall, checkCallWithPlan, deniedResult, toolFinishedEvent, writesFiles } from "./judge-call.ts";
import { requestApproval, previewCall, questionRequest } from "./approval-request.ts";
import { mayToolAppear } from "../../servers/server-requests.ts";
import type { AskingTool, UserQuestion } from "../../../tool/tool-types.ts";
import type { EffectContext } from "../../effects/effect-context.ts";

/**
 * Applies the answer to a call's request. If the call would now do something else than was shown, a granted rule still counts,
 * and whatever it does not cover is asked again.
 */
export async function resolveApproval(call: Call, state: SessionState, session: EffectContext): Promise<SessionEvent[]> {
  const { answer, request } = call;
  if (!answer || !request) throw new Error(`call ${call.id} is answered but holds no answer`);
  const by = call.answeredBy ?? { daemon: true };
  if (answer.choice === "deny") return [toolFinishedEvent(call, refusedBy(by, answer, request.verdicts))];
  if (mayToolAppear(call, state, session) || unreadMode(state, session)) return []; // the answer remains, and counts once that is decided
  const checked = await checkCallWithPlan(call, state, session);
  if (!checked) return []; // as before
  if ("result" in checked)
    return checked.lacking
      ? resolveCoordination({ call }, answer, checked.result, state, session)
      : [toolFinishedEvent(call, checked.result)];
  const { tool, input, verdict } = checked;
  if (checked.beyondMode) return resolveCoordination({ call, beyond: verdict.why }, answer, deniedResult(verdict), state, session);
  if (verdict.effect === "deny") return [toolFinishedEvent(call, deniedResult(verdict))];
  if (tool.kind === "asking") return concludeQuestion(call, tool, input, answer, state, session);
  const preview = await previewCall(call, tool, input, verdict, state, session);
  if (!preview) return [];
  const isStale = preview.hash !== request.hash;
  const remembered = await storeGrantedRule(request, answer, by, state, session);
  if (isStale && !isGranted(call, remembered, state, session))
    return [...remembered, requestApproval(preview, call, tool, input, verdict, state, session)];
  return [...remembered, { type: "tool.allowed", callId: call.id, verdict, writes: writesFiles(verdict), answeredBy: by }];
}

/** If the question would now have another consequence than was shown, such as another mode, it is asked again. */
async function concludeQuestion(
  call: Call,
  tool: AskingTool,
  input: unknown,
  answer: RequestAnswer,
  state: SessionState,
  session: EffectContext,
): Promise<SessionEvent[]> {
  const by = call.answeredBy ?? { daemon: true };
  const context = await askingToolContext(state, session, by);
  const question = tool.ask(input, context);
  if (!("outcome" in question) && call.request && !isAsShown(question, call.request)) {
    const request = questionRequest(call, tool, input, question, state, session);
    return [{ type: "request.opened", request: { ...request, text: `${CHANGED} ${request.text}` } }];
  }
  return answeredQuestionEvents(call, tool.answered(input, answer, context), by, state, session);
}

const CHANGED = "This differs from what was shown before.";

const isAsShown = (question: UserQuestion, { header, text, view, choices }: Request): boolean =>
  JSON.stringify([question.header, question.text, question.view, question.choices]) ===
  JSON.stringify([header, text.replace(`${CHANGED} `, ""), view, choices]);

/** Whether the mode may be in an unreadable file, so that nobody knows what it allows. */
const unreadMode = (state: SessionState, { services }: EffectContext): boolean => {
  const { get, unread } = services.modes(state.workspace);
  const slug = state.step?.mode ?? state.mode;
  return get(slug) === undefined && unread(slug) !== undefined;
};

/** Whether the rules allow the call, including the new grant. */
function isGranted(call: Call, remembered: readonly SessionEvent[], state: SessionState, session: EffectContext): boolean {
  const at = session.services.clock.now();
  const after = remembered.reduce((draft, event) => reduceSession(draft, { ...event, seq: 0, at }), state);
  const checked = checkSessionCall(call, after, session);
  return "verdict" in checked && checked.verdict.effect === "allow";
}

/** Applies the answer to the question whether the coordinator should decide. */
function resolveCoordination(
  missing: LackingCall,
  { choice }: RequestAnswer,
  result: ToolResult,
  state: SessionState,
  session: EffectContext,
): SessionEvent[] {
  const { call } = missing;
  const approval = { by: call.answeredBy ?? { daemon: true as const }, requestId: call.request?.id };
  return choice === "accept" && canEnterCoordinator(state)
    ? enterCoordinator(missing, state, session, approval)
    : [toolFinishedEvent(call, result)];
}

/** Stores the rule that the user granted: in the session's log, for the workspace, or for all workspaces. */
export async function storeGrantedRule(
  request: Request,
  answer: RequestAnswer,
  by: Actor,
  state: SessionState,
  session: EffectContext,
): Promise<SessionEvent[]> {
  const { choice } = answer;
  const rule = answer.rule ? Rule.parse(answer.rule) : request.remember;
  if (!rule || (choice !== "session" && choice !== "workspace")) return [];
  const scope = answer.rule?.scope ?? choice;
  const grant = createGrant(rule, scope, request, state, session.services.clock.now());
  if (scope === "session") return [{ type: "grant.given", grant, by }];
  await session.services.permissions.grantToWorkspace(state.workspace, grant);
  return [];
}

function denialText(by: Actor): string {
  if (!("person" in by)) return "The daemon refused this call.";
  return by.person === UNATTENDED ? "This call needs the user's approval." : "The user denied this call.";
}

function refusedBy(by: Actor, { note }: RequestAnswer, verdicts: Request["verdicts"]): ToolResult {
  const isUnattended = "person" in by && by.person === UNATTENDED;
  const cause = isUnattended && asksForTrust(verdicts ?? []) ? ` It asks because ${UNTRUSTED_FOLDER}.` : "";
  const why = cause === "" ? note && `“${note}”` : UNTRUSTED_FOLDER;
  const noteText = note ? ` ${isUnattended ? "" : "They say: "}${note}` : "";
  return {
    outcome: "denied",
    text: `${denialText(by)}${cause}${noteText} Do not try to get around this.`,
    end: why === undefined ? "refused" : `refused: ${why}`,
  };
}
