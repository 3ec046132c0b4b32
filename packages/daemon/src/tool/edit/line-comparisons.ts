import { indentOf, isBlank, learnIndentation } from "./indentation.ts";
import type { LineChange } from "./line-changes.ts";
import { oldLines } from "./line-changes.ts";
import { foldTypography, learnPlainSpelling } from "./text-normalizers.ts";

/**
 * A way to compare lines. `ignored`: what it ignores, for the result of the call. `simplify`: lines are equal if their simple texts are.
 * `adapt`: converts the lines that a change adds to the spelling of the file, and is undefined if that has no single meaning.
 */
export type LineComparison = {
  ignored?: string;
  simplify: (line: string) => string;
  adapt: (changes: readonly LineChange[], matched: readonly string[], file: readonly string[]) => LineAdapter | undefined;
};

type LineAdapter = (line: string) => string | undefined;

const unchanged: LineAdapter = (line) => line;

const asWritten: LineComparison = { simplify: (line) => line, adapt: () => unchanged };

const withoutTrailingBlanks: LineComparison = {
  ignored: "blanks at the ends of lines",
  simplify: (line) => line.trimEnd(),
  adapt: () => unchanged,
};

const withPlainTypography: LineComparison = {
  ignored: "typographic quotes, dashes and blanks",
  simplify: (line) => foldTypography(line).text,
  adapt: (changes, matched) => learnPlainSpelling(oldLines(changes).map(trimEnd).join("\n"), matched.map(trimEnd).join("\n")),
};

export const withoutIndentation: LineComparison = {
  ignored: "indentation",
  simplify: (line) => line.trim(),
  adapt: (changes, matched, file) => {
    const old = oldLines(changes);
    const pairs = old.flatMap((line, i) => (isBlank(line) ? [] : [{ written: indentOf(line), inFile: indentOf(matched[i] ?? "") }]));
    if (pairs.length === 0) return undefined;
    return learnIndentation(
      pairs,
      changes.map(({ text }) => text),
      file,
    );
  },
};

export const lineSpellings: readonly LineComparison[] = [asWritten, withoutTrailingBlanks, withPlainTypography, withoutIndentation];

const trimEnd = (line: string): string => line.trimEnd();
