/** A short command in backticks, or a word. */
const UNIT = /`[^`\n]{1,40}`\S*|\S+/g;
const CODES = new RegExp(`${"\u001b"}\\[[\\d;]*m`, "g");

const width = (text: string): number => text.replace(CODES, "").length;

/**
 * Wraps sentences at words, and keeps a short command in backticks on one line. Lines that are indented or have columns stay as they are, and
 * so do words that are too long, such as addresses. It imports nothing, so that errors and warnings need no drawing code.
 */
export const wrapSentences = (text: string, columns: number): string[] =>
  text.split("\n").flatMap((line) => (isSentence(line) && width(line) > columns ? wrapWords(line, columns) : [line]));

const isSentence = (line: string): boolean => /^\S/.test(line) && !/\S {2}/.test(line);

function wrapWords(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const [unit] of line.matchAll(UNIT)) {
    const longer = current === "" ? unit : `${current} ${unit}`;
    if (current !== "" && width(longer) > columns) {
      lines.push(current);
      current = unit;
    } else current = longer;
  }
  return [...lines, current];
}

/** Writes sentences to a stream. In a terminal they are wrapped to its width. */
export function writeSentences(stream: NodeJS.WriteStream, sentences: readonly string[]): void {
  const lines = stream.isTTY ? sentences.flatMap((text) => wrapSentences(text, Math.max(20, stream.columns))) : sentences;
  stream.write(lines.map((line) => `${line}\n`).join(""));
}
