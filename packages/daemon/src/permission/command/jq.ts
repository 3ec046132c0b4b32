import { byTable } from "./by-table.ts";
import type { Deeds, Program } from "./program.ts";
import { readers } from "./table/readers.ts";
import type { Word } from "./word.ts";

const TEXTS = /^--arg(json)?$/;
const FILES = /^--(slurpfile|rawfile)$/;

/** `jq`: some of its flags are followed by a name and a value, or a name and a file. */
export const jq: Program = ({ words }) => {
  const rest: Word[] = [];
  const paths: Deeds["paths"] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const value = words[i + 2];
    const takesTwo = word?.kind === "literal" && value !== undefined && (TEXTS.test(word.text) || FILES.test(word.text));
    if (takesTwo && FILES.test(word.text)) paths.push({ word: value, use: "reads" });
    if (takesTwo) i += 2;
    else if (word) rest.push(word);
  }
  const deeds = byTable(readers["jq"] ?? {}, rest);
  return { ...deeds, paths: [...deeds.paths, ...paths] };
};
