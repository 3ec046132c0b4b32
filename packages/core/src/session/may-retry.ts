import type { ModelFault } from "../protocol/event.ts";

/** How often a step of the model is tried in all, restarts of the daemon included. */
export const MOST_ATTEMPTS = 3;

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
      return false;
  }
}
