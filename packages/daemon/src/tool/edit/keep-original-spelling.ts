import { diffArrays } from "diff";
import type { NormalizedText } from "./normalized-text.ts";

/** The texts of an edit in one spelling. `start`: where the file has the old text, in the folded file. */
type Parts = { file: NormalizedText; start: number; old: NormalizedText; now: NormalizedText };

/** Ranges of the old text that stay (`keep`), and ranges of the new text that the edit adds (`insert`). `inChange`: a part of a changed line. */
type Step = { keep: [number, number]; inChange?: true } | { insert: [number, number] };

/**
 * Builds the new text of a match. Parts that the edit leaves as they are come from the file in the file's own spelling. Only parts that the
 * edit changes come from the call.
 */
export function keepOriginalSpelling(
  original: string,
  written: string,
  { file, start, old, now }: Parts,
  spell: (text: string) => string,
): string {
  return stepsOf(old.text, now.text)
    .map((step) => {
      if ("keep" in step) {
        const kept = original.slice(file.at(start + step.keep[0]), file.at(start + step.keep[1]));
        return step.inChange ? withoutBlanksOfFile(kept, old.text.slice(...step.keep)) : kept;
      }
      return spell(written.slice(now.at(step.insert[0]), now.at(step.insert[1])));
    })
    .join("");
}

/** A changed line loses the blanks that only the file has at its end. */
const withoutBlanksOfFile = (kept: string, written: string): string =>
  /[ \t]$/.test(written) ? kept : kept.replace(/[ \t]+(?=(?:\r?\n)?$)/, "");

const MAX_MS = 200;

function stepsOf(old: string, now: string): Step[] {
  const changes = diffArrays(linesOf(old), linesOf(now), { timeout: MAX_MS });
  if (!changes) return changedSteps(old, 0, now, 0);
  const steps: Step[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (let i = 0; i < changes.length;) {
    if (changes[i]?.added || changes[i]?.removed) {
      let [removed, added] = ["", ""];
      for (; changes[i]?.added || changes[i]?.removed; i++) {
        const text = (changes[i]?.value ?? []).join("");
        if (changes[i]?.removed) removed += text;
        else added += text;
      }
      steps.push(...changedSteps(removed, oldAt, added, nowAt));
      oldAt = oldAt + removed.length;
      nowAt = nowAt + added.length;
    } else {
      const { length } = (changes[i]?.value ?? []).join("");
      steps.push({ keep: [oldAt, oldAt + length] });
      oldAt = oldAt + length;
      nowAt = nowAt + length;
      i++;
    }
  }
  return steps;
}

/** Keeps the equal beginning and end of two texts, and inserts the rest. */
function changedSteps(old: string, oldAt: number, now: string, nowAt: number): Step[] {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const steps: Step[] = [
    { keep: [oldAt, oldAt + head], inChange: true },
    { insert: [nowAt + head, nowAt + now.length - tail] },
    { keep: [oldAt + old.length - tail, oldAt + old.length], inChange: true },
  ];
  return steps.filter((step) => {
    const [from, to] = "keep" in step ? step.keep : step.insert;
    return to > from;
  });
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
