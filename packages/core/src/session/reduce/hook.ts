import type { HookEvent } from "../../protocol/hook.ts";
import type { EventOf } from "../../protocol/event.ts";
import type { CallId } from "../../protocol/ids.ts";
import type { SessionState } from "../state.ts";
import { withCall, withTurn } from "./helpers.ts";

/** The events whose decision counts after the run: until the call, prompt or turn that waited for it has gone on. */
const DECIDING: ReadonlySet<HookEvent> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "UserPromptSubmit",
  "SessionStart",
  "Stop",
  "SubagentStop",
  "PreCompact",
]);

/** A hook begins to run. */
export function hookStarted(state: SessionState, { run }: EventOf<"hook.started">): SessionState {
  if (state.hooks.some(({ id }) => id === run.id)) return state;
  return {
    ...state,
    hooks: [...state.hooks, run],
    hooksOnce: run.once ? [...state.hooksOnce, run.hook.hash] : state.hooksOnce,
  };
}

/** A run has ended. A call gets the arguments that the hook gave it. */
export function hookFinished(state: SessionState, { runId, outcome }: EventOf<"hook.finished">): SessionState {
  const run = state.hooks.find(({ id }) => id === runId);
  if (!run || run.outcome) return state;
  const counts = DECIDING.has(run.event) && !run.async;
  const hooks = counts
    ? state.hooks.map((each) => (each === run ? { ...each, outcome } : each))
    : state.hooks.filter((each) => each !== run);
  const changed = withChangedCall({ ...state, hooks }, run.about as CallId, outcome);
  if (run.async || !outcome.stop) return changed;
  return withTurn(changed, (turn) => ({ ...turn, ending: turn.ending ?? "denied", why: outcome.reason ?? STOPPED }));
}

const STOPPED = "A hook ended the turn.";

function withChangedCall(state: SessionState, id: CallId, { input, label }: EventOf<"hook.finished">["outcome"]): SessionState {
  return input === undefined ? state : withCall(state, id, { input, ...(label ? { label } : {}) });
}

/** Forgets runs of these events, because what waited for them has gone on. */
export const withoutHooks = (state: SessionState, events: readonly HookEvent[]): SessionState =>
  state.hooks.some(({ event, async }) => !async && events.includes(event))
    ? { ...state, hooks: state.hooks.filter(({ event, async }) => async === true || !events.includes(event)) }
    : state;
