import type { TaskSchedule } from "../protocol/event.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { SessionRunStatus } from "./state.ts";

/** The default length of a list of sessions. */
export const DEFAULT_SESSION_LIST_LENGTH = 500;

/** A change of the list of sessions. `whole`: `rows` replaces the list. */
export type ListChange<R> = { whole: boolean; rows: readonly R[]; gone: readonly string[] };

/** Applies a change to a list, most recently changed first. Older daemons always send the whole list as an array. */
export function applyListChange<R extends { id: string; updatedAt: number }>(
  before: readonly R[],
  change: ListChange<R> | readonly R[],
): readonly R[] {
  if (!("whole" in change)) return change;
  if (change.whole) return change.rows;
  const others = new Set([...change.rows.map(({ id }) => id), ...change.gone]);
  return [...change.rows, ...before.filter(({ id }) => !others.has(id))]
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, DEFAULT_SESSION_LIST_LENGTH);
}

/** A session in a list. Times are epoch milliseconds, `cost` is in US dollars. */
export type SessionRow = {
  id: SessionId;
  parentId: SessionId | null;
  workspace: string;
  title: string;
  /** The priority and the estimate of a delegated task. Null for sessions of the user, and for tasks of earlier versions. */
  task: TaskSchedule | null;
  mode: string;
  model: string | null;
  status: SessionRunStatus;
  steps: number;
  cost: number;
  openRequests: number;
  archived: boolean;
  seq: number;
  createdAt: number;
  updatedAt: number;
};
