import { byTable } from "./by-table.ts";
import type { Program } from "./program.ts";
import { readers } from "./table/readers.ts";
import { literal, type Word } from "./word.ts";

/** `grep -r`: reads every file below a folder, hidden ones as well; without a folder, below this one. */
export const grep: Program = ({ words }) => {
  const deeds = byTable(readers["grep"] ?? {}, words);
  if (!words.some(({ text }) => RECURSIVE.test(text)) || words.some(leavesSecretsOut)) return deeds;
  const searched = deeds.paths.filter(({ use }) => use === "reads").map(({ word }) => ({ word, use: "searches" as const }));
  return { ...deeds, paths: searched.length > 0 ? searched : [{ word: literal("."), use: "searches" }] };
};

/** `--include=*.ts`, `--exclude=.env*`: such files are not looked into. */
const leavesSecretsOut = ({ kind, text }: Word): boolean =>
  kind !== "open" && (/^--include=[^=]*\.[a-z]+$/.test(text) ? !text.endsWith("env") : /^--exclude=\.env\*$/.test(text));

const RECURSIVE = /^-[a-zA-Z]*[rR]|^--(dereference-)?recursive$/;
