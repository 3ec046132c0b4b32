/** Where an arrow key leads from a card: up and down in its column, left and right to the card at the same height of the next column. */
export function cardAfter(columns: readonly (readonly string[])[], from: string, key: string): string | undefined {
  const at = columns.findIndex((ids) => ids.includes(from));
  const ids = columns[at];
  if (!ids) return undefined;
  const nth = ids.indexOf(from);
  switch (key) {
    case "ArrowDown":
      return ids[nth + 1];
    case "ArrowUp":
      return ids[nth - 1];
    case "Home":
      return ids[0];
    case "End":
      return ids.at(-1);
    case "ArrowRight":
    case "ArrowLeft": {
      const others = key === "ArrowRight" ? columns.slice(at + 1) : columns.slice(0, at).toReversed();
      const next = others.find(({ length }) => length > 0);
      return next?.[Math.min(nth, next.length - 1)];
    }
    default:
      return undefined;
  }
}
