const FENCE = /^\s*(```|~~~)/;
const HEADING_OR_TABLE = /^\s*(#|\|)/;
const NEW_BLOCK = /^\s*(#|\||>|[-*+]\s|\d+[.)]\s)/;

/** Joins the lines of each paragraph and list item, so that the terminal can break them by its own width. Code stays as it is. */
export function joinParagraphs(text: string): string {
  const joined: string[] = [];
  let isCode = false;
  let canContinue = false;
  for (const line of text.split("\n")) {
    const isFence = FENCE.test(line);
    const isBlank = line.trim() === "";
    if (canContinue && !isFence && !isBlank && !NEW_BLOCK.test(line)) joined.push(`${joined.pop() ?? ""} ${line.trim()}`);
    else joined.push(line);
    if (isFence) isCode = !isCode;
    canContinue = !isCode && !isFence && !isBlank && !HEADING_OR_TABLE.test(line);
  }
  return joined.join("\n");
}
