import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { ModelError } from "./model-port.ts";

/** Providers accept at least so many texts in one request. */
const MAX_AT_ONCE = 64;

/** Embeds texts in their order. */
export async function embedTexts(model: EmbeddingModelV4, texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
  const most = Math.min(MAX_AT_ONCE, (await model.maxEmbeddingsPerCall) ?? MAX_AT_ONCE);
  const batches = Array.from({ length: Math.ceil(texts.length / most) }, (_, i) => texts.slice(i * most, (i + 1) * most));
  const embedded: number[][] = [];
  for (const batch of batches) {
    const { embeddings } = await model.doEmbed({ values: [...batch], abortSignal: signal });
    if (embeddings.length !== batch.length || embeddings.some((each) => each.length !== embeddings[0]?.length))
      throw new ModelError("malformed", "The embedding model answered with another number of vectors or dimensions.");
    embedded.push(...embeddings);
  }
  return embedded;
}
