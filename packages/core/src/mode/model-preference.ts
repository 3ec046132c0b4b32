import type { Mode } from "../protocol/mode.ts";
import { modelName } from "./override.ts";

/** Where models are named for a session. */
type Named = {
  turn?: { fallback?: string | undefined; model?: string | undefined } | undefined;
  model?: string | undefined;
  promptModel?: string | undefined;
};

/**
 * Which model is meant, first known one first: the one that stands in for a failed one, the one that the prompt of this
 * turn names, the session's, the mode's, the one that an earlier prompt named.
 */
export const preferredModels = ({ turn, model, promptModel }: Named, mode: Pick<Mode, "model"> | undefined): (string | undefined)[] => [
  turn?.fallback,
  turn?.model,
  model,
  mode?.model && modelName(mode.model),
  promptModel,
];

/** The model that the next step will be asked of; `usual` is the configured one. */
export const nextModel = (named: Named, mode: Pick<Mode, "model"> | undefined, usual: string | undefined): string | undefined =>
  preferredModels(named, mode).find((model) => model !== undefined) ?? usual;
