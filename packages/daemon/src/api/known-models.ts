import { omitUndefined } from "@baton/core/text/omit-undefined";
import { modelName } from "@baton/core/mode/mode-override";
import type { Config } from "../config/config-schema.ts";
import type { ModelRegistry } from "../model/model-registry.ts";

/**
 * A model to choose, by the name with which it is requested. Sizes are in tokens, prices in US dollars per million tokens.
 * Unknown values are absent.
 */
type KnownModel = {
  id: string;
  name?: string;
  contextWindow?: number;
  maxOutput?: number;
  price?: { input: number; output: number };
  /** The other inputs that it reads besides text. */
  reads?: readonly string[];
};

/** Every model that is known by name, once, in this order: the default, those of modes, those of usable providers. */
export function knownModels({ model, modes = {} }: Config, { all, facts }: Pick<ModelRegistry, "all" | "facts">): KnownModel[] {
  const named = [model, ...Object.values(modes).map((mode) => (typeof mode.model === "object" ? modelName(mode.model) : mode.model))];
  const ids = new Set([...named.filter((id) => id !== undefined), ...all().map(({ id }) => id)]);
  return [...ids].map((id) => {
    const { name, contextWindow, maxOutput, price, reads } = facts(id) ?? {};
    return {
      id,
      ...omitUndefined({ name, contextWindow, maxOutput }),
      ...(price === undefined ? {} : { price: { input: price.input, output: price.output } }),
      ...omitUndefined({ reads }),
    };
  });
}
