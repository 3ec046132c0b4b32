import type { ModelFault } from "../protocol/event.ts";

/** How often a step of the model is tried in all, restarts of the daemon included. */
export const MOST_ATTEMPTS = 3;

/** How often the model of this step has been asked by now. */
export const triesOf = ({ attempt, others = 0 }: { attempt: number; others?: number | undefined }): number => attempt - others;

/** Whether another model could answer what this one did not: all but what the request itself got wrong. */
export function mayFallBack(code: ModelFault): boolean {
  return mayRetry(code) ? code !== "daemon_stopped" : code === "unauthorized" || code === "not_found";
}

/** Whether asking the model again can help. What the request itself got wrong stays wrong. */
export function mayRetry(code: ModelFault): boolean {
  switch (code) {
    case "rate_limited":
    case "overloaded":
    case "unreachable":
    case "cut":
    case "timeout":
    case "malformed":
    case "daemon_stopped":
      return true;
    case "no_model":
    case "unauthorized":
    case "bad_request":
    case "not_found":
    case "overflow":
    case "bad_picture":
      return false;
  }
}
