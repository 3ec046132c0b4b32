import path from "node:path";
import { parseArguments } from "./parse-arguments.ts";
import { classifyByTable } from "./classify-by-table.ts";
import { startsProtected } from "../../protected-paths.ts";
import type { ProgramEffects, NamedPath, Program } from "./program-types.ts";
import type { Table } from "../tables/table.ts";
import { readers } from "../tables/readers.ts";
import { writers } from "../tables/writers.ts";
import { literal, type Word } from "../shell/word.ts";

/** The file that a program makes beside one that it is given, under a name made from the other; of a pattern the whole folder. */
export function derivedFile(word: Word, rename: (name: string) => string): NamedPath[] {
  if (word.kind === "open") return [];
  const folder = path.dirname(word.text);
  if (word.kind === "pattern") return [{ word: literal(folder), use: "edits", search: { fills: true } }];
  return [{ word: literal(path.join(folder, rename(path.basename(word.text)))), use: "edits" }];
}

/** What is left of a name without its last ending, and without the last two: `-S` may name any ending. */
const UNPACKINGS = [/[.\-_][^.\-_]*$/, /[.\-_][^.\-_]*[.\-_][^.\-_]*$/].map((ending) => (file: string) => file.replace(ending, "") || file);

const ENDINGS: Readonly<Record<string, string>> = {
  gzip: ".gz",
  gunzip: ".gz",
  bzip2: ".bz2",
  bunzip2: ".bz2",
  xz: ".xz",
  unxz: ".xz",
  zstd: ".zst",
};

/** `zip a b`: a name without an ending gets `.zip`. */
export const zip: Program = ({ words }) => {
  const effects = classifyByTable(writers["zip"] ?? {}, words);
  const made = effects.paths.find(({ use }) => use === "edits");
  const follows = !words.some(({ text }) => /^-\w*y|^--symlinks/.test(text)); // zip follows links unless told otherwise
  const paths = effects.paths.map((each) => (each.use === "searches" ? { ...each, search: { follows } } : each));
  const named = made ? derivedFile(made.word, (name) => (path.extname(name) === "" ? `${name}.zip` : name)) : [];
  return { ...effects, paths: [...paths, ...(made ? [{ word: made.word, use: "reads" as const }] : []), ...named] };
};

/** `split FILE PREFIX`: the parts are `xaa`, `xab` and so on in the folder of the prefix, which is `x` by itself. */
export const split: Program = ({ words }) => {
  const effects = classifyByTable(writers["split"] ?? {}, words);
  const { operands, seen } = parseArguments(writers["split"] ?? {}, words);
  return withParts(effects, operands[0], operands[1] ?? literal("x"), seen.get("--additional-suffix"));
};

/** `csplit FILE PATTERN`: the parts are `xx00`, `xx01` and so on, as `-f` and `-b` say. */
export const csplit: Program = ({ words }) => {
  const effects = classifyByTable(writers["csplit"] ?? {}, words);
  const { operands, seen } = parseArguments(writers["csplit"] ?? {}, words);
  return withParts(
    effects,
    operands[0],
    seen.get("-f") ?? seen.get("--prefix") ?? literal("xx"),
    seen.get("-b") ?? seen.get("--suffix-format"),
  );
};

/** The parts go into the folder of the prefix, under names that begin with it. */
function withParts(effects: ProgramEffects, source: Word | undefined, prefix: Word, suffix: Word | undefined): ProgramEffects {
  const read: NamedPath[] = source ? [{ word: source, use: "reads" }] : [];
  const isPlain = prefix.kind === "literal" && !startsProtected(path.basename(prefix.text));
  const isKnown =
    suffix === undefined || (suffix.kind === "literal" && /^[\w%-]*(\.(txt|csv|tsv|md|log|sql|json|jsonl|part))?$/.test(suffix.text));
  if (!isPlain || !isKnown) return { ...effects, doubts: [...effects.doubts, "writes parts under names that are not judged"] };
  return {
    ...effects,
    paths: [...effects.paths, ...read, { word: literal(path.dirname(prefix.text)), use: "edits", search: { fills: true } }],
  };
}

/** `gzip a`: makes `a.gz`, or `a` of `a.gz`. */
export const compressor: Program = ({ name, words }) => {
  const { seen, operands } = parseArguments(printing, words);
  if (operands.length === 0 || ["-c", "--stdout", "--to-stdout"].some((flag) => seen.has(flag))) return classifyByTable(printing, words);
  const effects = classifyByTable(writers[name] ?? { acts: true, flags: "-d -k -f -q -v", operands: "moves" }, words);
  const packed = (file: string) => file + (ENDINGS[name] ?? "");
  const made = effects.paths.flatMap(({ word }) => [packed, ...UNPACKINGS].flatMap((rename) => derivedFile(word, rename)));
  const isPlain = words.every(({ kind, text }) => kind === "literal" && (!text.startsWith("-") || /^-[dkfqv1-9]+$/.test(text)));
  return { ...effects, paths: [...effects.paths, ...made], ...(isPlain ? { onlyEdits: true as const } : {}) };
};

/** With `-c` a compressor prints and changes no file. */
const printing: Table = {
  flags: "-c -d -k -f -v -q -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --to-stdout --decompress --keep --force --verbose --quiet",
  operands: "reads",
};

/** `unzip` unpacks, unless a flag makes it list, test or print. */
export const unzip: Program = ({ words }) => {
  const { seen, unknown } = parseArguments(listing, words);
  const isListing = unknown.length === 0 && ["-l", "-p", "-t", "-v", "-c", "-Z"].some((flag) => seen.has(flag));
  return classifyByTable(isListing ? listing : (writers["unzip"] ?? {}), words);
};

const listing: Table = { flags: "-l -p -t -v -c -Z -1 -q", flagsFirst: true, operands: "reads" };

/** `sort -o -` writes a file of the name `-`, not its output. */
export const sort: Program = ({ words }) => {
  const effects = classifyByTable(readers["sort"] ?? {}, words);
  const isDash = ({ word, use }: NamedPath) => use === "writes" && word.kind === "literal" && word.text === "-";
  return { ...effects, paths: effects.paths.map((each) => (isDash(each) ? { ...each, word: literal("./-") } : each)) };
};
