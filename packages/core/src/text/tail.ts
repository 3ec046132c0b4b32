/** The end of a growing text. `start` counts in the text the characters that come before it. */
export type Tail = { start: number; text: string };

/** The text again after a piece of it came. What came before is overwritten, so that nothing stands twice after a lost connection. */
export function appendTail(tail: Tail | undefined, piece: { offset: number; text: string }, most: number): Tail {
  const { offset } = piece;
  const { start, text } = tail && offset >= tail.start && offset <= tail.start + tail.text.length ? tail : { start: offset, text: "" };
  const whole = text.slice(0, offset - start) + piece.text;
  const cut = Math.max(0, whole.length - most);
  return { start: start + cut, text: whole.slice(cut) };
}
