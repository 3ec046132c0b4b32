import type { LoggedEvent } from "../protocol/event.ts";
import type { AppliedFile, PlaceEvent, PlaceSnapshot, PlaceStep, StepOutcome } from "../protocol/place.ts";

/**
 * `creating` and `restoring`: git works on it. `ready`: it can be worked in. `failed`: it could not be created. `interrupted`: the daemon
 * stopped during a step, and the outcome is unknown. `removed`: its folder is gone and its snapshot can be restored.
 */
export type PlaceStatus = "creating" | "ready" | "failed" | "interrupted" | "removing" | "removed" | "restoring";

type Requested = Omit<Extract<PlaceEvent, { type: "place.requested" }>, "type" | "by">;

/** A place, folded from its events. Times are epoch milliseconds. */
export type PlaceState = Requested & {
  status: PlaceStatus;
  /** The step that is running, or that the daemon's end interrupted. */
  step: { name: PlaceStep; startedAt: number; files: readonly AppliedFile[] } | null;
  /** The problem of the last step, if it had one. */
  message: string | null;
  /** The newest snapshot. */
  snapshot: PlaceSnapshot | null;
  /** How the setup of the place ended, and the end of its output. Null if none ran. */
  prepared: { hash: string; outcome: StepOutcome; output: string } | null;
  /** The last changes that were applied to the source folder and not undone. */
  applied: readonly AppliedFile[];
  createdAt: number;
  updatedAt: number;
};

/** Folds the events of a place. Undefined before its first event. An event that does not fit changes nothing. */
export function reducePlace(state: PlaceState | undefined, event: LoggedEvent<PlaceEvent>): PlaceState | undefined {
  if (event.type === "place.requested") {
    const { type: _, by: _by, seq: _seq, at, ...requested } = event;
    return state ?? { ...requested, ...NEW, createdAt: at, updatedAt: at };
  }
  if (!state) return state;
  const now = { ...state, updatedAt: event.at };
  if (event.type === "place.stepStarted")
    return {
      ...now,
      status: STARTED[event.step] ?? state.status,
      step: { name: event.step, startedAt: event.at, files: event.files ?? [] },
      message: null,
    };
  const { step, outcome, message = null, snapshot = state.snapshot, files = [], setup, output = "" } = event;
  if (state.step?.name !== step) return state;
  return {
    ...now,
    status: outcome === "unknown" && step !== "prepare" ? "interrupted" : finished(state, step, outcome === "succeeded"),
    step: outcome === "unknown" && step !== "prepare" ? state.step : null,
    message,
    snapshot,
    prepared: setup === undefined ? state.prepared : { hash: setup, outcome, output },
    applied: appliedAfter(state, event.step, files),
  };
}

const NEW = { status: "creating", step: null, message: null, snapshot: null, prepared: null, applied: [] } satisfies Partial<PlaceState>;

/** The status while a step runs. Other steps leave it as it is. */
const STARTED: Partial<Record<PlaceStep, PlaceStatus>> = { create: "creating", remove: "removing", restore: "restoring" };

/** The status after a step with a known outcome. A failed removal leaves the place ready, and a failed restoration leaves it removed. */
function finished({ status }: PlaceState, step: PlaceStep, succeeded: boolean): PlaceStatus {
  switch (step) {
    case "create":
      return succeeded ? "ready" : "failed";
    case "remove":
      return succeeded ? "removed" : "ready";
    case "restore":
      return succeeded ? "ready" : "removed";
    case "prepare":
    case "save":
    case "apply":
    case "revert":
      return status;
  }
}

function appliedAfter({ applied }: PlaceState, step: PlaceStep, files: readonly AppliedFile[]): readonly AppliedFile[] {
  if (step === "apply") return files.length > 0 ? files : applied;
  if (step !== "revert") return applied;
  const reverted = new Set(files.map(({ path }) => path));
  return applied.filter(({ path }) => !reverted.has(path));
}
