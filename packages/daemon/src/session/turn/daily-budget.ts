import type { SessionEvent } from "@baton/core/protocol/event";
import type { RequestAnswer } from "@baton/core/protocol/request";
import type { SessionState, Turn } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { askToContinue } from "./ask-to-continue.ts";

/** Asks whether to continue when all sessions together have reached the daily budget. Undefined below it. */
export function dailyBudgetRequest(state: SessionState, session: Pick<EffectContext, "id" | "services">): SessionEvent | undefined {
  const { spending } = session.services;
  const budget = spending.budget();
  const spent = spending.today();
  if (!state.turn || budget === undefined || spent < budget + raisedToday(state, session.services)) return undefined;
  const text = `All sessions together have cost $${spent.toFixed(2)} today. The daily limit is $${budget.toFixed(2)}.`;
  const more = `In this session, for up to $${budget.toFixed(2)} more.`;
  return askToContinue(state.turn.n, { name: "day", about: "dailyBudget", text, more }, state, session);
}

/** Raises the budget by the same amount for this session, or ends the turn. */
export function resolveDailyBudget(turn: Turn, answer: RequestAnswer, state: SessionState, services: SessionDependencies): SessionEvent {
  const budget = services.spending.budget() ?? 0;
  if (answer.choice === "continue") {
    const by = Math.max(0, services.spending.today() - budget) + budget; // in total beyond the daily budget
    return { type: "limit.raised", turn: turn.n, what: "day", by };
  }
  return { type: "turn.ended", reason: "limit", message: "Stopped at a limit: all sessions together have reached the daily limit." };
}

const raisedToday = ({ dayRaise }: SessionState, { spending }: SessionDependencies): number =>
  dayRaise && spending.isToday(dayRaise.at) ? dayRaise.by : 0;
