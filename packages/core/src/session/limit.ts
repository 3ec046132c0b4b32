import type { LimitKind } from "../protocol/event.ts";
import type { SessionState, Turn } from "./state.ts";

/** Limits of one session; that of the day is of all together. */
export type OwnLimit = Exclude<LimitKind, "day">;

/** Which limit the session has come to, if any: steps, working time (milliseconds) and results (characters) of a turn, money (US dollars) of the session. */
export function reachedLimit(state: SessionState): OwnLimit | undefined {
  const { turn, usage, costBudget } = state;
  if (!turn) return undefined;
  if (turn.steps >= turn.budget || modeAtLimit(state)) return "steps";
  if (turn.timeBudgetMs !== undefined && turn.workedMs >= turn.timeBudgetMs) return "time";
  if (turn.outputBudget !== undefined && turn.output >= turn.outputBudget) return "output";
  return costBudget !== undefined && usage.cost >= costBudget ? "cost" : undefined;
}

/** The limit of its own mode that the turn has come to; a limit of a mode that was left means nothing any more. */
export function modeAtLimit({ turn, mode }: Pick<SessionState, "turn" | "mode">): NonNullable<Turn["inMode"]> | undefined {
  const inMode = turn?.inMode;
  return inMode?.mode === mode && inMode.steps >= inMode.budget ? inMode : undefined;
}
