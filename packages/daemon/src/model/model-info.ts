import type { ModelEntry } from "@baton/core/protocol/model";
import { FREE, type Price } from "./pricing.ts";

/** What is known of a model. Sizes are in tokens; what nobody said is absent. */
export type ModelInfo = {
  name?: string | undefined;
  contextWindow?: number | undefined;
  maxInput?: number | undefined;
  maxOutput?: number | undefined;
  price?: Price | undefined;
  /** What it reads besides text: `image`, `pdf`, ... */
  reads?: readonly string[] | undefined;
  callsTools?: boolean | undefined;
  reasons?: boolean | undefined;
  reasoningBack: boolean;
};

/** A snapshot of what models.dev says: providers by name, their models by id. */
export type ModelCatalogFile = Record<string, { name: string; env: readonly string[]; models: Record<string, ModelEntry> }>;

/** The snapshot that comes with Baton. Loaded when it is first wanted. */
export async function loadModelCatalog(): Promise<ModelCatalogFile> {
  return (await import("./model-catalog.json", { with: { type: "json" } })).default;
}

/**
 * What the person says of a model counts more than the snapshot. `local`: it runs on this machine and costs nothing. An id
 * with a date at its end is the model of that name.
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
