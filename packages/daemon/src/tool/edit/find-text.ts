import type { TextReplacement, EditMatcher, TextMatch } from "./edit-types.ts";
import type { TextNormalizer, NormalizedText } from "./normalized-text.ts";
import { keepOriginalSpelling } from "./keep-original-spelling.ts";
import { usualLineEnd, withLineEnds } from "./line-end.ts";
import { foldLineEnds, foldTrailingBlanks, foldTypography, learnPlainSpelling } from "./text-normalizers.ts";

/** Finds a text as written, apart from Windows line ends. */
export const findExactly: EditMatcher = (file, edit) => findFolded(file, edit, foldLineEnds);

/** Finds a text that differs in blanks at the ends of lines, or in the line end at the end of the file. */
export const findWithoutTrailingBlanks: EditMatcher = (file, edit) => findFolded(file, edit, foldTrailingBlanks, { endsFile: true });

/** Finds a text that differs in typographic characters as well. */
export const findWithPlainTypography: EditMatcher = (file, edit) => findFolded(file, edit, foldTypography, { endsFile: true });

/** `endsFile`: a file without a final line end counts as if it had one. */
function findFolded(file: string, edit: TextReplacement, fold: TextNormalizer, { endsFile = false } = {}): TextMatch[] {
  const folded = endsFile ? withFinalLineEnd(fold(file), file) : fold(file);
  const old = fold(edit.old);
  if (old.text === "") return [];
  const now = fold(edit.now);
  const lineEnd = usualLineEnd(file);
  const isAtLineEnd = (offset: number) => folded.text[offset] === "\n" || offset === folded.text.length;
  // Blanks at the end of the text were only ignored because a line should end there.
  const matches = offsetsOf(folded.text, old.text, edit.all).filter(
    (start) => !endsFile || !/[ \t\u00a0]$/.test(edit.old) || isAtLineEnd(start + old.text.length),
  );
  return matches.map((start) => {
    const [from, to] = [folded.at(start), folded.at(start + old.text.length)];
    const plain = fold === foldTypography ? learnPlainSpelling(edit.old, file.slice(from, to)) : (text: string) => text;
    const spell = (text: string) => withLineEnds(plain(text), lineEnd);
    const isOnlySpelling = old.text === now.text;
    const text = isOnlySpelling ? edit.now : keepOriginalSpelling(file, edit.now, { file: folded, start, old, now }, spell);
    return { start: from, end: to, text };
  });
}

const withFinalLineEnd = ({ text, at }: NormalizedText, file: string): NormalizedText =>
  text === "" || text.endsWith("\n") ? { text, at } : { text: `${text}\n`, at: (index) => Math.min(at(index), file.length) };

/** Overlapping matches count, because the agent could mean any of them. To replace all, the next match begins after the previous one. */
function offsetsOf(text: string, wanted: string, all: boolean): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + (all ? wanted.length : 1))) offsets.push(at);
  return offsets;
}
