import type { ModeSlug } from "@baton/core/protocol/mode";
import type { SessionState } from "@baton/core/session/state";

/** The mode of the step that is under way. Between steps, the mode of the session. */
export const modeOfStep = ({ mode, step }: Pick<SessionState, "mode" | "step">): ModeSlug => step?.mode ?? mode;

/** The modes whose hooks apply: that of the step that is under way, and that of the session, if it has changed since. */
export const hookModes = ({ mode, step }: Pick<SessionState, "mode" | "step">): readonly ModeSlug[] =>
  step === undefined || step.mode === mode ? [mode] : [step.mode, mode];
