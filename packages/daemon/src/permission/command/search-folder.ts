import { byTable } from "./by-table.ts";
import { isOrdinaryName } from "./find.ts";
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

/** `rg --hidden`, `rg -uu`, `rg -g .env`: what it leaves out by itself is looked into as well. */
export const rg: Program = ({ words }) => {
  const deeds = byTable(readers["rg"] ?? {}, words);
  if (!words.some(({ text }, i) => HIDDEN.test(text) || globsOf(text, words[i - 1]).some((glob) => !isOrdinaryName(glob)))) return deeds;
  return { ...deeds, paths: searching(deeds.paths) };
};

const HIDDEN = /^(--hidden|-[a-zA-Z]*\.|-[a-zA-Z]*u[a-zA-Z]*u)/;

/** The names that a `-g` of rg chooses, each alternative by itself; those that it leaves out do not count. */
function globsOf(text: string, before: Word | undefined): string[] {
  const glob = /^(-g|--i?glob)$/.test(before?.text ?? "") ? text : /^(?:-g|--i?glob=)(.+)$/s.exec(text)?.[1];
  if (glob === undefined || glob.startsWith("!")) return [];
  const [, head, list, tail] = /^([^{]*)\{([^{}]*)\}([^{]*)$/.exec(glob) ?? [];
  const all = list === undefined ? [glob] : list.split(",").map((each) => `${head}${each}${tail}`);
  return all.filter((each) => !/^\w.*\/\*+$/.test(each)).map((each) => each.slice(each.lastIndexOf("/") + 1));
}

/** What is read, with all that lies below it; without any, what lies below this folder. */
function searching(paths: Deeds["paths"]): Deeds["paths"] {
  const searched = paths.filter(({ use }) => use === "reads").map(({ word }) => ({ word, use: "searches" as const }));
  return searched.length > 0 ? searched : [{ word: literal("."), use: "searches" }];
}

const RECURSIVE = /^-[a-zA-Z]*[rR]|^--(dereference-)?recursive$/;
