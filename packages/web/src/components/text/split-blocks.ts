/**
 * Splits Markdown into blocks, so that a growing text redraws only its last block. A fence is one block; otherwise an empty
 * line separates blocks, except in lists and indented text. Joined by line breaks, the blocks are the text. A complete text
 * that defines footnotes or links is one block, because every part may refer to them.
 */
export function splitBlocks(text: string, growing = false): string[] {
  if (!growing && DEFINES.test(text)) return [text];
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  let blank = false;
  for (const line of text.split("\n")) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && blank && line.trim() !== "" && !CONTINUES.test(line)) {
      blocks.push(block.join("\n"));
      block = [];
    }
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    blank = fence === undefined && line.trim() === "";
    block.push(line);
  }
  return [...blocks, block.join("\n")];
}

/** A list item, indented text, or a definition: it may belong to the block above. */
const CONTINUES = /^(\s+|[-*+]\s|\d+[.)]\s|\[[^\]]+\]:)/;

const DEFINES = /^ {0,3}\[[^\]\n]+\]:/m;
