export type TextChunk = { from: number; text: string; last: boolean };

/** Characters that fit a message of 1 MB in any encoding. */
const MAX_CHUNK_LENGTH = 150_000;

/** Splits a text into chunks that fit one message each; at least one. The last chunk is marked. */
export function chunkText(text: string, most = MAX_CHUNK_LENGTH): TextChunk[] {
  const count = Math.max(1, Math.ceil(text.length / most));
  return Array.from({ length: count }, (_, i) => ({
    from: i * most,
    text: text.slice(i * most, (i + 1) * most),
    last: i === count - 1,
  }));
}
