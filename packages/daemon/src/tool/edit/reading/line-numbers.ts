import type { EditReading } from "./reading-types.ts";

const NUMBERED = /^[ \t]*(\d+)(\t|\u2192|[ \t]*\| ?|: ?)(.*)$/;

/** A line that was copied with its number: `12<tab>`, `12| `, `12: `, `12 | `, `12→`. */
type NumberedLine = { number: number; separator: string; text: string };

export function numberedLine(line: string): NumberedLine | undefined {
  const [, number, separator, text] = NUMBERED.exec(line) ?? [];
  return number === undefined || separator === undefined || text === undefined ? undefined : { number: Number(number), separator, text };
}

/** Removes the line numbers if all lines have consecutive ones with the same separator. */
function withoutNumbers(text: string): { text: string; first: number; separator: string } | undefined {
  const end = /\r?\n$/.exec(text)?.[0] ?? "";
  const lines = text.slice(0, text.length - end.length).split(/\r?\n/);
  const numbered = lines.map(numberedLine);
  const [first] = numbered;
  if (!first) return undefined;
  const separator = first.separator.trim();
  const isNumbered = numbered.every((line, i) => line?.number === first.number + i && line.separator.trim() === separator);
  return isNumbered ? { text: numbered.map((line) => line?.text).join("\n") + end, first: first.number, separator } : undefined;
}

/** The new text may have the numbers on all lines, on those that it keeps, or not at all. */
export const readWithoutLineNumbers: EditReading = (edit) => {
  const old = withoutNumbers(edit.old);
  if (!old) return undefined;
  const now = edit.now.split("\n").map((line) => {
    const numbered = numberedLine(line);
    return numbered?.separator.trim() === old.separator ? numbered.text : line;
  });
  return { edit: { ...edit, old: old.text, now: now.join("\n") }, ignored: "line numbers", line: old.first };
};
