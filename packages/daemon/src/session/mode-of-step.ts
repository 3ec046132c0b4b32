import { limitCoordinator } from "@baton/core/mode/limit-coordinator-to-origin";
import type { Mode, ModeSlug } from "@baton/core/protocol/mode";
import { coordinatedFrom } from "@baton/core/session/leave-coordinator-mode";
import type { SessionState } from "@baton/core/session/state";
import type { SessionDependencies } from "./session-dependencies.ts";

/** The mode of the step that is under way. Between steps, the mode of the session. */
export const modeOfStep = ({ mode, step }: Pick<SessionState, "mode" | "step">): ModeSlug => step?.mode ?? mode;

/** The modes whose hooks apply: that of the step that is under way, and that of the session, if it has changed since. */
export const hookModes = ({ mode, step }: Pick<SessionState, "mode" | "step">): readonly ModeSlug[] =>
  step === undefined || step.mode === mode ? [mode] : [step.mode, mode];

type InMode = Pick<SessionState, "mode" | "workspace"> & Partial<Pick<SessionState, "step" | "returnPoints">>;

/**
 * A mode of a session with what it allows there, by default the mode of the step. A coordinator that coordination started stays within
 * the mode that it came from. Undefined if the mode does not exist.
 */
export function modeInForce(
  state: InMode,
  { modes }: Pick<SessionDependencies, "modes">,
  slug: ModeSlug = state.step?.mode ?? state.mode,
): Mode | undefined {
  const { get } = modes(state.workspace);
  const mode = get(slug);
  const origin = originOfCoordination(state, slug);
  return mode && origin !== undefined ? limitCoordinator(mode, get(origin)) : mode;
}

/** The mode from which coordination put a session into this mode. Undefined if the user chose it, or if it is no coordinator. */
export const originOfCoordination = (
  { mode, step, returnPoints = [] }: InMode,
  slug: ModeSlug = step?.mode ?? mode,
): ModeSlug | undefined => coordinatedFrom({ mode: slug, returnPoints });
