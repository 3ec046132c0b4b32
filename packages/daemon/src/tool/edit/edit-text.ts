import type { TextReplacement, EditMatcher, TextMatch } from "./edit-types.ts";
import { explainMissing } from "./explain-mismatch.ts";
import { findIndented } from "./find-indented.ts";
import { findExactly, findWithoutTrailingBlanks, findWithPlainTypography } from "./find-text.ts";
import { editReadings } from "./reading/edit-readings.ts";

/** A changed text, the number of changed ranges, and the differences that Baton ignored to find them. */
export type EditedText = { text: string; count: number; ignored: string[] };

/** The matchers from the strictest to the most tolerant. */
const matchers: readonly { find: EditMatcher; ignored?: string }[] = [
  { find: findExactly },
  { find: findWithoutTrailingBlanks, ignored: "blanks and line ends at the ends of lines" },
  { find: findWithPlainTypography, ignored: "typographic quotes, dashes and blanks" },
  { find: findIndented, ignored: "indentation" },
];

type ReadEdit = { edit: TextReplacement; ignored: string[]; line?: number | undefined };

/**
 * Makes an edit if it has exactly one meaning. The strictest matcher that finds a match decides, for the call as it was sent and then without
 * what models add by mistake. On failure, `fault` helps the model to correct the call.
 */
export function editText(file: string, edit: TextReplacement): EditedText | { fault: string } {
  if (edit.old === edit.now) return { fault: "old_text and new_text are identical, so nothing would change." };
  const omission = omissionIn(edit.old, edit.now);
  if (omission !== undefined)
    return {
      fault: `new_text has the line "${omission.slice(0, 100)}" in place of code, which would delete that code. Write the code itself.`,
    };
  const read = waysToRead(edit);
  for (const { find, ignored } of matchers) {
    for (const way of read) {
      const matches = find(file, way.edit);
      if (matches.length > 0) return replaceMatches(file, matches, { ...way, ignored: [...way.ignored, ...(ignored ? [ignored] : [])] });
    }
  }
  return { fault: explainMissing(file, edit.old) };
}

/** The call as it was sent, then each reading, then each reading of a reading. */
function waysToRead(edit: TextReplacement): ReadEdit[] {
  const readAgain = ({ edit: sent, ignored, line }: ReadEdit): ReadEdit[] =>
    editReadings.flatMap((read) => {
      const found = read(sent);
      return found ? [{ edit: found.edit, ignored: [...ignored, found.ignored], line: found.line ?? line }] : [];
    });
  const once = readAgain({ edit, ignored: [] });
  return [{ edit, ignored: [] }, ...once, ...once.flatMap(readAgain)].filter(({ edit: { old, now } }) => old !== now);
}

function replaceMatches(file: string, found: readonly TextMatch[], { edit, ignored, line }: ReadEdit): EditedText | { fault: string } {
  const named = line === undefined ? [] : found.filter(({ start }) => lineAt(file, start) === line);
  const matches = found.length > 1 && named.length === 1 && !edit.all ? named : found;
  if (matches.length > 1 && !edit.all) return { fault: explainAmbiguity(file, matches, ignored) };
  let text = "";
  let copied = 0;
  for (const match of matches.filter(({ start }, i) => start >= (matches[i - 1]?.end ?? 0))) {
    text += file.slice(copied, match.start) + match.text;
    copied = match.end;
  }
  text += file.slice(copied);
  if (text === file) return { fault: "The file already has new_text at this place, so nothing would change." };
  return { text, count: matches.length, ignored };
}

function explainAmbiguity(file: string, matches: readonly TextMatch[], ignored: readonly string[]): string {
  const lines = matches.slice(0, 10).map(({ start }) => lineAt(file, start));
  const more = matches.length > lines.length ? " and more" : "";
  const apart = ignored.length > 0 ? ` if ${ignored.join(" and ")} do not count` : "";
  return `old_text appears ${matches.length} times in the file (lines ${lines.join(", ")}${more})${apart}. Add surrounding lines until it is unique, or set replace_all.`;
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

const OMISSION =
  /^\s*(?:\/\/|#|--|\/\*|<!--|\{\/\*)?\s*(?:\.\.\.|\u2026)\s*(?:\(?(?:the )?(?:rest|remaining|remainder|existing|other|previous|unchanged|same|keep)\b.*)/i;

/** A line of the new text that stands for code that the model left out. It would delete that code. Undefined if the old text has it too. */
function omissionIn(old: string, now: string): string | undefined {
  const kept = new Set(old.split(/\r?\n/).map((line) => line.trim()));
  return now
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => OMISSION.test(line) && !kept.has(line));
}
