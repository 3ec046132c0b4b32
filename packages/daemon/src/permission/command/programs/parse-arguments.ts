import { pathsInWord } from "../files/mentioned-paths.ts";
import type { NamedPath } from "./program-types.ts";
import type { Table } from "../tables/argument-table.ts";
import { literal, partOf, type Word } from "../words/word.ts";

/** The limit for addresses that one call names. */
export const MAX_ADDRESSES = 20;

/** The words of a call, sorted according to the table of its program. */
export type ParsedArguments = ReturnType<typeof noArguments>;

const noArguments = () => ({
  /** The flags of the call, spelled as in the table, with their values. */
  seen: new Map<string, Word | undefined>(),
  /** The same flags in order, including repeated ones. */
  occurrences: [] as { flag: string; value: Word | undefined }[],
  paths: [] as NamedPath[],
  operands: [] as Word[],
  /** Values of flags behind the first operand. A program that reads no flags there takes them for operands, as on macOS. */
  behind: [] as Word[],
  /** Flags that the table does not list. */
  unknown: [] as string[],
  /** Flags that may be in a cluster behind a letter that the table does not list. */
  suspected: [] as string[],
  /** Flags that make the program run something. */
  runs: [] as string[],
  /** Flags that make the program change files under other names. */
  renames: [] as string[],
  /** True if a word that is known only at run time could be anything, such as a flag. */
  isOpen: false,
});

/** The lists of a table that name flags. A later list counts if a flag is in several. */
const KINDS = ["flags", "attached", "valued", "names", "identifies", "reads", "writes", "edits", "fills", "runs", "renames"] as const;
type Kind = (typeof KINDS)[number];
type Kinds = ReadonlyMap<string, Kind>;

/** True if the call has one of these flags. */
export const hasFlag = ({ seen }: Pick<ParsedArguments, "seen">, flags = ""): boolean => split(flags).some((flag) => seen.has(flag));

/** True if the call has one of these flags, or may have it in a cluster. It is for flags that let a program do more. */
export const mayHaveFlag = ({ seen, suspected }: Pick<ParsedArguments, "seen" | "suspected">, flags = ""): boolean =>
  split(flags).some((flag) => seen.has(flag) || suspected.includes(flag));

export function parseArguments(table: Table = {}, words: readonly Word[]): ParsedArguments {
  const kinds = kindsOf(table);
  const sorted = noArguments();
  const queue = [...words];
  for (let word = queue.shift(); word; word = queue.shift()) {
    const text = word.kind === "open" ? word.prefix : word.text;
    const isBehindFlags = table.flagsFirst === true && sorted.operands.length > 0;
    if (word.kind === "literal" && text === "--" && !isBehindFlags && !table.noEnd) {
      sorted.operands.push(...queue);
      break;
    }
    if (word.kind === "open" && (text === "" || !word.single)) sorted.isOpen ||= table.anything !== true;
    if (isBehindFlags && table.lastEdited && text.startsWith("-")) sorted.unknown.push(text); // elsewhere, it may be a flag
    if (!text.startsWith("-") || text === "-" || isBehindFlags) sorted.operands.push(word);
    else if (!(table.numbers && word.kind === "literal" && /^-\d+$/.test(text))) takeFlag(word, text, table, kinds, sorted, queue);
  }
  return sorted;
}

function takeFlag(word: Word, text: string, table: Table, kinds: Kinds, sorted: ParsedArguments, queue: Word[]): void {
  const [, name = text, attached] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const isLong = text.startsWith("--");
  const flag = kinds.has(name) || !isLong ? name : (shortened(kinds, name) ?? name);
  const kind = kinds.get(flag);
  if (kind === undefined && !isLong && !(table.alone && /^-[^\d]{2}/.test(text)))
    return takeLetters(word, text, table, kinds, sorted, queue);
  if (word.kind !== "literal" && !(attached !== undefined && kind === "valued" && word.kind === "open")) sorted.isOpen = true;
  if (kind === undefined || (kind === "flags" && attached !== undefined && !split(table.optional).includes(flag)))
    takeUnknown(name, text, sorted);
  else if (attached !== undefined) {
    if (flag.length === 2) record(flag, kind, partOf(word, `=${attached}`), sorted); // to GNU programs, `-o=x` names the file `=x`
    record(flag, kind, partOf(word, attached), sorted);
  } else {
    if (kind === "valued" && !isLong && flag !== "-e" && sorted.operands.length > 0 && queue[0]) sorted.behind.push(queue[0]);
    record(flag, kind, takeValue(flag, kind, queue, sorted), sorted);
  }
}

/** Reads combined letters such as `-la`. Each letter is a flag. A flag with a value takes the rest of the word, or the next word. */
function takeLetters(word: Word, text: string, table: Table, kinds: Kinds, sorted: ParsedArguments, queue: Word[]): void {
  if (word.kind !== "literal") sorted.isOpen = true;
  for (let i = 1; i < text.length; i++) {
    const flag = `-${text[i]}`;
    const kind = kinds.get(flag);
    const rest = text.slice(i + 1);
    const isApart = table.apart === true && kind !== "flags" && rest !== "" && !/^\d+$/.test(rest);
    if (kind === undefined || isApart) {
      if (kind !== undefined) noteEffect(flag, kind, queue[0], sorted);
      takeUnknown(flag, `-${text.slice(i)}`, sorted);
      return suspectLetters(rest, kinds, sorted, queue);
    }
    const isSeparate = kind === "valued" && rest === "" && flag !== "-e";
    if (isSeparate && sorted.operands.length > 0 && queue[0]) sorted.behind.push(queue[0]);
    record(flag, kind, kind !== "flags" && rest !== "" ? partOf(word, rest) : takeValue(flag, kind, queue, sorted), sorted);
    if (kind !== "flags") return;
  }
}

/**
 * Takes the next word as the value of a flag that needs one. The value of `-e` may be anything, and it often looks like a flag. A glob may
 * expand to several words, and all but the first of them are operands.
 */
function takeValue(flag: string, kind: Kind, queue: Word[], sorted: ParsedArguments): Word | undefined {
  if (kind === "flags" || kind === "attached") return undefined;
  const name = NAMED_VALUE.test(flag) ? queue.shift() : undefined;
  sorted.isOpen ||= name !== undefined && name.kind !== "literal";
  const value = queue.shift();
  const text = value?.kind === "open" ? value.prefix : (value?.text ?? "");
  if (flag !== "-e" && /^-(?!(\d+[bKMG]?)?$|\s)/.test(text)) takeUnknown(text, text, sorted); // it may itself be a flag, unless it is a list
  if (value?.kind === "pattern") sorted.operands.push(value);
  return value;
}

/** Flags of jq that take a name in front of their value. */
const NAMED_VALUE = /^--(arg|argjson|slurpfile|rawfile)$/;

/** Reads the letters after an unknown letter. Each of them may be a flag: `-qx CMD`, `-NK file`. */
function suspectLetters(letters: string, kinds: Kinds, sorted: ParsedArguments, queue: readonly Word[]): void {
  for (const [i, letter] of letters.split("").entries()) {
    const kind = kinds.get(`-${letter}`);
    const rest = letters.slice(i + 1);
    if (kind === undefined) continue;
    sorted.suspected.push(`-${letter}`);
    noteEffect(`-${letter}`, kind, rest === "" ? queue[0] : literal(rest), sorted);
  }
}

/** Records an unknown flag. Text that is attached to it may name a file. */
function takeUnknown(flag: string, text: string, sorted: ParsedArguments): void {
  sorted.unknown.push(flag);
  sorted.paths.push(...pathsInWord(literal(text)));
}

function record(flag: string, kind: Kind, value: Word | undefined, sorted: ParsedArguments): void {
  sorted.seen.set(flag, value);
  noteEffect(flag, kind, value, sorted);
}

function noteEffect(flag: string, kind: Kind, value: Word | undefined, sorted: ParsedArguments): void {
  sorted.occurrences.push({ flag, value });
  if (kind === "runs" || kind === "renames") sorted[kind].push(flag);
  else if (kind === "valued") sorted.isOpen ||= value?.kind === "open" && !value.single;
  else if (kind !== "flags" && kind !== "attached" && value)
    sorted.paths.push(kind === "fills" ? { word: value, use: "edits", search: { fills: true } } : { word: value, use: kind });
}

/** The kinds of flags that have an effect, strongest first. */
const SUSPECT: readonly Kind[] = ["runs", "renames", "writes", "edits", "fills", "reads", "identifies", "names"];

/** Returns the flag that a shortened long flag stands for. Of several flags that match, the one with the strongest effect counts. */
function shortened(kinds: Kinds, name: string): string | undefined {
  if (name.length < 3) return undefined;
  const meant = [...kinds.keys()].filter((flag) => flag.startsWith(name));
  return SUSPECT.flatMap((kind) => meant.filter((flag) => kinds.get(flag) === kind))[0];
}

const cache = new WeakMap<Table, Kinds>();

function kindsOf(table: Table): Kinds {
  const known = cache.get(table);
  if (known) return known;
  const kinds = new Map(KINDS.flatMap((kind) => split(table[kind]).map((flag): [string, Kind] => [flag, kind])));
  cache.set(table, kinds);
  return kinds;
}

export const split = (flags: string | undefined): string[] => (flags ? flags.split(" ") : []);
