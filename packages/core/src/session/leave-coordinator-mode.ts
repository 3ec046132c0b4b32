import { transitionEvents } from "../mode/mode-transition.ts";
import type { SessionEvent } from "../protocol/event.ts";
import type { ModeSlug } from "../protocol/mode.ts";
import type { SessionState } from "./state.ts";

export const COORDINATOR_MODE = "coordinator";

type Coordinating = Pick<SessionState, "mode" | "modeSince" | "returnPoints" | "turn" | "queue" | "held">;

/** The mode to which the session returns after coordination. Undefined unless coordination has put it into the coordinator. */
export function coordinatedFrom({ mode, returnPoints }: Pick<Coordinating, "mode" | "returnPoints">): ModeSlug | undefined {
  const last = returnPoints.at(-1);
  return mode === COORDINATOR_MODE && last?.origin === "coordination" ? last.mode : undefined;
}

/** Whether coordination has ended without a switch: no turn is running, and no prompt is about to start one. */
export function isCoordinationOver(state: Coordinating): boolean {
  return !state.turn && coordinatedFrom(state) !== undefined && (state.held || !state.queue.some(isAboutCoordination));
}

/** Returns to the mode from which coordination started. Prompts that coordination left in the queue are withdrawn. */
export function leaveCoordinatorMode(state: Coordinating, now: number): SessionEvent[] {
  const to = coordinatedFrom(state);
  if (to === undefined) return [];
  const withdrawn = state.queue.filter(isAboutCoordination).map(({ promptId }): SessionEvent => ({ type: "prompt.withdrawn", promptId }));
  const reason = "the coordinator ended without a switch";
  return [...withdrawn, ...transitionEvents(state, { to, origin: "coordination", reason, by: { daemon: true } }, now)];
}

const isAboutCoordination = ({ synthetic }: SessionState["queue"][number]): boolean => synthetic === "coordination";
