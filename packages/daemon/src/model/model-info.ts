import type { ModelEntry } from "@baton/core/protocol/config/model";
import { FREE, type Price } from "./pricing.ts";

/** Facts about a model. Sizes are in tokens. Unknown facts are undefined. */
export type ModelInfo = {
  name?: string | undefined;
  contextWindow?: number | undefined;
  maxInput?: number | undefined;
  maxOutput?: number | undefined;
  price?: Price | undefined;
  /** The inputs that it reads besides text: `image`, `pdf`, ... */
  reads?: readonly string[] | undefined;
  callsTools?: boolean | undefined;
  reasons?: boolean | undefined;
  reasoningBack: boolean;
};

/** A snapshot of models.dev: providers by name, their models by id. */
export type ModelCatalogFile = Record<string, { name: string; env: readonly string[]; models: Record<string, ModelEntry> }>;

/** The snapshot that ships with Baton. Loaded on first use. */
export async function loadModelCatalog(): Promise<ModelCatalogFile> {
  return (await import("./model-catalog.json", { with: { type: "json" } })).default;
}

/** Adds the models of a newer catalog to those of an older one. A model in both has the newer facts. */
export function mergeCatalogs(older: ModelCatalogFile, newer: ModelCatalogFile): ModelCatalogFile {
  const names = new Set([...Object.keys(older), ...Object.keys(newer)]);
  const merged = [...names].map((name) => {
    const [before, after] = [older[name], newer[name]];
    return [name, { name, env: [], ...before, ...after, models: { ...before?.models, ...after?.models } }] as const;
  });
  return Object.fromEntries(merged);
}

/**
 * The facts about a model. The user's settings win over the snapshot. `local`: the model runs on this machine and is free. An id with a
 * date at its end means the model without the date.
 */
export function findModelInfo(
  known: Record<string, ModelEntry> | undefined,
  own: ModelEntry | undefined,
  id: string,
  local: boolean,
): ModelInfo {
  const entry = known?.[id] ?? known?.[id.replace(/[-@]\d{4}-?\d{2}-?\d{2}$/, "")];
  const { limit, cost, modalities, tool_call, reasoning, interleaved, name } = {
    ...entry,
    ...own,
    limit: { ...entry?.limit, ...own?.limit },
  };
  return {
    name,
    contextWindow: limit.context,
    maxInput: limit.input,
    maxOutput: limit.output,
    price: cost ?? (local ? FREE : undefined),
    reads: modalities?.input.filter((each) => each !== "text"),
    callsTools: tool_call,
    reasons: reasoning,
    reasoningBack: interleaved !== undefined,
  };
}
