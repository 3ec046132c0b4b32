import { matchesWildcard } from "@baton/core/permission/wildcard";
import { listingIn } from "../words/file-listing.ts";
import { parseArguments } from "./parse-arguments.ts";
import { doubtful, UNKNOWN_ARGUMENT } from "./program-types.ts";
import type { ExtraArguments, FileListing, InnerCommand, ProgramClassifier, ProgramEffects } from "./program-types.ts";
import type { Table } from "../tables/argument-table.ts";
import { commitIn, literal, type Word } from "../words/word.ts";
import { wordSet } from "../tables/name-matcher.ts";

const ALONE = wordSet(`-print -print0 -ls -prune -quit -depth -d -xdev -mount -follow -daystart -noleaf -empty -readable -writable
  -executable -true -false -nouser -nogroup -not -a -and -o -or ! ( ) , -E -H -L -P -O1 -O2 -O3`);
const VALUED = wordSet(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -atime
  -ctime -mmin -amin -cmin -newermt -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -printf -fstype -used`);
const PATHS = wordSet("-newer -anewer -cnewer -samefile -lname -ilname");
const RUNNING = wordSet("-exec -execdir -ok -okdir");

/** Classifies `find`. Its expression may run programs, write files and delete files. */
export const find: ProgramClassifier = ({ words }) => {
  const effects: ProgramEffects = { reads: true, paths: [], doubts: [], runs: [] };
  let isExpression = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word) break;
    const text = word.text;
    if (word.kind === "open" && !(word.single && word.prefix !== "" && !isExpression && !word.prefix.startsWith("-"))) {
      effects.doubts.push(UNKNOWN_ARGUMENT);
      effects.reads = false;
    } else if (!isExpression && !/^[-(!]/.test(text)) effects.paths.push({ word, use: "names" });
    else {
      if (!/^-[HLPE]$|^-O\d$/.test(text)) isExpression = true;
      at += step(text, words, at, effects);
    }
  }
  return effects;
};

const SECRETS = [...wordSet(".env .env.local .env.production prod.env a.env.b id_rsa .npmrc .netrc credentials secrets.json .git config")];

/** Returns the names that `find` prints or passes to the programs that it runs. Undefined if it prints something else. */
export function listedByFind(words: readonly Word[]): FileListing | undefined {
  const texts = testsIn(words.map((word) => (word.kind === "literal" ? word.text.replaceAll(/[\n\t]/g, "\0") : "\0")));
  if (texts.some((text) => /^-(printf|follow|ls)(\t|$)/.test(text))) return undefined;
  const start = texts.findIndex((text) => /^[-(!]/.test(text) && !/^-[HPE]$|^-O\d$/.test(text));
  const roots = (start < 0 ? texts : texts.slice(0, start)).filter((text) => !text.startsWith("-"));
  const isTurned = texts.some((text, i) => /^(!|-not)$/.test(text) && texts[i + 1] === "(");
  const isAny = isTurned || texts.includes(",") || texts.includes("-L") || roots.includes("\0");
  if (isAny) return listingIn(roots.includes("\0") ? [] : roots, false);
  const alternatives = texts
    .slice(Math.max(start, 0))
    .join("\n")
    .split(/\n(?:-o|-or)\n/);
  const acts = (alternative: string) => ACTING.test(alternative);
  // If some alternatives have an action, the others print nothing. Those with `-prune` are then left out.
  const kept = alternatives.some(acts) ? alternatives.filter((each) => acts(each) || !/(^|\n)-prune(\n|$)/.test(each)) : alternatives;
  const names = kept.map((alternative) => namesIn(alternative.split(ACTING)[0] ?? ""));
  const fits = (name: string) => names.some((all) => all.every((pattern) => matchesWildcard(pattern.toLowerCase(), name.toLowerCase())));
  const isOrdinary = names.every((all) => all.some(isOrdinaryName));
  return { ...listingIn(roots, isOrdinary, fits), seesHidden: true };
}

/** Returns the parts of an expression, with the value of a test behind a tab. A value may look like another test. */
function testsIn(texts: readonly string[]): string[] {
  const tests: string[] = [];
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? "";
    tests.push(hasValue(text) && at + 1 < texts.length ? `${text}\t${texts[++at]}` : text);
  }
  return tests;
}

const hasValue = (text: string): boolean => VALUED.has(text) || PATHS.has(text) || /^-newer[aBcm][aBcmt]$/.test(text);

/** Actions of `find`. An action applies at once, so a test after it comes too late. */
const ACTING = /(?<=^|\n)-(?:print0?|exec|execdir|ok|okdir|delete)(?=\n|$)/;

/** Returns the name patterns that every file of an alternative matches. */
const namesIn = (alternative: string): string[] =>
  [...alternative.matchAll(/(?:^|\n)(?<!(?:!|-not)\n)-i?name\t([^\n]+)/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !/[[\\\0]/.test(name));

/** True if the pattern certainly matches no file with secrets. */
export const isOrdinaryName = (pattern: string): boolean =>
  !/[[\\\0]/.test(pattern) && !SECRETS.some((name) => matchesWildcard(pattern.toLowerCase(), name));

/** Reads one part of the expression. Returns how many further words belong to it. */
function step(text: string, words: readonly Word[], at: number, effects: ProgramEffects): number {
  if (/^-(L|follow)$/.test(text)) effects.doubts.push("follows symlinks");
  if (ALONE.has(text)) return 0;
  const value = words[at + 1];
  if (hasValue(text) && !PATHS.has(text)) return openValue(value, effects);
  if (PATHS.has(text) && value) {
    effects.paths.push({ word: value, use: "names" });
    return 1;
  }
  if (RUNNING.has(text)) return running(words, at, effects);
  const deleted = text === "-delete" ? listedByFind(words.slice(0, at + 1)) : undefined;
  if (deleted?.isOrdinary && !words.some(({ text: word }) => /^(-o|-or|,)$/.test(word))) {
    effects.runs?.push({ words: [literal("rm")], more: { ...deleted, isExact: true } }); // it deletes a folder only if it is empty
    return 0;
  }
  effects.reads = false;
  effects.doubts.push(text === "-delete" ? "deletes all that it finds" : `${text.slice(0, 40)} is no known part of an expression`);
  return 0;
}

function openValue(value: Word | undefined, effects: ProgramEffects): number {
  if (value?.kind !== "open" || value.single) return 1;
  effects.reads = false;
  effects.doubts.push(UNKNOWN_ARGUMENT);
  return 1;
}

function running(words: readonly Word[], at: number, effects: ProgramEffects): number {
  const end = words.findIndex(
    (word, i) => i > at && word.kind === "literal" && (word.text === ";" || (word.text === "+" && words[i - 1]?.text === "{}")),
  );
  if (end < 0) {
    effects.doubts.push("runs a program without an end");
    return words.length;
  }
  const inner = words.slice(at + 1, end);
  if (inner.length === 0 || inner[0]?.text.includes("{}")) effects.doubts.push("runs what it finds");
  if (words[at]?.text.endsWith("dir")) effects.doubts.push("runs a program in folders that are known only when it runs");
  const listing = listedByFind(words.slice(0, at + 1));
  effects.runs?.push(filledIn(inner, "{}", listing ? { ...listing, isExact: true } : "any"));
  return end - at;
}

const XARGS: Table = {
  flagsFirst: true,
  operands: "text",
  flags: "-0 -r -t -x -p --null --no-run-if-empty --verbose --exit",
  valued: "-n -P -L -s -d -E -I --max-args --max-procs --max-chars --delimiter",
  reads: "-a --arg-file",
  attached: "--max-lines --replace -l -i -e --eof",
};

/** Returns the files from which `xargs -a FILE` takes arguments. */
export const argumentFiles = (words: readonly Word[]): Word[] =>
  parseArguments(XARGS, words).occurrences.flatMap(({ flag, value }) => (/^(-a|--arg-file)$/.test(flag) && value ? [value] : []));

/** Classifies `xargs`, which runs its words with more arguments from its input. */
export const xargs: ProgramClassifier = ({ words, incoming: given }) => {
  const { unknown, isOpen, operands, seen, occurrences } = parseArguments(XARGS, words);
  const files = argumentFiles(words);
  const isOfFile =
    typeof given === "object" && given.source !== undefined && files.every(({ text }) => given.source?.endsWith(text) === true);
  const lines = files.length === 0 || isOfFile ? given : "any";
  const ends = seen.get("-d") ?? seen.get("--delimiter");
  const isExact = typeof lines === "object" && lines.endsWithNul === true && (seen.has("-0") || seen.has("--null"));
  // Any other character than a line end may be inside a name.
  const incoming = ends !== undefined && !/^(\\?\n|\\[n0])$/.test(ends.text) ? "any" : isExact ? { ...lines, isExact } : lines;
  if (unknown.length > 0) return doubtful(`${unknown[0]} is no flag of xargs that is known here`);
  if (isOpen) return doubtful(UNKNOWN_ARGUMENT);
  const inner = operands.length > 0 ? operands : [literal("echo")];
  // The last of these flags decides, except for one argument behind `-I`. Observed with findutils 4.9.
  const isShape = ({ flag, value }: (typeof occurrences)[number]) =>
    /^(-[IiLl]|--replace|--max-lines)$/.test(flag) || (/^(-n|--max-args)$/.test(flag) && !/^\s*\+?(0x)?0*1$/i.test(value?.text ?? ""));
  const shape = occurrences.findLast(isShape);
  const sign = shape && /^(-[Ii]|--replace)$/.test(shape.flag) ? (shape.value?.text ?? "{}") : undefined;
  const run = sign === undefined ? { words: inner, more: incoming } : filledIn(inner, sign, incoming);
  const paths = files.map((word) => ({ word, use: "reads" as const }));
  return { reads: true, paths, doubts: [], runs: [run], isWrapper: true };
};

/** Programs that only name or count their arguments, so it does not matter which files these are. */
export const COUNTING = new Set("ls stat basename dirname realpath readlink echo test [ printf".split(" "));
/**
 * Returns a command in which a placeholder such as `{}` stands for arguments from the input. At the end, it is one more argument. Elsewhere
 * its meaning depends on the text around it, so the word is open.
 */
export function filledIn(words: readonly Word[], sign: string, more: ExtraArguments): InnerCommand {
  const isLast = words.length > 1 && words.at(-1)?.text === sign; // the name of the program is never replaced
  const own = (isLast ? words.slice(0, -1) : words).map((word): Word => {
    const at = word.text.indexOf(sign);
    if (at >= 0 && more === "commits") return commitIn(word.text, sign);
    return at < 0 ? word : { kind: "open", text: word.text, prefix: word.text.slice(0, at), single: true };
  });
  return { words: own, more: isLast ? more : "none" };
}
