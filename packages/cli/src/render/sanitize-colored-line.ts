import { sanitize } from "@baton/core/text/sanitize";
import { graphemes, displayWidth } from "./layout.ts";

const ESC = "\u001b";
const SGR = new RegExp(`${ESC}\\[[0-9;:]*m`, "g");
const RESET = `${ESC}[0m`;

/** One line of a program with its colors. Every other control sequence is removed, and so is everything beyond `columns`. */
export function coloredLine(text: string, columns: number, { withColors }: { withColors: boolean }): string {
  let [shown, used, isCut] = ["", 0, false];
  const add = (part: string) => {
    for (const { segment } of graphemes.segment(sanitize(part).replace(/\s+/g, " "))) {
      isCut ||= used + displayWidth(segment) > columns;
      if (isCut) return;
      shown += segment;
      used += displayWidth(segment);
    }
  };
  let at = 0;
  for (const { 0: sequence, index } of text.matchAll(SGR)) {
    add(text.slice(at, index));
    if (withColors) shown += sequence;
    at = index + sequence.length;
  }
  add(text.slice(at));
  return withColors && shown.includes(ESC) ? shown + RESET : shown;
}
