import { closestMatch } from "@baton/core/text/closest-match";
import { cutLine, numberLines } from "../files/number-lines.ts";

const MAX_SHOWN = 3;
const MAX_LINES = 12;

/** Says that a text is not in the file, and shows the most similar matches. */
export function explainMissing(text: string, old: string): string {
  const lines = text.split(/\r?\n/);
  const wanted = old.replace(/\r?\n$/, "").split(/\r?\n/);
  const near = similarLines(lines, wanted);
  const [best] = near;
  if (!best)
    return "old_text does not appear in the file, and neither does anything similar. Read the file and copy the text exactly, without line numbers.";
  const spacesHint = best.score === wanted.length ? " Only spaces differ." : "";
  const shown = near.map(({ start }) => shownFrom(lines, start, wanted.length));
  return `old_text does not appear in the file as written.${spacesHint} The most similar text:\n${shown.join("\n…\n")}\nCopy the text exactly, without line numbers.`;
}

const shownFrom = (lines: readonly string[], start: number, count: number): string =>
  numberLines(
    lines.slice(start, start + Math.min(count, MAX_LINES)).map((line) => cutLine(line, 300)),
    start + 1,
  );

/** The lines that are most similar to `wanted`, numbered. For a single line, similar spelling counts too. */
export function nearestLines(lines: readonly string[], wanted: readonly string[]): string | undefined {
  const [first = ""] = wanted;
  const alike = () => {
    const near = closestMatch(
      first,
      lines
        .filter((line) => line.trim() !== "" && Math.abs(line.trim().length - first.length) * 3 <= first.length + 2)
        .map((line) => line.trim()),
    );
    return near === undefined ? -1 : lines.findIndex((line) => line.trim() === near);
  };
  const start = similarLines(lines, wanted)[0]?.start ?? (wanted.length === 1 ? alike() : -1);
  return start < 0 ? undefined : shownFrom(lines, start, wanted.length);
}

/** The matches with most lines of `wanted` in order, ignoring spaces, best first. */
function similarLines(lines: readonly string[], wanted: readonly string[]): { start: number; score: number }[] {
  const plain = lines.map(withoutSpaces);
  const sought = wanted.map(withoutSpaces);
  const starts = new Set<number>();
  const anchors = new Map<string, number[]>();
  sought.forEach((line, i) => line !== "" && anchors.set(line, [...(anchors.get(line) ?? []), i]));
  plain.forEach((line, at) => anchors.get(line)?.forEach((i) => at >= i && starts.add(at - i)));
  const scored = [...starts].map((start) => ({ start, score: sought.filter((line, i) => plain[start + i] === line).length }));
  const fitting = scored.filter(({ score }) => score * 2 >= sought.length);
  const matches = fitting.length > 0 ? fitting : containing(plain, sought);
  return matches.toSorted((a, b) => b.score - a.score || a.start - b.start).slice(0, MAX_SHOWN);
}

/** The lines that contain the longest line of the text, or are contained in it. */
function containing(plain: readonly string[], sought: readonly string[]): { start: number; score: number }[] {
  const longest = sought.toSorted((a, b) => b.length - a.length)[0] ?? "";
  const shift = sought.indexOf(longest);
  if (longest.length < 4) return [];
  return plain.flatMap((line, at) =>
    line.length >= 4 && (line.includes(longest) || longest.includes(line)) ? [{ start: Math.max(0, at - shift), score: 0 }] : [],
  );
}

const withoutSpaces = (line: string): string => line.replace(/\s+/g, "");
