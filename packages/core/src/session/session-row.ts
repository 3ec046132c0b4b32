import type { TaskPlan } from "../protocol/event.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Status } from "./state.ts";

/** A session as a list shows it. Times are epoch milliseconds, `cost` is in US dollars. */
export type SessionRow = {
  id: SessionId;
  parentId: SessionId | null;
  workspace: string;
  title: string;
  /** The priority and the estimate of a delegated task; null for a session of the user, and for tasks of earlier versions. */
  task: TaskPlan | null;
  mode: string;
  model: string | null;
  status: Status;
  steps: number;
  cost: number;
  openRequests: number;
  archived: boolean;
  seq: number;
  createdAt: number;
  updatedAt: number;
};
