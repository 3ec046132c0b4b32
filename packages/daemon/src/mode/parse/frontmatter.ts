/** A markdown file with a header between lines of three dashes. Offsets count from the start of the text. */
type Frontmatter = { header: { at: number; text: string }; body: { at: number; text: string } };

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*(?:\r?\n|$)/m;

/** Splits a markdown file. Undefined if it has no header, or the header does not end. */
export function splitFrontmatter(text: string): Frontmatter | undefined {
  const opening = OPENING.exec(text);
  if (!opening) return undefined;
  const at = opening[0].length;
  const rest = text.slice(at);
  const closing = CLOSING.exec(rest);
  if (!closing) return undefined;
  const bodyAt = at + closing.index + closing[0].length;
  return { header: { at, text: rest.slice(0, closing.index) }, body: { at: bodyAt, text: text.slice(bodyAt) } };
}
