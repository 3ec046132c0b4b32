import { closestMatch } from "@baton/core/text/closest-match";
import { cutLine, numberLines } from "./number-lines.ts";

export type Replacement = { text: string; count: number } | { fault: string };

/**
 * Replaces `old` where it stands exactly once, or everywhere when `all` is set. A file with line ends of Windows keeps
 * them, though models write `\n`. What does not fit comes back as words that help to get it right.
 */
export function replaceText(text: string, { old, now, all }: { old: string; now: string; all: boolean }): Replacement {
  if (old === now) return { fault: "old_text and new_text are the same, so there is nothing to change." };
  const [wanted, put] = text.includes("\r\n") && !old.includes("\r") ? [withReturns(old), withReturns(now)] : [old, now];
  const places = placesOf(text, wanted);
  if (places.length === 0) return { fault: notFound(text, old) };
  if (places.length > 1 && !all) return { fault: foundOften(text, places) };
  return { text: text.split(wanted).join(put), count: places.length };
}

const withReturns = (text: string): string => text.replaceAll("\n", "\r\n");

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function foundOften(text: string, places: readonly number[]): string {
  const lines = places.slice(0, 10).map((place) => lineAt(text, place));
  const more = places.length > lines.length ? " and more" : "";
  return `old_text stands ${places.length} times in the file (lines ${lines.join(", ")}${more}). Add lines around it until it is unique, or set replace_all.`;
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split("\n").length;

const MAX_SHOWN = 3;
const MAX_LINES = 12;

function notFound(text: string, old: string): string {
  const lines = text.split(/\r?\n/);
  const wanted = old.replace(/\r?\n$/, "").split(/\r?\n/);
  const near = nearPlaces(lines, wanted);
  const [best] = near;
  if (!best)
    return "old_text does not stand in the file, nor anything like it. Read the file and copy the text exactly, without line numbers.";
  const blanksOnly = best.score === wanted.length ? " It differs in blanks only." : "";
  const shown = near.map(({ start }) => shownFrom(lines, start, wanted.length));
  return `old_text does not stand in the file as written.${blanksOnly} What comes near it:\n${shown.join("\n…\n")}\nCopy the text exactly, without line numbers.`;
}

const shownFrom = (lines: readonly string[], start: number, count: number): string =>
  numberLines(
    lines.slice(start, start + Math.min(count, MAX_LINES)).map((line) => cutLine(line, 300)),
    start + 1,
  );

/** The lines that come nearest to `wanted`, numbered; for a single line also one that is spelled alike. */
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
  const start = nearPlaces(lines, wanted)[0]?.start ?? (wanted.length === 1 ? alike() : -1);
  return start < 0 ? undefined : shownFrom(lines, start, wanted.length);
}

/** Where most lines of `wanted` stand, blanks aside, in their order; the best first. */
function nearPlaces(lines: readonly string[], wanted: readonly string[]): { start: number; score: number }[] {
  const plain = lines.map(withoutBlanks);
  const sought = wanted.map(withoutBlanks);
  const starts = new Set<number>();
  const anchors = new Map<string, number[]>();
  sought.forEach((line, i) => line !== "" && anchors.set(line, [...(anchors.get(line) ?? []), i]));
  plain.forEach((line, at) => anchors.get(line)?.forEach((i) => at >= i && starts.add(at - i)));
  const scored = [...starts].map((start) => ({ start, score: sought.filter((line, i) => plain[start + i] === line).length }));
  const fitting = scored.filter(({ score }) => score * 2 >= sought.length);
  const places = fitting.length > 0 ? fitting : containing(plain, sought);
  return places.toSorted((a, b) => b.score - a.score || a.start - b.start).slice(0, MAX_SHOWN);
}

/** Lines that hold the longest line of the text as a part, or are a part of it. */
function containing(plain: readonly string[], sought: readonly string[]): { start: number; score: number }[] {
  const longest = sought.toSorted((a, b) => b.length - a.length)[0] ?? "";
  const shift = sought.indexOf(longest);
  if (longest.length < 4) return [];
  return plain.flatMap((line, at) =>
    line.length >= 4 && (line.includes(longest) || longest.includes(line)) ? [{ start: Math.max(0, at - shift), score: 0 }] : [],
  );
}

const withoutBlanks = (line: string): string => line.replace(/\s+/g, "");
