import { numberedLine } from "../reading/line-numbers.ts";
import type { HunkLine } from "./patch-types.ts";

/** A way to read the lines of a hunk. `ignored`: what it leaves out, for the result of the call. */
type HunkReading = { changes: HunkLine[]; ignored: string[] };

type Reading = { ignored: string; read: (changes: readonly HunkLine[]) => HunkLine[] | undefined };

const readings: readonly Reading[] = [
  { ignored: "missing marks of context lines", read: withUnmarkedContext },
  { ignored: "empty lines around a hunk", read: withoutEmptyLinesAround },
  { ignored: "line numbers", read: withoutLineNumbers },
];

/** The hunk as it was sent, then each reading, then each reading of a reading. */
export function readHunk(changes: readonly HunkLine[]): HunkReading[] {
  const again = (before: HunkReading): HunkReading[] =>
    readings.flatMap(({ ignored, read }) => {
      const found = before.ignored.includes(ignored) ? undefined : read(before.changes);
      return found ? [{ changes: found, ignored: [...before.ignored, ignored] }] : [];
    });
  const sent: HunkReading = { changes: [...changes], ignored: [] };
  const once = again(sent);
  return [sent, ...once, ...once.flatMap(again)];
}

/** Context lines that begin with a space, because the file's lines do. The mark is missing. */
function withUnmarkedContext(changes: readonly HunkLine[]): HunkLine[] | undefined {
  const isUnmarked = ({ mark, text, bare }: HunkLine) => mark === " " && text !== "" && !bare;
  if (!changes.some(isUnmarked)) return undefined;
  return changes.map((change) => (isUnmarked(change) ? { ...change, text: ` ${change.text}`, bare: true } : change));
}

/** Models put empty lines between hunks and headers. */
function withoutEmptyLinesAround(changes: readonly HunkLine[]): HunkLine[] | undefined {
  const isEmpty = ({ mark, text }: HunkLine) => mark === " " && text.trim() === "";
  const start = changes.findIndex((change) => !isEmpty(change));
  const end = changes.findLastIndex((change) => !isEmpty(change)) + 1;
  return start >= 0 && end - start < changes.length ? changes.slice(start, end) : undefined;
}

function withoutLineNumbers(changes: readonly HunkLine[]): HunkLine[] | undefined {
  const old = changes.filter(({ mark }) => mark !== "+").map(({ text }) => numberedLine(text));
  const [first] = old;
  if (!first || !old.every((line, i) => line?.number === first.number + i && line.separator.trim() === first.separator.trim()))
    return undefined;
  return changes.map((change) => {
    const line = numberedLine(change.text);
    return line?.separator.trim() === first.separator.trim() ? { ...change, text: line.text } : change;
  });
}
