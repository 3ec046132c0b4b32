import { builtinModes } from "@baton/core/mode/index";
import type { Mode } from "@baton/core/protocol/mode";

/** What a person's config says of a mode, by its slug. */
export type ModeSettings = Readonly<Record<string, { model?: string | undefined }>>;

/** Every mode there is, each with what the config says of it. */
export const modesWith = (settings: ModeSettings): Mode[] =>
  builtinModes.map((mode) => {
    const model = settings[mode.slug]?.model ?? mode.model;
    return model === undefined ? mode : { ...mode, model };
  });
