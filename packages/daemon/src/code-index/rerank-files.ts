import { createHash } from "node:crypto";
import type { RankedFile } from "./find-excerpts.ts";

/** Orders found files by their meaning. `note`: why that was not possible, as a sentence. The files then stay in their order. */
export type RerankFiles = (query: string, found: readonly RankedFile[], signal: AbortSignal) => Promise<Reordered>;
type Reordered = { found: readonly RankedFile[]; note?: string };

/** An embedding model. `name`: as in the settings. `embed`: embeds texts in their order. */
type EmbeddingModel = { name: string; embed: (texts: readonly string[], signal: AbortSignal) => Promise<number[][]> };

/** The results wait this long for the embedding model. */
const WAIT_MS = 10_000;
/** An embedding of 1,536 numbers takes 6 KB. */
const MAX_KEPT = 1_000;
/** As in reciprocal rank fusion: the larger it is, the less the first places count. */
const FUSION = 10;
/** The user chose the embedding model, so its order counts more than the order by words. */
const MEANING = 2;

/**
 * Creates functions that combine the order by words with the order by the similarity of embeddings. Only files that were found by words are
 * embedded, so nothing else leaves the machine, and no vector is stored on disk. The embeddings of unchanged excerpts are reused.
 */
export function openReranker(): (model: EmbeddingModel) => RerankFiles {
  const known = new Map<string, Float32Array>();

  async function embedAll({ name, embed }: EmbeddingModel, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const keys = texts.map((text) => createHash("sha256").update(`${name}\n${text}`).digest("base64"));
    const missing = [...new Set(keys)].filter((key) => !known.has(key));
    const vectors =
      missing.length === 0
        ? []
        : await embed(
            missing.map((key) => texts[keys.indexOf(key)] ?? ""),
            signal,
          );
    const fresh = new Map(missing.map((key, i) => [key, normalized(vectors[i] ?? [])]));
    const all = keys.map((key) => fresh.get(key) ?? known.get(key) ?? new Float32Array());
    for (const [key, vector] of fresh) known.set(key, vector);
    for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - MAX_KEPT))) known.delete(oldest);
    return all;
  }

  return (model) => async (query, found, signal) => {
    if (found.length < 2) return { found };
    const enough = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
    try {
      const [asked, ...vectors] = await embedAll(model, [query, ...found.map(textOf)], enough);
      return {
        found: fused(
          found,
          vectors.map((vector) => similarity(asked ?? new Float32Array(), vector)),
        ),
      };
    } catch (error) {
      signal.throwIfAborted();
      const why = enough.aborted ? `no answer within ${WAIT_MS / 1_000} s` : error instanceof Error ? error.message : String(error);
      return { found, note: `The embedding model ${model.name} could not order the results (${why}), so only their words did.` };
    }
  };
}

/** The text of a file that is embedded: its path and its best parts. */
const textOf = ({ path, excerpts }: RankedFile): string =>
  [path, ...excerpts.flatMap(({ symbol, lines }) => [...(symbol === undefined ? [] : [symbol]), ...lines])].join("\n");

/** Reciprocal rank fusion of both orders. */
function fused(found: readonly RankedFile[], similarities: readonly number[]): RankedFile[] {
  const byMeaning = found.map((_, i) => i).toSorted((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0));
  const rank = new Map(byMeaning.map((i, at) => [i, at]));
  const scores = found.map((_, i) => 1 / (FUSION + i) + MEANING / (FUSION + (rank.get(i) ?? found.length)));
  return found
    .map((each, i) => [each, scores[i] ?? 0] as const)
    .toSorted((a, b) => b[1] - a[1])
    .map(([each]) => each);
}

function normalized(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

const similarity = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
