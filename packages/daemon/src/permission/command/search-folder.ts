import { byTable } from "./by-table.ts";
import type { Deeds, Program } from "./program.ts";
import { readers } from "./table/readers.ts";
import { literal, type Word } from "./word.ts";

/** `grep -r`: reads every file below a folder, hidden ones as well; without a folder, below this one. */
export const grep: Program = ({ words }) => {
  const deeds = byTable(readers["grep"] ?? {}, words);
  if (!words.some(({ text }) => RECURSIVE.test(text)) || words.some(leavesSecretsOut)) return deeds;
  return { ...deeds, paths: searching(deeds.paths) };
};

/** `--include=*.ts`, `--exclude=.env*`: such files are not looked into. */
const leavesSecretsOut = ({ kind, text }: Word): boolean =>
  kind !== "open" && (/^--include=[^=]*\.[a-z]+$/.test(text) ? !text.endsWith("env") : /^--exclude=\.env\*$/.test(text));

/** `rg --hidden`, `rg -uu`: what it leaves out by itself is looked into as well. */
export const rg: Program = ({ words }) => {
  const deeds = byTable(readers["rg"] ?? {}, words);
  if (!words.some(({ text }) => HIDDEN.test(text))) return deeds;
  return { ...deeds, paths: searching(deeds.paths) };
};

const HIDDEN = /^(--hidden|-[a-zA-Z]*\.|-[a-zA-Z]*u[a-zA-Z]*u)/;

/** What is read, with all that lies below it; without any, what lies below this folder. */
function searching(paths: Deeds["paths"]): Deeds["paths"] {
  const searched = paths.filter(({ use }) => use === "reads").map(({ word }) => ({ word, use: "searches" as const }));
  return searched.length > 0 ? searched : [{ word: literal("."), use: "searches" }];
}

const RECURSIVE = /^-[a-zA-Z]*[rR]|^--(dereference-)?recursive$/;
