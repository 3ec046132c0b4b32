import { holdsOddNames } from "../files/find-secrets.ts";
import { mayReadAll } from "../files/listed-files.ts";
import { classifyProgram } from "../programs/classify-program.ts";
import type { Call, ExtraArguments, Listing, ProgramEffects } from "../programs/program-types.ts";
import { COUNTING, MEASURING } from "../programs/xargs.ts";
import type { ShellContext } from "./shell-context.ts";
import { literal, type Word } from "./word.ts";

/** Programs for which a number is no file. */
const NUMBERED = new Set("echo printf ps test [".split(" "));
/** Programs that show files, and that no argument makes do more. */
export const SHOWING = new Set("cat head tail wc grep egrep fgrep nl cksum md5sum sha1sum sha256sum".split(" "));

/** Whether it is the same for judging what else comes in as arguments. */
export function takesMore(call: Call, effects: ProgramEffects, more: ExtraArguments, context: ShellContext): boolean {
  const { name: base, words } = call;
  if (more === "none" || (typeof more === "object" && more.isExact && effects.args && effects.args.length > 0)) return true;
  if (more === "numbers") return base === "kill" || (effects.reads && !effects.isWrapper && NUMBERED.has(base));
  if (more !== "any" && base === "git" && tellsOfFile(words)) return staysWhole(more, base, context);
  const isMeasured = more !== "any" && MEASURING.has(base) && !words.some(({ text }) => /^-\w*f$|^--files/.test(text));
  const isShown = () =>
    more !== "any" &&
    (SHOWING.has(base) || (more.isOrdinary && readsMore(call))) &&
    staysWhole(more, base, context) &&
    mayReadAll(more, context);
  return effects.reads && !effects.isWrapper && (COUNTING.has(base) || isMeasured || isShown());
}

/** Whether each name of a list becomes exactly one argument, and none of them a flag. */
export const staysWhole = (listing: Listing, base: string, { cwds }: ShellContext): boolean =>
  (listing.isExact === true && base !== "perl") || !cwds.some(holdsOddNames); // perl takes names such as `x|` for commands

/** Whether a program changes two more files that are added to its words, and does nothing else. */
export function editsMore(call: Call): boolean {
  if (call.words.some(({ text }) => text.includes("{}"))) return false;
  const { onlyEdits, doubts, paths } = classifyProgram({ ...call, words: [...call.words, ...STAND_INS] });
  return (
    onlyEdits === true && doubts.length === 0 && STAND_INS.every((word) => paths.some((path) => path.word === word && path.use === "edits"))
  );
}

/** Whether a program reads two more files that are added to its words, and does nothing else with them. */
function readsMore(call: Call): boolean {
  if (call.name === "git" || call.words.some(({ text }) => text.includes("{}"))) return false;
  const { reads, doubts, paths } = classifyProgram({ ...call, words: [...call.words, ...STAND_INS] });
  return (
    reads &&
    doubts.length === 0 &&
    STAND_INS.every((word) => paths.some(({ word: named, use }) => named === word && (use === "reads" || use === "searches")))
  );
}

/** `git log --oneline -- FILE`: tells of a file, and prints nothing that is in it. */
const tellsOfFile = ([first, ...words]: readonly Word[]): boolean =>
  first?.text === "log" &&
  words.at(-1)?.text === "--" &&
  words.every((word) => TELLING.test(word.kind === "open" ? word.prefix : word.text) && (word.kind !== "open" || word.single));

const TELLING = /^(--|-\d+|--oneline|--follow|--reverse|--no-merges|--(format|pretty|date)=.*)$/s;

const STAND_INS = ["./a.ts", "./b.ts"].map(literal);
