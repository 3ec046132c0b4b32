/** The end of a growing text. `start`: the number of characters before it. */
export type TextTail = { start: number; text: string };

/** Adds a piece at its offset and keeps at most `most` characters. Text after the offset is replaced, so a resent piece does not appear twice. */
export function appendTail(tail: TextTail | undefined, piece: { offset: number; text: string }, most: number): TextTail {
  const { offset } = piece;
  const { start, text } = tail && offset >= tail.start && offset <= tail.start + tail.text.length ? tail : { start: offset, text: "" };
  const whole = text.slice(0, offset - start) + piece.text;
  const cut = Math.max(0, whole.length - most);
  return { start: start + cut, text: whole.slice(cut) };
}
