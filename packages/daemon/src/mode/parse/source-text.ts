/** A text and its file. */
export type SourceText = { file: string; text: string };

/** The text of a file without a byte order mark. */
export const toSource = (file: string, text: string): SourceText => ({ file, text: text.replace(/^\ufeff/, "") });

/** The line and column of an offset, from 1. */
export function positionInSource({ text }: SourceText, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line++;
  return { line, column: offset - start + 1 };
}
