import path from "node:path";
import { pathsInWord } from "../files/mentioned-paths.ts";
import { hasFlag, mayHaveFlag, parseArguments, type ParsedArguments, split } from "./parse-arguments.ts";
import { doubtful, HARMLESS, UNKNOWN_ARGUMENT, unknownCall } from "./program-types.ts";
import type { ProgramClassifier, ProgramEffects, NamedPath, FolderTraversal, PathUse } from "./program-types.ts";
import type { Table } from "../tables/argument-table.ts";
import { services } from "../tables/services.ts";
import { verbTables } from "../tables/verb-tables.ts";
import { isCertain, literal, type Word } from "../words/word.ts";

/** Returns the effects of a call according to the table of its program. An unlisted program has the table `{}`. */
export const classifyByTable = (table: Table | undefined, words: readonly Word[]): ProgramEffects => readCall(table, words).effects;

/** Returns the same effects, and the sorted words. */
export function readCall(table: Table = {}, words: readonly Word[]): { effects: ProgramEffects; sorted: ParsedArguments } {
  const sorted = parseArguments(table, words);
  return { sorted, effects: table.anything ? HARMLESS : effectsOf(table, words, sorted) };
}

/** Classifies a program by its first one or two words. The gate knows nothing about a call that is in no table. */
export const classifyBySubCommand: ProgramClassifier = ({ name: program, words }) => {
  const [first, second] = words.map(({ kind, text }) => (kind === "literal" ? text : "$"));
  for (const count of [2, 1]) {
    const name = [program, first, second].slice(0, count + 1).join(" ");
    if (Object.hasOwn(services, name)) return classifyByTable(services[name], words.slice(count));
  }
  const own = verbTables[program]?.behind?.[`${first} ${second}`];
  return own ? doubtful(...(parseArguments(own, words.slice(2)).isOpen ? [UNKNOWN_ARGUMENT] : [])) : unknownCall(words);
};

function effectsOf(table: Table, words: readonly Word[], sorted: ParsedArguments): ProgramEffects {
  const { unknown, runs, renames } = sorted;
  const isInPlace = hasFlag(sorted, table.inPlace);
  const end = words.findIndex(({ text }) => text === "--"); // a program that acts may change what comes after it
  const isUnseen = ({ kind, text }: Word, i: number) => kind === "open" && (text.startsWith("<(") || (end >= 0 && i > end));
  const isOpen = sorted.isOpen || (table.acts === true && words.some(isUnseen));
  const { paths, isText } = operandsOf(isInPlace ? { ...table, operands: "moves" } : table, sorted);
  const flagged = table.dashPrints ? sorted.paths.filter(({ word, use }) => use !== "writes" || word.text !== "-") : sorted.paths;
  const list = table.atFiles && words.find(({ text }) => text.startsWith("@"));
  const writes = isInPlace || paths.some(({ use }) => use === "writes" || use === "edits");
  const hasRequired = table.requires === undefined || hasFlag(sorted, table.requires);
  const isExpected = isText && !(table.operands === "none" && sorted.operands.length > 0);
  const isPlain = unknown.length === 0 && runs.length === 0 && renames.length === 0 && !isOpen;
  const isOdd = (unknown.length > 0 && table.operands !== undefined) || !isExpected;
  return {
    reads:
      isPlain &&
      isExpected &&
      hasRequired &&
      !writes &&
      table.acts !== true &&
      (table.operands !== undefined || sorted.operands.length === 0),
    paths: [...flagged, ...paths, ...(isOdd ? sorted.operands.flatMap(pathsInWord) : [])],
    ...(isPlain && (table.onlyEdits || isInPlace) ? { onlyEdits: true as const } : {}),
    doubts: [
      ...runs.map((flag) => `${flag} makes it run or load something else`),
      ...renames.map((flag) => `${flag} makes it change files under names that are not judged`),
      ...(list ? [`${list.text.slice(0, 40)} is a list of arguments`] : []),
      ...(isOpen ? [UNKNOWN_ARGUMENT] : []),
    ],
  };
}

function operandsOf(table: Table, sorted: ParsedArguments): Pick<ProgramEffects, "paths"> & { isText: boolean } {
  const { operands } = sorted;
  const { operands: use, textFirst, lastEdited, only } = table;
  const isText = operands.every((word) => only === undefined || (word.kind === "literal" && only.test(word.text)));
  if (use === undefined || use === "text" || use === "none") return { paths: [], isText };
  const hasText = textFirst !== undefined && !hasFlag(sorted, textFirst);
  const skipped = hasText && operands[0]?.kind !== "pattern" ? 1 : 0; // a glob may expand to several words; only the first is text
  const isByName = hasFlag(sorted, table.byName);
  const files = operands.slice(skipped).filter(({ kind, text }) => !(isByName && kind !== "open" && ENTRY.test(text)));
  if (table.into) return { paths: copied(files, use, sorted), isText };
  const last = lastEdited && (files.length > 1 || (files[0]?.kind === "pattern" && !files[0].isOne)) ? files.at(-1) : undefined;
  const first = table.firstEdited ? files[0] : undefined;
  const follows = use === "searches" || mayHaveFlag(sorted, table.follows);
  const search: FolderTraversal = {
    ...((use === "edits" || table.inPlace) && hasFlag(sorted, table.inPlace ?? RECURSIVE) ? { tree: true } : {}),
    ...(follows ? { follows } : {}),
  };
  if (mayHaveFlag(sorted, table.follows) && files.length === 0) return { paths: [{ word: literal("."), use, search }], isText };
  const here = table.ending === undefined ? {} : { leavesOut: () => (name: string) => !name.endsWith(table.ending ?? "") };
  const isEdited = (word: Word) => word === last || word === first;
  // Of the files that a pattern matches, only one is edited.
  const paths = files.flatMap((word): NamedPath[] => [
    ...(isEdited(word) ? [{ word, use: "edits" as const, search }] : []),
    ...(isEdited(word) && word.kind !== "pattern" ? [] : [{ word, use, search: word.text === "." ? { ...search, ...here } : search }]),
  ]);
  const names = split(table.endings).flatMap((ending) => files.flatMap((word) => withEnding(word, ending)));
  const values = sorted.behind.filter(({ kind, text }) => kind !== "open" && /[a-z]/i.test(text));
  return { paths: [...paths, ...[...names, ...values].map((word) => ({ word, use }))], isText };
}

/** The name of an entry of the working directory, which may be a link. */
const ENTRY = /^[^/~]+\/?$/;

/** Returns a name with an ending that a program adds to it, and the names that it matches as a pattern. */
const withEnding = (word: Word, ending: string): Word[] => {
  if (word.kind !== "literal" || word.text.endsWith(ending)) return [];
  const names = [literal(word.text + ending)];
  return /[*?[]/.test(word.text)
    ? [word, ...names].map(({ text }) => ({ kind: "pattern", text: text.replaceAll(/\[[^\]]*\]/g, "*") }))
    : names;
};

/** Flags that make a program recurse into folders. */
const RECURSIVE = "-r -R --recursive";

/** Returns the target files of a copy that keeps the source paths: `cp --parents a/b to` and `rsync -R a/b to` create `to/a/b`. */
export const underOwnPaths = (target: Word, sources: readonly Word[]): NamedPath[] =>
  sources.map((word) => ({
    word:
      word.kind === "literal" && target.kind === "literal" ? literal(path.join(target.text, word.text.split("/./").at(-1) ?? "")) : word,
    use: "edits",
  }));

/** Returns the files that a symlink may lead to. A relative path begins at the folder of the link, which is the target or the folder around it. */
function fromLink(source: Word, target: Word): Word[] {
  if (source.kind !== "literal" || source.written !== undefined || !isCertain(target) || source.text.startsWith("/")) return [source];
  const places = target.text.endsWith("/") ? [target.text] : [path.dirname(target.text), target.text];
  return places.map((place) => literal(path.join(place, source.text)));
}

/** Returns the paths of a copy or a move: its sources and its target. */
function copied(files: readonly Word[], use: PathUse, sorted: ParsedArguments): NamedPath[] {
  const { seen } = sorted;
  const named = seen.get("-t") ?? seen.get("--target-directory");
  const target = named ?? (files.length > 1 || files[0]?.kind === "pattern" ? files.at(-1) : literal(".")); // `ln x` makes the link in the working directory
  const isList = target?.kind === "pattern"; // all its matches except the last are also sources
  const given = named || files.length < 2 || isList ? files : files.slice(0, -1);
  const sources =
    use === "moves" && (seen.has("-s") || seen.has("--symbolic")) && target ? given.flatMap((each) => fromLink(each, target)) : given;
  const follows = mayHaveFlag(sorted, "-L -H --dereference");
  const taken: NamedPath[] = sources.map((word) => (follows ? { word, use: "searches", search: { follows } } : { word, use }));
  if (!target || sources.length === 0) return taken;
  const from = seen.has("-T") ? sources.map((word) => ({ ...word, text: `${word.text}/` })) : sources; // then it is the contents that are copied
  return [...taken, { word: target, use: "edits", from }, ...(seen.has("--parents") ? underOwnPaths(target, sources) : [])];
}
