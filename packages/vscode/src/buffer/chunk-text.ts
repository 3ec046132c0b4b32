export type TextChunk = { from: number; text: string; last: boolean };

/** Letters that fit a frame of 1 MB whatever they are. */
const MAX_CHUNK_LENGTH = 150_000;

/** A text in pieces that fit a frame each; at least one, and the last of them is marked. */
export function chunkText(text: string, most = MAX_CHUNK_LENGTH): TextChunk[] {
  const count = Math.max(1, Math.ceil(text.length / most));
  return Array.from({ length: count }, (_, i) => ({
    from: i * most,
    text: text.slice(i * most, (i + 1) * most),
    last: i === count - 1,
  }));
}
