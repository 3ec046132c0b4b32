import { omitUndefined } from "../../text/omit-undefined.ts";
import type { EventOf } from "../../protocol/event.ts";
import { callsToKeep, withCall, withTurn } from "./update-state.ts";
import type { Call, CheckRun, SessionState } from "../state.ts";

/** The `synthetic` of prompts with the output of checks that failed. */
export const CHECK_ORIGIN = "check";

/** Adds a call that belongs to no reply: of another agent, or a check of the daemon. */
export function reduceCallReceived(state: SessionState, { call, check }: EventOf<"call.received">): SessionState {
  const kept = callsToKeep(state.calls);
  if (!check) return { ...state, calls: [...kept, { ...call, phase: "requested", writes: true, outside: true }] };
  const next: SessionState = { ...state, calls: [...state.calls, { ...call, phase: "requested", writes: true, check }] };
  return withTurn(next, (turn) => {
    const run: CheckRun = { command: check.command, callId: call.id, at: turn.changes };
    return { ...turn, checked: turn.checked + 1, checks: [...turn.checks.filter(({ command }) => command !== check.command), run] };
  });
}

/** Folds the result of a check. It counts as work of the turn, but says nothing about the calls of the model. */
export function reduceCheckFinished(state: SessionState, call: Call, { result, tookMs = 0 }: EventOf<"tool.finished">): SessionState {
  const { outcome, end } = result;
  return withTurn(withCall(state, call.id, { phase: "done", result }), (turn) => ({
    ...turn,
    workedMs: turn.workedMs + tookMs,
    checks: turn.checks.map((run) => (run.callId === call.id ? { ...run, outcome, ...omitUndefined({ end }) } : run)),
  }));
}

/** Counts a changed file of the turn. A check does not cause further checks by what it changes. */
export function reduceFileChanged(state: SessionState, { callId, path, after }: EventOf<"file.changed">): SessionState {
  if (state.calls.some(({ id, check }) => id === callId && check)) return state;
  return withTurn(state, (turn) => ({ ...turn, changes: turn.changes + 1, changed: { ...turn.changed, [path]: after !== null } }));
}

/** The model is about to read the output of all checks that failed. A turn that would have ended continues because of them. */
export const markChecksAsRead = (state: SessionState): SessionState =>
  withTurn(state, (turn) => ({
    ...turn,
    continued: turn.continued + (turn.ending === undefined ? 0 : 1),
    checks: turn.checks.map((run) => (run.outcome === undefined ? run : { ...run, told: true as const })),
  }));
