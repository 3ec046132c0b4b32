import { omitUndefined } from "../../text/omit-undefined.ts";
import type { HookEvent } from "../../protocol/hook.ts";
import type { EventOf } from "../../protocol/event.ts";
import type { CallId } from "../../protocol/ids.ts";
import type { SessionState } from "../state.ts";
import { withCall, withTurn } from "./update-state.ts";

/** The events whose runs are kept after their end: until the call, prompt or turn that they were about has gone on. */
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
export function reduceHookStarted(state: SessionState, { run }: EventOf<"hook.started">): SessionState {
  if (state.hooks.some(({ id }) => id === run.id)) return state;
  return {
    ...state,
    hooks: [...state.hooks, run],
    hooksOnce: run.once ? [...state.hooksOnce, run.hook.hash] : state.hooksOnce,
  };
}

/** A run has ended. A call gets the arguments that the hook gave it. */
export function reduceHookFinished(state: SessionState, { runId, outcome }: EventOf<"hook.finished">): SessionState {
  const run = state.hooks.find(({ id }) => id === runId);
  if (!run || run.outcome) return state;
  const hooks = DECIDING.has(run.event)
    ? state.hooks.map((each) => (each === run ? { ...each, outcome } : each))
    : state.hooks.filter((each) => each !== run);
  if (run.async) return { ...state, hooks };
  const changed = withChangedCall({ ...state, hooks }, run.about as CallId, outcome);
  if (!outcome.stop) return changed;
  return withTurn(changed, (turn) => ({ ...turn, ending: turn.ending ?? "denied", why: outcome.reason ?? STOPPED }));
}

const STOPPED = "A hook ended the turn.";

function withChangedCall(state: SessionState, id: CallId, { input, label }: EventOf<"hook.finished">["outcome"]): SessionState {
  return input === undefined ? state : withCall(state, id, { input, ...omitUndefined({ label }) });
}

/** Forgets runs of these events, because the effects that waited for them have continued. Asynchronous ones may still run. */
export function withoutHooks(state: SessionState, events: readonly HookEvent[]): SessionState {
  const hooks = state.hooks.filter(({ event, async, outcome }) => !events.includes(event) || (async === true && !outcome));
  return hooks.length === state.hooks.length ? state : { ...state, hooks };
}

/** Forgets the decisions about a call that has ended. */
export const withoutHooksOf = (state: SessionState, id: CallId): SessionState =>
  state.hooks.some(({ about, outcome }) => about === id && outcome)
    ? { ...state, hooks: state.hooks.filter(({ about, outcome }) => about !== id || !outcome) }
    : state;
