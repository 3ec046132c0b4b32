import type { LimitKind } from "../protocol/event.ts";
import type { SessionState, Turn } from "./state.ts";

/** Limits of one session; that of the day is of all together. */
export type OwnLimit = Exclude<LimitKind, "day">;

/** Which limit the session has come to, if any: steps, working time (milliseconds) and results (characters) of a turn, money (US dollars) of the session. */
export function reachedLimit(state: SessionState): OwnLimit | undefined {
  const { turn } = state;
  if (!turn) return undefined;
  if (turn.steps >= turn.budget || modeAtLimit(state)) return "steps";
  if (turn.timeBudgetMs !== undefined && turn.workedMs >= turn.timeBudgetMs) return "time";
  if (turn.outputBudget !== undefined && turn.output >= turn.outputBudget) return "output";
  return sessionCost(state) >= costLimit(state) ? "cost" : undefined;
}

/** What a session has cost with all that it has delegated, in US dollars. */
export const sessionCost = ({ usage, below }: Spending): number => below.reduce((sum, { cost }) => sum + cost, usage.cost);

/** What that may come to before it asks: where a person let a child go on for more, that much more. */
export const costLimit = ({ costBudget, below }: Spending): number =>
  costBudget === undefined ? Infinity : below.reduce((sum, { raised }) => sum + raised, costBudget);

/** What a child tells its parent of its spending. */
export const childSpending = (child: Spending & Pick<SessionState, "limits">): Omit<SessionState["below"][number], "childId"> => ({
  cost: sessionCost(child),
  raised: child.costBudget === undefined ? 0 : Math.max(0, costLimit(child) - (child.limits.cost ?? 0)),
});

type Spending = Pick<SessionState, "usage" | "below" | "costBudget">;

/** The limit of its own mode that the turn has come to; a limit of a mode that was left means nothing any more. */
export function modeAtLimit({ turn, mode }: Pick<SessionState, "turn" | "mode">): NonNullable<Turn["inMode"]> | undefined {
  const inMode = turn?.inMode;
  return inMode?.mode === mode && inMode.steps >= inMode.budget ? inMode : undefined;
}
