import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { hasFlag, parseArguments, type ParsedArguments } from "../programs/parse-arguments.ts";
import type { ListFile } from "../files/list-file.ts";
import { isOrdinaryName, listedByFind } from "../programs/find-and-xargs.ts";
import { numbersFrom } from "./number-output.ts";
import { isInput, pipelineOf, plainWordsOf } from "./pipelines.ts";
import type { CommandNode, Redirection, Word as Node } from "../shell/parse.ts";
import { listingIn } from "./file-listing.ts";
import type { FileListing, ExtraArguments } from "../programs/program-types.ts";
import { readers } from "../tables/readers.ts";
import { aProcess, literal } from "./word.ts";

const SEARCH = "-v -i -E -F -w -x -e -q -s -m -P -G -a --invert-match --ignore-case --extended-regexp --fixed-strings --max-count --regexp";
const NAMING = `${SEARCH} -l -n -H -I --files-with-matches --files-without-match --null`;
const PART = "-n -q --lines --quiet";
/** Programs that drop or sort lines and add no new ones, with the flags that keep each line as it is. */
const FILTERS: Readonly<Record<string, string>> = {
  head: PART,
  tail: PART,
  sort: "-u -r -n -V -f -d -b -i -k -t -h -R -g -M -s --unique --reverse --numeric-sort --version-sort --random-sort --key",
  uniq: "-u -d -i -f -s -w --unique --repeated --ignore-case",
  grep: SEARCH,
  egrep: SEARCH,
  fgrep: SEARCH,
};

/** Returns what kind of names the commands before a pipe print. */
export function pipedArguments(commands: readonly CommandNode[], listFile: ListFile): ExtraArguments {
  const numbers = numbersFrom(commands);
  if (numbers) return numbers === aProcess ? "processes" : "numbers";
  const [first, ...filters] = commands.map(plainWordsOf);
  if (first && printCommits(first, filters)) return "commits";
  const ending = first?.some((word) => /^-(print0|-null|\w*[0zZ])$/.test(word)) ? " -z --zero-terminated --null-data" : "";
  const listing = first && filters.every((filter) => isFilter(filter, ending)) ? listingOf(first, listFile) : undefined;
  return listing ? { ...listing, endsWithNul: ending !== "" } : "any";
}

/** True if these commands print the name of one commit in each line, and nothing else. */
function printCommits([git = "", sub = "", ...words]: readonly string[], filters: readonly (readonly string[] | undefined)[]): boolean {
  const formats = words.filter((word) => COMMIT_FORMAT.test(word));
  if (git !== "git" || !/^(log|rev-list)$/.test(sub) || formats.length > 1 || !words.every((word) => COMMIT_WORD.test(word))) return false;
  const isFirst = ([name, ...more]: readonly string[] = []) => FIRST_FIELD.test([name, ...more].join("\n"));
  const isName = sub === "rev-list" ? formats.length === 0 : /=(format:)?%[hH]$/.test(formats[0] ?? "");
  const isLine = sub === "log" && formats.length === 1 && filters.some(isFirst);
  return (isName || isLine) && filters.every((filter) => isFilter(filter, "") || (isLine && isFirst(filter)));
}

/** Formats of `git log` that begin each line with the name of a commit. */
const COMMIT_FORMAT = /^(--oneline|--(format|pretty)=(oneline|(format:)?%[hH]( (%(s|an|ae|a[drsi]|c[drsi]|d|D|h|H)|[\w:,()|<> -])*)?))$/;
const COMMIT_WORD = new RegExp(
  String.raw`${COMMIT_FORMAT.source}|^(-(n ?)?\d+|-n|--(all|reverse|follow|no-merges|merges|first-parent)|--(max-count|since|until|after|before|author|grep)=.*|--|[\w./@~][\w./@^~-]*)$`,
);
/** Filters that keep the first word of each line. */
const FIRST_FIELD = /^(cut\n-d(\n)? \n-f(\n)?1|awk\n\{ ?print \$1 ?\})$/;

/** True for a filter that reads only the pipe and prints whole lines of it. With the flags in `ending`, its lines end with NUL. */
function isFilter([name = "", ...words]: readonly string[] = [], ending: string): boolean {
  const isSearch = name.endsWith("grep");
  const sorted = Object.hasOwn(FILTERS, name) ? onlyWith(FILTERS[name] + ending, isSearch ? "grep" : name, words) : undefined;
  const most = isSearch && !(sorted && hasFlag(sorted, "-e --regexp")) ? 1 : 0;
  const isTwice = (sorted?.operands.filter(({ text }) => text === "-").length ?? 0) > 1; // then head prints which input it is
  return sorted !== undefined && !isTwice && sorted.operands.filter(({ text }, i) => text !== "-" || i < most).length <= most;
}

/** Returns the sorted words of a call that has no flags but these. */
function onlyWith(flags: string, name: string, words: readonly string[]): ParsedArguments | undefined {
  const sorted = parseArguments(readers[name], words.map(literal));
  const known = new Set(flags.split(" "));
  return sorted.unknown.length === 0 && [...sorted.seen.keys()].every((flag) => known.has(flag)) ? sorted : undefined;
}

function listingOf([name = "", ...words]: readonly string[], listFile: ListFile): FileListing | undefined {
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (name === "git") return listedByGit(words);
  if (name === "find") return has(/^-(exec|ok|fpr|fls)/) ? undefined : listedByFind(words.map(literal));
  if (name === "echo") return ofNames(words);
  if (name === "printf") return ofNames(words[0] === "%s\\n" ? words.slice(1) : words.length === 1 ? (words[0] ?? "").split(/\\n/) : []);
  const list = LIST_READERS.test(name) ? listFile(listRead(name, words) ?? "") : undefined;
  if (list) return inFile(list);
  if (name !== "ls") return listedBySearch(name === "fdfind" ? "fd" : name, words);
  if (has(/^-(?!([1ACRSUXacdfhprtuv]+|-(color|all|almost-all|directory|reverse|sort|recursive).*)$)/)) return undefined;
  const names = words.filter((word) => !word.startsWith("-"));
  return areFiles(names) // for a folder, it would list the contents
    ? { ...ofFiles(names), seesHidden: true }
    : { ...listingIn([".", ...names], false), seesHidden: has(/^-\w*[aAf]|^--a|^(.*\/)?\.[^/]/) };
}

/** Returns a listing of known names. */
function ofNames(names: readonly string[]): FileListing | undefined {
  const known = names.filter((name) => name !== "");
  if (known.length === 0 || !known.every((name) => /^\w[\w@-]*[./][\w./@-]*$/.test(name))) return undefined;
  return { ...(areFiles(known) ? ofFiles(known) : listingIn(known, false)), seesHidden: true };
}

/** Programs that print whole lines of a file. */
const LIST_READERS = /^(cat|head|tail|sort|uniq|grep|egrep|fgrep)$/;

/** Returns the only file whose lines such a program prints. */
function listRead(name: string, words: readonly string[]): string | undefined {
  const sorted = onlyWith(name === "cat" ? "" : (FILTERS[name] ?? ""), name, words);
  const operands = sorted?.operands.slice(name.endsWith("grep") && sorted && !hasFlag(sorted, "-e --regexp") ? 1 : 0) ?? [];
  return operands.length === 1 ? operands[0]?.text : undefined;
}

/** Returns a listing of the names in a file of the workspace. */
export function namesIn(name: string, listFile: ListFile): FileListing | undefined {
  const list = listFile(name);
  return list && inFile(list);
}

/** Returns a listing of the names in a file. */
function inFile({ file, lines }: NonNullable<ReturnType<ListFile>>): FileListing | undefined {
  const listing = ofNames(lines);
  return listing && { ...listing, source: file };
}

/** True for names with an ending, which are mostly no folders. */
const areFiles = (names: readonly string[]): boolean => names.length > 0 && names.every((name) => /[^/]\.\w+$/.test(name));

/** Returns a listing of files by their names, which must not be folders. */
function ofFiles(names: readonly string[]): FileListing {
  const areOrdinary = names.every((name) => isOrdinaryName(name.slice(name.lastIndexOf("/") + 1)));
  return { ...listingIn(names, areOrdinary), noFolders: names };
}

function listedByGit([sub = "", ...words]: readonly string[]): FileListing | undefined {
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const [naming, others] = (Object.hasOwn(GIT_FLAGS, sub) ? GIT_FLAGS[sub] : undefined) ?? [];
  const isOdd = words.some((word, i) => word.startsWith("-") && (words[i - 1] === "-e" || !(naming?.test(word) || others?.test(word))));
  // From a folder of the repository, these reach others, or print names that begin at the root.
  const isElsewhere = has(/^:(?![!^]|\(exclude\))/) || (sub === "grep" && has(/(^|\/)\.\.(\/|$)/));
  if (!naming || isOdd || isElsewhere || (sub !== "ls-files" && !has(naming))) return undefined;
  const specs = words.filter((word, i) => !word.startsWith("-") && words[i - 1] !== "-x");
  const behind = words.includes("--") ? words.slice(words.indexOf("--") + 1) : [];
  // Of `git grep -l x src`, the first word is the pattern.
  const named = sub === "grep" && behind.length === 0 && !words.includes("-e") ? specs.slice(1) : behind;
  const listed = named.filter((spec) => !/^:([!^]|\(exclude\))/.test(spec)).map((spec) => spec.replace(/\/+$/, ""));
  // The names of a diff begin at the root, so a path may begin in any folder.
  const isBySpec = sub !== "ls-files" && listed.length > 0 && listed.every((spec) => /^(?!(.*\/)?\.\.?(\/|$))[\w*@][\w./*@-]*$/.test(spec));
  const fits = (file: string) => listed.some((spec) => matchesWildcard(`*/${spec}`, file) || matchesWildcard(`*/${spec}/*`, file));
  const isPlain = sub === "ls-files" && !specs.some((spec) => /^:|[[\\]/.test(spec));
  const places = isPlain ? specs.map((spec) => path.posix.normalize(spec)) : []; // git does not look for links in front of `..`
  const before = words.slice(0, words.includes("--") ? words.indexOf("--") : undefined);
  const isTracked = sub === "ls-files" || (sub === "diff" && before.every((word) => /^-(?!-(cached|staged|merge-base))/.test(word)));
  const listing = listingIn(places, true);
  return {
    ...listing,
    ...(isBySpec ? { admits: (file: string, cwd: string) => fits(file) && listing.admits(file, cwd) } : {}),
    isQuoted: !has(/^-\w*z/),
    isTracked,
    isSubset: sub !== "ls-files" || has(/^-\w*[md]|^--(modified|deleted)$/),
  };
}

/** Flags with which git prints names and nothing else: those that make it do so, and others. */
const GIT_FLAGS: Readonly<Record<string, readonly [naming: RegExp, others: RegExp]>> = {
  diff: [/^--name-only$/, /^(--cached|--staged|--diff-filter=\w+|-[zMwb]|--no-renames|--merge-base|--no-color|--no-ext-diff|--)$/],
  grep: [/^(-[iwEFPG]*l[iwEFPG]*|--files-with-matches|--name-only)$/, /^(-[iwEFPGIez]|--cached|--)$/],
  "ls-files": [/^(-[cmdz]+|--cached|--modified|--deleted)$/, /^(--deduplicate|--error-unmatch|--exclude-standard|-x|--exclude=.*|--)$/],
};

/** Searches that list files below their folders: the flags with which they list ordinary files, and those without which they print lines. */
const SEARCHES: Readonly<Record<string, readonly [flags: string, naming?: string]>> = {
  grep: [`${NAMING} -L -r -Z --recursive --include --exclude --exclude-dir`, "-l -L --files-with-matches --files-without-match"],
  rg: [`${NAMING} -S -0 -g -t -T -d -j --files --type --sort --max-depth --no-messages --no-heading`, "-l --files --files-with-matches"],
  fd: ["-e -t -d -E -g -0 --extension --type --exclude --max-depth"],
};

/** Returns the listing that a call such as `grep -rl x src --include='*.ts'` prints. */
function listedBySearch(name: string, words: readonly string[]): FileListing | undefined {
  const [flags, naming] = (Object.hasOwn(SEARCHES, name) ? SEARCHES[name] : undefined) ?? [];
  const sorted = flags === undefined ? undefined : onlyWith(flags, name, words);
  if (!sorted || (naming && !hasFlag(sorted, naming)) || (name === "grep" && !hasFlag(sorted, "-r --recursive"))) return undefined;
  const globs = sorted.occurrences.flatMap(({ flag, value }) => (/^(--include|-g|--glob)$/.test(flag) && value ? [value.text] : []));
  const included = globs.filter((glob) => !glob.startsWith("!"));
  const areKnown = included.every((glob) => isOrdinaryName(glob) && (name === "grep" || /^[\w.*-]+$/.test(glob)));
  const isOrdinary = name === "fd" ? !hasFlag(sorted, "-g") : areKnown && (name === "rg" || included.length > 0);
  const fits = (file: string) => included.length === 0 || !areKnown || included.some((pattern) => matchesWildcard(pattern, file));
  const places = sorted.operands.slice(hasFlag(sorted, "-e --regexp --files") && name !== "fd" ? 0 : 1).map(({ text }) => text);
  return { ...listingIn(places, isOrdinary, fits), skipsLinks: name !== "fd" }; // without `-L` and `-R`, a search passes over links below its operands
}

/** Returns the files that a word such as `$(git ls-files)` lists. */
export function filesListedBy({ parts }: Node, listFile: ListFile): FileListing | undefined {
  const [whole, ...others] = parts ?? [];
  const [only, ...more] = whole?.type === "DoubleQuoted" ? whole.parts : [whole];
  if (only?.type !== "CommandExpansion" || more.length > 0 || others.length > 0 || !only.script) return undefined;
  const listing = pipedArguments(pipelineOf(only.script), listFile);
  return typeof listing !== "object" ? undefined : whole?.type === "DoubleQuoted" ? listing : globbed(listing);
}

/** Returns what kind of names come in from `< <(git ls-files)` or `< names.txt`. Undefined for other redirects. */
export function namesRedirected([only, ...more]: readonly Redirection[], listFile: ListFile): ExtraArguments | undefined {
  const target = only?.type === "Redirect" && only.operator === "<" && isInput(only) ? only.target : undefined;
  const [part, ...others] = target?.parts ?? [];
  const isWhole = more.length === 0 && others.length === 0 && part?.type === "ProcessSubstitution" && part.operator === "<";
  const list = target && !target.parts && more.length === 0 ? listFile(target.value) : undefined;
  if (list) return inFile(list);
  return isWhole && part.script ? pipedArguments(pipelineOf(part.script), listFile) : undefined;
}

const globbed = ({ isExact: _, ...listing }: FileListing): FileListing => ({ ...listing, isGlobbed: true });

/** Returns the names of a word that consists only of a loop variable. */
export function filesNamedBy({ text }: Node, listed: ReadonlyMap<string, FileListing>): FileListing | undefined {
  const [, name = ""] = /^"?\$(\w+|\{\w+\})"?$/.exec(text) ?? [];
  const listing = listed.get(name.replaceAll(/[{}]/g, ""));
  return listing && !text.startsWith('"') ? globbed(listing) : listing;
}
