import path from "node:path";
import { sortArguments } from "./arguments.ts";
import { byTable } from "./by-table.ts";
import type { NamedPath, Program } from "./program.ts";
import type { Table } from "./table.ts";
import { readers } from "./table/readers.ts";
import { writers } from "./table/writers.ts";
import { literal, type Word } from "./word.ts";

/** The file that a program makes beside one that it is given, under a name made from the other; of a pattern the whole folder. */
export function beside(word: Word, rename: (name: string) => string): NamedPath[] {
  if (word.kind === "open") return [];
  const named =
    word.kind === "pattern" ? `${path.dirname(word.text)}/` : path.join(path.dirname(word.text), rename(path.basename(word.text)));
  return [{ word: literal(named), use: "edits" }];
}

/** The endings that these programs take away. Source: gzip(1), xz(1), bzip2(1), zstd(1). */
const UNPACKED = /([.-]gz|[.-]z|[._]Z|_z|\.(xz|lzma|bz2?|zst|lz4?|br|lzo))$/;

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
  const deeds = byTable(writers["zip"] ?? {}, words);
  const made = deeds.paths.find(({ use }) => use === "edits");
  const follows = !words.some(({ text }) => /^-\w*y|^--symlinks/.test(text)); // zip follows links unless told otherwise
  const paths = deeds.paths.map((each) => (each.use === "searches" ? { ...each, search: { follows } } : each));
  const named = made ? beside(made.word, (name) => (path.extname(name) === "" ? `${name}.zip` : name)) : [];
  return { ...deeds, paths: [...paths, ...(made ? [{ word: made.word, use: "reads" as const }] : []), ...named] };
};

/** `split FILE PREFIX`: the parts are `xaa`, `xab` and so on in the folder of the prefix, which is `x` by itself. */
export const split: Program = ({ words }) => {
  const deeds = byTable(writers["split"] ?? {}, words);
  const [, prefix = literal("x")] = sortArguments(writers["split"] ?? {}, words).operands;
  const made = prefix.kind === "literal" ? [`${prefix.text}aa`, path.dirname(prefix.text)] : [];
  return { ...deeds, paths: [...deeds.paths, ...made.map((name) => ({ word: literal(name), use: "edits" as const }))] };
};

/** `gzip a`: makes `a.gz`, or `a` of `a.gz`. */
export const compressor: Program = ({ name, words }) => {
  const { seen } = sortArguments(printing, words);
  if (["-c", "--stdout", "--to-stdout"].some((flag) => seen.has(flag))) return byTable(printing, words);
  const deeds = byTable(writers[name] ?? { acts: true, flags: "-d -k -f -q -v", operands: "moves" }, words);
  const packed = (file: string) => file + (ENDINGS[name] ?? "");
  const unpacked = (file: string) => file.replace(UNPACKED, "");
  const made = deeds.paths.flatMap(({ word }) => [...beside(word, packed), ...beside(word, unpacked)]);
  return { ...deeds, paths: [...deeds.paths, ...made] };
};

/** With `-c` a compressor prints and changes no file. */
const printing: Table = {
  flags: "-c -d -k -f -v -q -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --to-stdout --decompress --keep --force --verbose --quiet",
  operands: "reads",
};

/** `unzip` unpacks, unless a flag makes it list, test or print. */
export const unzip: Program = ({ words }) => {
  const { seen, unknown } = sortArguments(listing, words);
  const isListing = unknown.length === 0 && ["-l", "-p", "-t", "-v", "-c", "-Z"].some((flag) => seen.has(flag));
  return byTable(isListing ? listing : (writers["unzip"] ?? {}), words);
};

const listing: Table = { flags: "-l -p -t -v -c -Z -1 -q", flagsFirst: true, operands: "reads" };

/** `sort -o -` writes a file of the name `-`, not its output. */
export const sort: Program = ({ words }) => {
  const deeds = byTable(readers["sort"] ?? {}, words);
  const isDash = ({ word, use }: NamedPath) => use === "writes" && word.kind === "literal" && word.text === "-";
  return { ...deeds, paths: deeds.paths.map((each) => (isDash(each) ? { ...each, word: literal("./-") } : each)) };
};
