/** Converts the indentation of a line that a model wrote to that of the file. Undefined if it has no single meaning. */
type Reindent = (line: string) => string | undefined;

/** The indentation of a line in the call, and of the same line in the file. */
type IndentPair = { written: string; inFile: string };

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

export const isBlank = (line: string): boolean => line.trim() === "";

/**
 * Learns from matched lines how the file's indentation differs: shifted as a whole, in other units, or tabs in place of spaces. `written`: all
 * lines of the call. Undefined if the lines do not agree.
 */
export function learnIndentation(pairs: readonly IndentPair[], written: readonly string[], file: readonly string[]): Reindent | undefined {
  const known = new Map<string, string>();
  for (const { written: from, inFile } of pairs) {
    if (known.has(from) && known.get(from) !== inFile) return undefined;
    known.set(from, inFile);
  }
  if (!isMonotone(known)) return undefined;
  const writtenUnit = unitOf(written);
  const rules = [shiftRule(pairs), ...scaleRules(pairs, writtenUnit)].flatMap((rule) => (rule ? [rule] : []));
  const fitting = rules.filter((rule) => pairs.every(({ written: from, inFile }) => rule(from) === inFile));
  return (line) => {
    if (isBlank(line)) return "";
    const indent = indentOf(line);
    const found = known.get(indent) ?? onlyMeaning(fitting, indent, { writtenUnit, file });
    return found === undefined ? undefined : found + line.slice(indent.length);
  };
}

/** A deeper line of the call must not be less deep in the file. */
function isMonotone(known: ReadonlyMap<string, string>): boolean {
  const widths = [...known].map(([from, to]) => ({ from: from.length, to: to.length })).toSorted((a, b) => a.from - b.from);
  return widths.every(({ to }, i) => to >= (widths[i - 1]?.to ?? 0));
}

type Rule = (indent: string) => string | undefined;

/** The result on which all rules agree, or the only one that makes a level of the call a level of the file. */
function onlyMeaning(
  rules: readonly Rule[],
  indent: string,
  { writtenUnit, file }: { writtenUnit: number; file: readonly string[] },
): string | undefined {
  const results = [...new Set(rules.flatMap((rule) => rule(indent) ?? []))];
  if (results.length <= 1) return results[0];
  const unit = unitOfFile(file);
  const fill = indent[0] ?? " ";
  const deeper = fill.repeat(indent.length + writtenUnit);
  const level = rules.filter((rule) => (rule(deeper)?.length ?? 0) - (rule(indent)?.length ?? 0) === unit);
  const meant = new Set(level.flatMap((rule) => rule(indent) ?? []));
  return meant.size === 1 ? [...meant][0] : undefined;
}

/** All lines have the same indentation more, or the same less. */
function shiftRule([first]: readonly IndentPair[]): Rule | undefined {
  if (!first) return undefined;
  const { written, inFile } = first;
  if (inFile.endsWith(written)) {
    const more = inFile.slice(0, inFile.length - written.length);
    return (indent) => (isMixed(more + indent) ? undefined : more + indent);
  }
  if (!written.endsWith(inFile)) return undefined;
  const less = written.slice(0, written.length - inFile.length);
  return (indent) => (indent.startsWith(less) ? indent.slice(less.length) : undefined);
}

/** The file has another width for each level, such as a tab in place of four spaces. `unit`: the width of a level in the call. */
function scaleRules(pairs: readonly IndentPair[], unit: number): (Rule | undefined)[] {
  if (pairs.some(({ written, inFile }) => isMixed(written) || isMixed(inFile))) return [];
  const fill = pairs.some(({ inFile }) => inFile.startsWith("\t")) ? "\t" : " ";
  const points = pairs.map(({ written, inFile }) => ({ from: written.length, to: inFile.length })).toSorted((a, b) => a.from - b.from);
  const [low, high] = [points[0], points.at(-1)];
  if (!low || !high) return [];
  const isOtherStyle = pairs.some(({ written, inFile }) => written !== "" && inFile !== "" && written[0] !== inFile[0]);
  if (high.from > low.from) return [linear(low, (high.to - low.to) / (high.from - low.from), fill)];
  if (low.from > 0 && low.to > 0) return isOtherStyle || low.from !== low.to ? [linear({ from: 0, to: 0 }, low.to / low.from, fill)] : [];
  return fill === "\t" ? [linear(low, 1 / unit, fill)] : [];
}

const linear =
  (point: { from: number; to: number }, slope: number, fill: string): Rule =>
  (indent) => {
    const width = point.to + (indent.length - point.from) * slope;
    return Number.isInteger(width) && width >= 0 && !isMixed(indent) ? fill.repeat(width) : undefined;
  };

const isMixed = (indent: string): boolean => indent.includes("\t") && indent.includes(" ");

const DEFAULT_UNIT = 4;

/** The unit of each file, because a text can occur thousands of times in a long file. */
const units = new WeakMap<readonly string[], number>();

function unitOfFile(file: readonly string[]): number {
  const unit = units.get(file) ?? unitOf(file);
  units.set(file, unit);
  return unit;
}

/** The most frequent step from one line to a deeper one, in characters. A tab is 1. */
function unitOf(lines: readonly string[]): number {
  const counts = new Map<number, number>();
  let before: number | undefined;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const width = indentOf(line).length;
    if (before !== undefined && width > before) counts.set(width - before, (counts.get(width - before) ?? 0) + 1);
    before = width;
  }
  const [best] = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return best?.[0] ?? DEFAULT_UNIT;
}
