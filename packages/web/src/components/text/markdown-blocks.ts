/**
 * The blocks of a Markdown text: parts that can be drawn apart, so that of a text that grows only the last one is drawn
 * anew. A fenced block is one; else an empty line parts them, except inside lists and indented text. Together they are
 * the text again.
 */
export function splitBlocks(text: string): string[] {
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

/** An item of a list, indented text, a definition of a footnote or a link: may belong to what stands above. */
const CONTINUES = /^(\s+|[-*+]\s|\d+[.)]\s|\[[^\]]+\]:)/;
