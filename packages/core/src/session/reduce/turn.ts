import { omitUndefined } from "../../text/omit-undefined.ts";
import { isAfterCall } from "../../protocol/hook.ts";
import type { ToolResult } from "../../protocol/tool-call.ts";
import type { EventOf, LoggedEvent } from "../../protocol/event.ts";
import { sessionCost, costLimit } from "../usage/session-limits.ts";
import { openRequests, type SessionState, type Turn } from "../state.ts";
import { withClosedRequest, withoutRequests, withTurn } from "./update-state.ts";
import { withoutTrust } from "./request.ts";

/** The user let the turn continue at a limit. */
export function reduceLimitRaised(state: SessionState, { what, by, at }: LoggedEvent<EventOf<"limit.raised">>): SessionState {
  switch (what) {
    case "day":
      return withTurn({ ...state, dayRaise: { at, by } }, withoutRequests);
    case "cost":
      return withTurn(
        { ...state, costBudget: (state.costBudget ?? 0) + Math.max(0, sessionCost(state) - costLimit(state)) + by },
        withoutRequests,
      );
    case "steps":
      return withTurn(state, (turn) => withMoreSteps(withoutRequests(turn), by));
    case "time":
      return withTurn(state, (turn) => ({ ...withoutRequests(turn), timeBudgetMs: Math.max(turn.timeBudgetMs ?? 0, turn.workedMs) + by }));
    case "output":
      return withTurn(state, (turn) => ({ ...withoutRequests(turn), outputBudget: Math.max(turn.outputBudget ?? 0, turn.output) + by }));
  }
}

/** Only the limit that was reached is raised. */
function withMoreSteps(turn: Turn, by: number): Turn {
  const { inMode, budget, steps } = turn;
  return {
    ...turn,
    budget: steps >= budget ? budget + by : budget,
    inMode: inMode && inMode.steps >= inMode.budget ? { ...inMode, budget: inMode.budget + by } : inMode,
  };
}

/** Ends a turn and closes everything that is still open, so that every call has a result. */
export function reduceTurnEnded(state: SessionState, { reason, message, at }: LoggedEvent<EventOf<"turn.ended">>): SessionState {
  const unknown = state.calls.some((call) => call.result?.outcome === "unknown");
  const lastText = state.turn?.said;
  const lasting = state.servers.filter(isAboutServer);
  const closed = openRequests({ ...withoutTrust(state), servers: state.servers.filter((each) => !isAboutServer(each)) });
  return {
    ...closed.reduce<SessionState>((now, { id }) => withClosedRequest(now, { id, reason: "interrupted" }), state),
    turn: undefined,
    // A hook about the turn that still runs is ended. Only notifications go on.
    hooks: state.hooks.filter(
      ({ async, holds, event, outcome }) => !outcome && (async === true || (holds === undefined && !isAfterCall(event))),
    ),
    servers: lasting,
    calls: state.calls.map((call) =>
      call.phase === "done" ? call : { ...call, phase: "done", result: interruptedResult(call.phase === "running") },
    ),
    held: reason === "stopped" && state.queue.length > 0,
    lastTurn: {
      reason,
      unknown,
      endedAt: at,
      cost: state.usage.cost - (state.turn?.costBefore ?? state.usage.cost),
      ...omitUndefined({ message, said: lastText }),
    },
  };
}

/**
 * Whether a server may be used is asked for the workspace, so the question survives the turn. A question from a server does
 * not.
 */
const isAboutServer = ({ request }: SessionState["servers"][number]): boolean => request.kind === "approval";

/** The result of an interrupted call, as the model reads it. */
export const interruptedResult = (isRunning: boolean): ToolResult => ({
  outcome: "interrupted",
  text: isRunning
    ? "Stopped by the user before it finished. Everything that it had done until then remains."
    : "Stopped by the user before it started. Nothing was done.",
});
