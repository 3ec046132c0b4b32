import { matchesWildcard } from "@baton/core/permission/wildcard";
import { sortArguments, type Sorted } from "./parse-arguments.ts";
import { byTable } from "./classify-by-table.ts";
import { isOrdinaryName } from "./find.ts";
import type { Deeds, Program, Search } from "./program-types.ts";
import { readers } from "../tables/readers.ts";
import { unhidden } from "./ripgrep-hidden.ts";
import { literal } from "../shell/word.ts";

/** `grep -r`: reads every file below a folder, hidden ones as well; without a folder, below this one. `-R` follows links. */
export const grep: Program = ({ words }) => {
  const deeds = byTable(readers["grep"] ?? {}, words);
  const sorted = sortArguments(readers["grep"] ?? {}, words);
  const follows = has(sorted, "-R --dereference-recursive");
  if (!follows && !has(sorted, "-r --recursive") && !sorted.given.some(recurses)) return deeds;
  return { ...deeds, paths: searching(deeds.paths, sorted, { follows, leavesOut: () => (name) => !isLookedInto(name, sorted) }) };
};

const recurses = ({ flag, value }: Sorted["given"][number]): boolean =>
  /^(-d|--directories)$/.test(flag) && (value?.kind !== "literal" || value.text.startsWith("r"));

/** The last of `--include` and `--exclude` that matches says it; without any, a first `--include` leaves all else out. */
function isLookedInto(name: string, { given }: Sorted): boolean {
  const chosen = given.filter(({ flag }) => flag === "--include" || flag === "--exclude");
  const last = chosen.findLast(({ flag, value }) => {
    const isPlain = value?.kind !== "open" && value !== undefined && !/[[\\/]/.test(value.text);
    return isPlain ? matchesWildcard(value.text, name) : flag === "--include";
  });
  return last === undefined ? chosen[0]?.flag !== "--include" : last.flag === "--include";
}

/** `rg` leaves out what is hidden, and what `.gitignore` names, unless flags or globs want it. `-L` follows links. */
export const rg: Program = ({ words }) => {
  const deeds = byTable(readers["rg"] ?? {}, words);
  const sorted = sortArguments(readers["rg"] ?? {}, words);
  const globs = words.flatMap(({ text }, i) => globsOf(text, words[i - 1]?.text));
  const follows = has(sorted, "-L --follow");
  const unrestricted = sorted.given.filter(({ flag }) => flag === "-u" || flag === "--unrestricted").length;
  const isAll = unrestricted > 1 || has(sorted, "--hidden -. --type-add") || globs.some((glob) => !isOrdinaryName(glob));
  if (!isAll && !follows && (globs.length > 0 || has(sorted, NAMING))) return deeds;
  const paths = searching(deeds.paths, sorted, { follows, ...(isAll ? {} : { leavesOut: leavesHidden }) });
  return { ...deeds, paths };
};

function leavesHidden(folder: string): (name: string, below: string) => boolean {
  const isBroughtIn = unhidden(folder);
  return (_, below) => HIDDEN.test(below) && !isBroughtIn(below);
}

const HIDDEN = /(^|\/)\.[^/]*/;
const NAMING = "-l -c -q --files --files-with-matches --files-without-match --count --count-matches --quiet --type-list --version";

const has = ({ seen }: Sorted, flags: string): boolean => flags.split(" ").some((flag) => seen.has(flag));

/** The names that a `-g` of rg chooses, each alternative by itself; those that it leaves out do not count. */
function globsOf(text: string, before: string | undefined): string[] {
  const glob = /^(-g|--i?glob)$/.test(before ?? "") ? text : /^(?:-g|--i?glob=)(.+)$/s.exec(text)?.[1];
  if (glob === undefined || glob.startsWith("!")) return [];
  const [, head, list, tail] = /^([^{]*)\{([^{}]*)\}([^{]*)$/.exec(glob) ?? [];
  const all = list === undefined ? [glob] : list.split(",").map((each) => `${head}${each}${tail}`);
  return all.filter((each) => !/^\w.*\/\*+$/.test(each)).map((each) => each.slice(each.lastIndexOf("/") + 1));
}

/** `diff`: of two folders it compares what is in them, and follows links there. */
export const diff: Program = ({ words }) => {
  const deeds = byTable(readers["diff"] ?? {}, words);
  return {
    ...deeds,
    paths: deeds.paths.map((each) => (each.use === "reads" ? { ...each, use: "searches", search: { follows: true } } : each)),
  };
};

/** A search reads every file below its operands, or below the working folder when it has none. Files that flags name are read as they are. */
function searching(paths: Deeds["paths"], { operands }: Sorted, search: Search): Deeds["paths"] {
  const isSearched = ({ word, use }: Deeds["paths"][number]) => use === "reads" && operands.includes(word);
  const all = paths.map((each) => (isSearched(each) ? { word: each.word, use: "searches" as const, search } : each));
  return paths.some(isSearched) ? all : [...all, { word: literal("."), use: "searches", search }];
}
