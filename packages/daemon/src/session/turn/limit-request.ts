import type { SessionEvent } from "@baton/core/protocol/event";
import { sessionCost, modeAtLimit, reachedLimit, type OwnLimit } from "@baton/core/session/usage/session-limits";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";
import { askToContinue } from "./ask-to-continue.ts";

/** Asks at a limit instead of ending the turn. */
export function limitRequest({ turn, what }: SessionEffectOf<"askLimit">, state: SessionState, session: EffectContext): SessionEvent {
  const { used, more } = words(what, state);
  return askToContinue(
    turn.n,
    { name: what, about: "limit", text: `${used}, which is its limit.`, more: `For up to ${more}.` },
    state,
    session,
  );
}

/** Raises the limit by the same amount, or ends the turn. */
export function resolveLimit({ turn, answer }: SessionEffectOf<"concludeTurn">, state: SessionState): SessionEvent {
  const what = reachedLimit(state) ?? "steps";
  if (answer.choice === "continue") return { type: "limit.raised", turn: turn.n, what, by: again(what, state) };
  return { type: "turn.ended", reason: "limit", message: `Stopped at a limit: ${lowered(words(what, state).used)}.` };
}

function again(what: OwnLimit, state: SessionState): number {
  const { stepLimit, limits } = state;
  switch (what) {
    case "steps":
      return modeAtLimit(state)?.most ?? stepLimit;
    case "time":
      return limits.timeMs ?? 0;
    case "cost":
      return limits.cost ?? 0;
    case "output":
      return limits.output ?? 0;
  }
}

function words(what: OwnLimit, state: SessionState): { used: string; more: string } {
  const more = again(what, state);
  switch (what) {
    case "steps":
      return { used: stepsTaken(state), more: `${more} more steps` };
    case "time":
      return { used: `This turn has worked for ${minutes(state.turn?.workedMs ?? 0)}`, more: `${minutes(more)} more` };
    case "cost":
      return {
        used: `This session has cost $${sessionCost(state).toFixed(2)}${state.below.length > 0 ? " including its subtasks" : ""}`,
        more: `$${more.toFixed(2)} more`,
      };
    case "output":
      return { used: `This turn has read ${millions(state.turn?.output ?? 0)} of results`, more: `${millions(more)} more` };
  }
}

function stepsTaken(state: SessionState): string {
  const inMode = modeAtLimit(state);
  return inMode
    ? `This turn has taken ${inMode.steps} steps in mode ${inMode.mode}`
    : `This turn has taken ${state.turn?.steps ?? 0} steps`;
}

const minutes = (ms: number): string => `${Math.round(ms / 6_000) / 10} minutes`;
const millions = (characters: number): string => `${(characters / 1e6).toFixed(1)} MB`;
const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
