import { modelName } from "@baton/core/mode/override";
import type { Config } from "../config/schema.ts";

/** A model that can be chosen, by the name under which it is asked for. Sizes are in tokens; absent where nobody said. */
export type KnownModel = { id: string; name?: string; contextWindow?: number; maxOutput?: number };

/** Every model that the config names: the default, those of modes, those of its providers; each once, in this order. */
export function knownModels({ model, modes = {}, providers = {} }: Config): KnownModel[] {
  const known = new Map<string, KnownModel>();
  const named = [model, ...Object.values(modes).map((mode) => (typeof mode.model === "object" ? modelName(mode.model) : mode.model))];
  for (const id of named) if (id !== undefined) known.set(id, { id });
  for (const [provider, { models }] of Object.entries(providers))
    for (const [name, { contextWindow, maxOutput }] of Object.entries(models))
      known.set(`${provider}/${name}`, {
        id: `${provider}/${name}`,
        ...(contextWindow === undefined ? {} : { contextWindow }),
        ...(maxOutput === undefined ? {} : { maxOutput }),
      });
  return [...known.values()];
}
