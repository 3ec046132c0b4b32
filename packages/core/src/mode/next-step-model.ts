import type { Mode } from "../protocol/mode.ts";
import { modelName } from "./mode-override.ts";

/** The places where a session may name a model. */
type ModelNames = {
  turn?: { fallback?: string | undefined; model?: string | undefined } | undefined;
  model?: string | undefined;
  promptModel?: string | undefined;
};

/**
 * The models for the next step in order of preference: the fallback for a failed model, the model of this turn's prompt, the model of
 * the session, the model of the mode, and the model that an earlier prompt named. Undefined where none is named.
 */
export const preferredModels = (
  { turn, model, promptModel }: ModelNames,
  mode: Pick<Mode, "model"> | undefined,
): (string | undefined)[] => [turn?.fallback, turn?.model, model, mode?.model && modelName(mode.model), promptModel];

/** The model that the next step will use. `usual`: the configured default. */
export const nextModel = (named: ModelNames, mode: Pick<Mode, "model"> | undefined, usual: string | undefined): string | undefined =>
  preferredModels(named, mode).find((model) => model !== undefined) ?? usual;
