import path from "node:path";
import { byTable } from "./by-table.ts";
import type { NamedPath, Program } from "./program.ts";
import { writers } from "./table/writers.ts";
import { literal, type Word } from "./word.ts";

/** The file that a program makes beside one that it is given, under a name made from the other; of a pattern the whole folder. */
export function beside(word: Word, rename: (name: string) => string): NamedPath[] {
  if (word.kind === "open") return [];
  const named =
    word.kind === "pattern" ? `${path.dirname(word.text)}/` : path.join(path.dirname(word.text), rename(path.basename(word.text)));
  return [{ word: literal(named), use: "edits" }];
}

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
  return {
    ...deeds,
    paths: [...deeds.paths, ...(made ? beside(made.word, (name) => (path.extname(name) === "" ? `${name}.zip` : name)) : [])],
  };
};

/** `gzip a`: makes `a.gz`, or `a` of `a.gz`. */
export const compressor: Program = ({ name, words }) => {
  const deeds = byTable(writers[name] ?? {}, words);
  const ending = ENDINGS[name] ?? "";
  const rename = (file: string) => (file.endsWith(ending) ? file.slice(0, -ending.length) : file + ending);
  return { ...deeds, paths: [...deeds.paths, ...deeds.paths.flatMap(({ word }) => beside(word, rename))] };
};
