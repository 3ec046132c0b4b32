import type { LimitKind } from "../../protocol/event.ts";
import type { SessionState, Turn } from "../state.ts";

/** Limits of one session. The daily limit applies to all sessions together. */
export type OwnLimit = Exclude<LimitKind, "day">;

/**
 * The limit that the session has reached, if any: steps, working time (milliseconds) and results (characters) of a turn, or
 * cost (US dollars) of the session.
 */
export function reachedLimit(state: SessionState): OwnLimit | undefined {
  const { turn } = state;
  if (!turn) return undefined;
  if (turn.steps >= turn.budget || modeAtLimit(state)) return "steps";
  if (turn.timeBudgetMs !== undefined && turn.workedMs >= turn.timeBudgetMs) return "time";
  if (turn.outputBudget !== undefined && turn.output >= turn.outputBudget) return "output";
  return sessionCost(state) >= costLimit(state) ? "cost" : undefined;
}

/** The cost of a session with all of its subtasks, in US dollars. */
export const sessionCost = ({ usage, below }: Spending): number => below.reduce((sum, { cost }) => sum + cost, usage.cost);

/** The cost at which the session asks. It grows by what the user allowed its children in addition. */
export const costLimit = ({ costBudget, below }: Spending): number =>
  costBudget === undefined ? Infinity : below.reduce((sum, { raised }) => sum + raised, costBudget);

/** The spending that a child reports to its parent. */
export const childSpending = (child: Spending & Pick<SessionState, "limits">): Omit<SessionState["below"][number], "childId"> => ({
  cost: sessionCost(child),
  raised: child.costBudget === undefined ? 0 : Math.max(0, costLimit(child) - (child.limits.cost ?? 0)),
});

type Spending = Pick<SessionState, "usage" | "below" | "costBudget">;

/** The step limit of the mode that the turn is in, if it is reached. Limits of a mode that was left no longer apply. */
export function modeAtLimit({ turn, mode }: Pick<SessionState, "turn" | "mode">): NonNullable<Turn["inMode"]> | undefined {
  const inMode = turn?.inMode;
  return inMode?.mode === mode && inMode.steps >= inMode.budget ? inMode : undefined;
}
