import type { ModelFault } from "../protocol/event.ts";

/** How often a step is attempted in all while the provider is unavailable. Restarts of the daemon count. */
export const MAX_ATTEMPTS = 10;

/** Each of these attempts may cost money. If another model is available, there is no reason to wait for this one. */
const FEW_ATTEMPTS = 3;

/** How often a model is asked after this kind of failure. `other`: another model would take over. */
export const maxAttempts = (code: ModelFault, { attempts, other }: { attempts: number; other: boolean }): number =>
  other || !isBusy(code) ? Math.min(FEW_ATTEMPTS, attempts) : attempts;

/** The provider did no work for this attempt and will probably answer later. */
const isBusy = (code: ModelFault): boolean =>
  code === "rate_limited" || code === "overloaded" || code === "unreachable" || code === "daemon_stopped";

/** How often the model of this step has been asked. */
export const attemptCount = ({ attempt, others = 0 }: { attempt: number; others?: number | undefined }): number => attempt - others;

/** Whether another model could succeed. It cannot if the request itself is wrong. */
export function mayFallBack(code: ModelFault): boolean {
  return mayRetry(code) ? code !== "daemon_stopped" : code === "unauthorized" || code === "not_found";
}

/** Whether asking the model again can help. It cannot if the request itself is wrong. */
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
