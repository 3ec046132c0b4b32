import type { EventOf } from "../../protocol/event.ts";
import type { CallId } from "../../protocol/ids.ts";
import { UNATTENDED } from "../../text/request/answer-origin.ts";
import { callKey, rememberCall } from "../loop-detection.ts";
import { imageCharacters } from "../context/context-budget.ts";
import type { SessionState } from "../state.ts";
import { reduceCheckFinished } from "./check.ts";
import { withoutHooksOf } from "./hook.ts";
import { withClosedRequest, withCall, withTurn } from "./update-state.ts";

/** Folds the result of a call. */
export function reduceCallFinished(state: SessionState, event: EventOf<"tool.finished">): SessionState {
  const call = state.calls.find((c) => c.id === event.callId);
  if (!call || call.phase === "done") return state;
  if (call.check) return reduceCheckFinished(withoutRequest(withoutHooksOf(state, event.callId), event.callId, "withdrawn"), call, event);
  const recent = rememberCall(state.recent, callKey(call));
  const next = withCall(
    withoutRequest(
      {
        ...withoutHooksOf(state, event.callId),
        recent,
        since: state.since + event.result.text.length + imageCharacters(event.result.images),
      },
      event.callId,
      "withdrawn",
    ),
    event.callId,
    {
      phase: "done",
      result: event.result,
      ...(event.awaitsDiagnostics ? { awaitsDiagnostics: true } : {}),
    },
  );
  const deniedSteps = deniedStepsAfter(next);
  return withTurn(next, (turn) => ({
    ...turn,
    deniedSteps,
    ...(deniedSteps >= MAX_DENIED_STEPS ? { ending: "denied" as const, why: DENIED_AGAIN } : {}),
    workedMs: turn.workedMs + (event.tookMs ?? 0),
    output: turn.output + event.result.text.length,
    denied: event.result.outcome === "denied" && call.answer !== undefined ? true : event.result.outcome === "ok" ? false : turn.denied,
    ...(event.result.ends ? { ending: event.result.ends, said: event.result.text } : {}),
  }));
}

/** Folds the new errors after the edits of a step. Their texts add to what the model reads. */
export function reduceDiagnosticsReported(state: SessionState, { calls }: EventOf<"diagnostics.reported">): SessionState {
  const added = calls.reduce((sum, { text }) => sum + text.length, 0);
  const known = state.calls.map(({ awaitsDiagnostics: _, ...call }) => call);
  return withTurn({ ...state, calls: known, since: state.since + added }, (turn) => ({ ...turn, output: turn.output + added }));
}

/** A model that continues after this many denied steps does not understand, and each step costs money. */
const MAX_DENIED_STEPS = 5;
const DENIED_AGAIN = `The calls of ${MAX_DENIED_STEPS} steps in a row were all denied, and nobody was there to answer.`;

/**
 * Counted when the last call of a step has its result. A denial by the user does not count, because the agent learns from it.
 */
function deniedStepsAfter({ turn, calls }: SessionState): number {
  const own = calls.filter(({ outside }) => !outside);
  const before = turn?.deniedSteps ?? 0;
  if (own.some(({ phase }) => phase !== "done")) return before;
  const alone = own.every(
    ({ result, answeredBy: by }) => result?.outcome === "denied" && !(by && "person" in by && by.person !== UNATTENDED),
  );
  return alone ? before + 1 : 0;
}

/** Closes the request of a call that continues without an answer because a grant now covers it, or that ends without one. */
export function withoutRequest(state: SessionState, id: CallId, reason: "granted" | "withdrawn" = "granted"): SessionState {
  const waiting = state.calls.find((call) => call.id === id && call.phase === "waiting");
  return waiting?.request ? withClosedRequest(state, { id: waiting.request.id, reason }) : state;
}
