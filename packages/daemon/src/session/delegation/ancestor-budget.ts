import type { SessionEvent } from "@baton/core/protocol/event";
import type { RequestAnswer } from "@baton/core/protocol/request";
import { sessionCost, costLimit, childSpending } from "@baton/core/session/usage/session-limits";
import type { SessionState, Turn } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";
import { askToContinue } from "../turn/ask-to-continue.ts";

/**
 * Asks whether to continue when a parent has reached its cost limit, including this session and its siblings. Undefined below
 * the limit.
 */
export function ancestorBudgetRequest(state: SessionState, session: Pick<EffectContext, "id" | "services">): SessionEvent | undefined {
  const { turn } = state;
  const over = turn && overAbove(state, session);
  if (!turn || !over) return undefined;
  const text = `The parent session has cost $${over.cost.toFixed(2)} including all subtasks. Its limit is $${over.most.toFixed(2)}.`;
  const more = `For up to $${over.limit.toFixed(2)} more.`;
  return askToContinue(turn.n, { name: "above", about: "parentBudget", text, more }, state, session);
}

/** Raises the limit by the same amount for all of them, or ends the turn. */
export function resolveAncestorBudget(
  turn: Turn,
  answer: RequestAnswer,
  state: SessionState,
  session: Pick<EffectContext, "id" | "services">,
): SessionEvent {
  if (answer.choice !== "continue")
    return {
      type: "turn.ended",
      reason: "limit",
      message: "Stopped at a limit: the parent session has reached its cost limit.",
    };
  const over = overAbove(state, session);
  const by = over ? over.cost - over.most + over.limit : (state.limits.cost ?? 0);
  return { type: "limit.raised", turn: turn.n, what: "cost", by };
}

/**
 * The nearest ancestor that has reached its limit. The current cost of this session counts, even if the ancestor has not
 * recorded it yet.
 */
function overAbove(
  state: SessionState,
  { id, services }: Pick<EffectContext, "id" | "services">,
): { cost: number; most: number; limit: number } | undefined {
  let child = { childId: id, ...childSpending(state) };
  for (let { parent } = state; parent;) {
    const live = services.children.live(parent.sessionId);
    if (!live) return undefined;
    const { childId } = child;
    const above = { ...live, below: [...live.below.filter((each) => each.childId !== childId), child] };
    const [cost, most] = [sessionCost(above), costLimit(above)];
    if (cost >= most) return { cost, most, limit: above.limits.cost ?? 0 };
    child = { childId: parent.sessionId, ...childSpending(above) };
    parent = above.parent;
  }
  return undefined;
}
