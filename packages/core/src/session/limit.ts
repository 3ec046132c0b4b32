import type { LimitKind } from "../protocol/event.ts";
import type { SessionState } from "./state.ts";

/** Which limit the session has come to, if any: steps, working time (milliseconds) and results (characters) of a turn, money (US dollars) of the session. */
export function reachedLimit({ turn, usage, costBudget }: SessionState): LimitKind | undefined {
  if (!turn) return undefined;
  if (turn.steps >= turn.budget) return "steps";
  if (turn.timeBudgetMs !== undefined && turn.workedMs >= turn.timeBudgetMs) return "time";
  if (turn.outputBudget !== undefined && turn.output >= turn.outputBudget) return "output";
  return costBudget !== undefined && usage.cost >= costBudget ? "cost" : undefined;
}
