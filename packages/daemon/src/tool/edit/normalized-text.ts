/** A text in a simpler spelling. `at(i)`: the offset in the original at which character `i` of `text` begins. `at(text.length)`: its end. */
export type NormalizedText = { text: string; at: (index: number) => number };

export type TextNormalizer = (original: string) => NormalizedText;

/** Makes a fold that replaces every match of `pattern`. A match in the folded text can be found again in the original. */
export function normalizeWith(pattern: RegExp, replace: (found: string) => string): TextNormalizer {
  return (original) => {
    const pieces: { folded: number; original: number; width: number; length: number }[] = [];
    let text = "";
    let copied = 0;
    for (const { 0: found, index } of original.matchAll(pattern)) {
      text += original.slice(copied, index);
      const simple = replace(found);
      pieces.push({ folded: text.length, original: index, width: simple.length, length: found.length });
      text += simple;
      copied = index + found.length;
    }
    text += original.slice(copied);
    return { text, at: pieces.length === 0 ? (index) => index : (index) => offsetIn(pieces, index) };
  };
}

type Piece = { folded: number; original: number; width: number; length: number };

/** The offset of a folded index, by the last piece that begins before it. An index inside a piece counts as its end. */
function offsetIn(pieces: readonly Piece[], index: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(pieces[middle], index)) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low - 1];
  if (!piece) return index;
  return piece.original + piece.length + Math.max(0, index - piece.folded - piece.width);
}

/** A removed piece, such as trailing blanks, belongs to what is before it. */
const isBefore = (piece: Piece | undefined, index: number): boolean =>
  piece !== undefined && (piece.width === 0 ? piece.folded <= index : piece.folded < index);
