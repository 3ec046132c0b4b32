import type { EditReading } from "./reading-types.ts";

/** Reads texts whose lines begin with the marks of a diff: `-` and spaces in the old text, `+` and spaces in the new one. */
export const readWithoutDiffMarks: EditReading = (edit) => {
  const old = withoutMarks(edit.old, "-");
  const now = edit.now === "" ? "" : withoutMarks(edit.now, "+");
  return old === undefined || now === undefined ? undefined : { edit: { ...edit, old, now }, ignored: "the marks of a diff" };
};

function withoutMarks(text: string, mark: "+" | "-"): string | undefined {
  const lines = text.split(/\r?\n/);
  const isMarked =
    lines.some((line) => line.startsWith(mark)) && lines.every((line) => line === "" || line.startsWith(mark) || line.startsWith(" "));
  return isMarked ? lines.map((line) => line.slice(1)).join("\n") : undefined;
}
