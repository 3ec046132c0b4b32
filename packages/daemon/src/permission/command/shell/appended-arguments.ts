import path from "node:path";
import { expand } from "../files/path-accesses.ts";
import { isFolder } from "../files/path-on-disk.ts";
import { holdsOddNames, isOddName } from "../files/find-secrets.ts";
import { entriesOf } from "../files/walk-folder.ts";
import { mayReadAll } from "../files/listed-file-accesses.ts";
import { classifyProgram } from "../programs/classify-program.ts";
import type { ProgramInvocation, ExtraArguments, FileListing, ProgramEffects } from "../programs/program-types.ts";
import { readsCode } from "../programs/shell-program.ts";
import { COUNTING } from "../programs/find-and-xargs.ts";
import type { ShellContext } from "./shell-context.ts";
import { readers } from "../tables/readers.ts";
import { coveredPackages, verbTables } from "../tables/verb-tables.ts";
import { literal, type Word } from "../words/word.ts";
import { resolvePath } from "../files/physical-path.ts";

/** Programs that do not treat a number as a file name. */
export const NUMBERED = new Set("echo printf ps test [ kill".split(" "));
/** Programs that show files. No argument makes them do more than that. */
export const SHOWING = new Set("cat head tail wc grep egrep fgrep nl cksum md5sum sha1sum sha256sum".split(" "));

/** True if additional arguments do not change the verdict on this call. */
export function takesMore(call: ProgramInvocation, effects: ProgramEffects, more: ExtraArguments, context: ShellContext): boolean {
  const { name: base, words } = call;
  if (more === "none") return true;
  if (typeof more === "object" && effects.args && effects.args.length > 0) return more.isExact === true || staysWhole(more, base, context);
  if (more === "processes" && base === "kill") return true; // the other numbers may be 0
  if (more === "numbers" || more === "processes") return effects.reads && !effects.isWrapper && NUMBERED.has(base);
  const isTest = /^(test|\[)$/.test(base) || (base === "printf" && words.length === 0); // `-v` makes these of the shell evaluate or set a name
  if (!effects.reads || effects.isWrapper) return false;
  if (COUNTING.has(base) && (more === "any" || !isTest)) return true;
  if (typeof more !== "object" || !staysWhole(more, base, context)) return false; // `wc --files0-from=FILE` reads the file
  const isMeasured =
    isTest ||
    (/^(wc|file|du)$/.test(base) && (base === "du" || !more.seesHidden) && !words.some(({ text }) => /^-\w*f$|^--files/.test(text)));
  const isPathspec = base === "git" && words.some(({ text }) => text === "--");
  const isShown = SHOWING.has(base) || isPathspec || readsMore(call);
  // A commit may have hidden files that git no longer tracks.
  return (
    isMeasured ||
    (isShown && mayReadAll({ ...more, seesHidden: more.seesHidden || more.isTracked === false }, context, base.endsWith("grep")))
  );
}

/** True if each name of a list stays one argument and no flag. Notes the list, because this must hold for new files as well. */
export function staysWhole(listing: FileListing, base: string, { cwds, place }: ShellContext): boolean {
  const { isExact, isGlobbed = false, noFolders = [], roots, admits } = listing;
  const isFolderIn = (cwd: string) => noFolders.some((name) => expand(name, [cwd])?.some((each) => isFolder(resolvePath(cwd, each))));
  if ([...cwds, place.workspace].some(isFolderIn)) return false;
  place.usesLists.add(isGlobbed ? "globbed" : "plain");
  for (const name of noFolders) for (const cwd of cwds) place.usesLists.add(resolvePath(cwd, name));
  if (isExact === true && base !== "perl" && !isAnyFlag(listing, cwds)) return true; // perl runs names such as `x|` as commands
  const isOdd = (cwd: string, root: string) =>
    isOddName(root, listing) || holdsOddNames(resolvePath(cwd, root), listing, (file) => admits(file, cwd));
  return !cwds.some((cwd) => roots.some((root) => isOdd(cwd, root)));
}

/** True if a name in a list may be a flag. The names begin with a folder, unless that is the working directory. */
const isAnyFlag = ({ roots, admits }: FileListing, cwds: readonly string[]): boolean =>
  cwds.some((cwd) => roots.includes(".") && entriesOf(cwd).some(({ name }) => name.startsWith("-") && admits(path.join(cwd, name), cwd)));

/**
 * True if the program only edits files: two files that are added to its arguments are edited, and nothing else happens. To delete all
 * files of a folder is more than an edit of files that a pattern names.
 */
export function editsMore(call: ProgramInvocation, { isOrdinary, roots, admits }: FileListing): boolean {
  const isWhole = !isOrdinary || roots.some((root) => admits(path.resolve("/w", root, "any"), "/w"));
  if (isWhole && /^(rm|unlink|shred|truncate)$/.test(call.name)) return false;
  if (/^(sed|perl)$/.test(call.name) && call.words.some(({ text }) => KEEPS_COPY.test(text))) return false;
  return usesMore(call, Object.hasOwn(readers, call.name) ? /^moves$/ : /^edits$/)?.onlyEdits === true; // a reader may edit in place
}

/** True for a development tool such as `npx prettier --check`, which reads each file at the end of its call, and may change it. */
export function mayChangeAppendedFiles({ name, words }: ProgramInvocation, more: FileListing, context: ShellContext): boolean {
  const tool = name === "npx" ? (words.find(({ text }) => !text.startsWith("-"))?.text ?? "") : name;
  const isTool = coveredPackages.has(tool) && !Object.hasOwn(verbTables, tool) && !readsCode(tool);
  const last = words.at(-1)?.text ?? "";
  if (last.startsWith("-") && !STANDS_ALONE.test(last)) return false; // the name may be its value
  return isTool && more.isOrdinary && staysWhole(more, tool, context) && mayReadAll(more, context);
}

/** Flags of such tools without a value. */
const STANDS_ALONE =
  /^(--|-[wlvqi]|--(check|fix|write|list-different|quiet|noEmit|no-emit|verbose|diff|in-place|silent|color|no-color|fix-dry-run|strict|pretty|allow-empty|preserve|ignore-unknown|no-error-on-unmatched-pattern))$/;

/** True if a program only reads the two files that are added to its arguments. */
function readsMore(call: ProgramInvocation): boolean {
  return call.name !== "git" && usesMore(call, /^(reads|searches)$/)?.reads === true;
}

/** Returns the effects of a program with two more files in its arguments. Undefined unless it surely uses both in this way. */
function usesMore(call: ProgramInvocation, uses: RegExp): ProgramEffects | undefined {
  const effects = classifyProgram({ ...call, words: [...call.words, ...STAND_INS] });
  const isUsed = (file: Word) => effects.paths.some(({ word, use }) => word === file && uses.test(use));
  const isSure = effects.doubts.length === 0 && !call.words.some(({ text }) => text.includes("{}"));
  return isSure && STAND_INS.every(isUsed) ? effects : undefined;
}

const KEEPS_COPY = /^(-\w*i(?!$|\.?(bak|orig|old|tmp)$)|--in-place=)/; // under a name that rules may deny
const STAND_INS = ["./a.ts", "./b.ts"].map(literal);
