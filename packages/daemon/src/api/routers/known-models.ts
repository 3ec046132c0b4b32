import { modelName } from "@baton/core/mode/override";
import type { Config } from "../../config/config-schema.ts";
import type { ModelRegistry } from "../../model/model-registry.ts";

/** A model that can be chosen, by the name under which it is asked for. Sizes are in tokens, prices in US dollars per million; absent where nobody said. */
export type KnownModel = {
  id: string;
  name?: string;
  contextWindow?: number;
  maxOutput?: number;
  price?: { input: number; output: number };
  /** What it reads besides text. */
  reads?: readonly string[];
};

/** Every model that is known by name: the default, those of modes, those of providers that can be used; each once, in this order. */
export function knownModels({ model, modes = {} }: Config, { all, facts }: Pick<ModelRegistry, "all" | "facts">): KnownModel[] {
  const named = [model, ...Object.values(modes).map((mode) => (typeof mode.model === "object" ? modelName(mode.model) : mode.model))];
  const ids = new Set([...named.filter((id) => id !== undefined), ...all().map(({ id }) => id)]);
  return [...ids].map((id) => {
    const { name, contextWindow, maxOutput, price, reads } = facts(id) ?? {};
    return {
      id,
      ...(name === undefined ? {} : { name }),
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(maxOutput === undefined ? {} : { maxOutput }),
      ...(price === undefined ? {} : { price: { input: price.input, output: price.output } }),
      ...(reads === undefined ? {} : { reads }),
    };
  });
}
