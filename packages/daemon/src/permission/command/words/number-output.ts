import type { CommandNode, Script } from "../shell/parse.ts";
import { pipelineOf, plainWordsOf, textOf } from "./pipelines.ts";
import { aNumber, aProcess, type Value } from "./word.ts";

/** Returns an example of the numbers that the commands of a substitution print. Undefined if they may print anything else. */
export function numberOf(script: Script): Value | undefined {
  const all = pipelineOf(script);
  const numbers = numbersFrom(all);
  if (numbers) return { ...numbers, several: !all.some((each) => ONE_LINE.test(textOf(each))) };
  return isNumberPrinted(all) ? aNumber : undefined;
}

const ONE_LINE = /^(head|tail) -(n ?)?1$|^[ef]?grep (-\w+ )*-\w*m1n? /;

function isNumberPrinted(all: readonly CommandNode[]): boolean {
  const commands = all.length > 1 && REMOVES_BLANKS.test(textOf(all.at(-1))) ? all.slice(0, -1) : all;
  const last = commands.at(-1);
  if (!last) return false;
  return NUMBER.test(textOf(last)) || ((commands.length > 1 || readsFile(last)) && COUNT.test(textOf(last)));
}

/** Returns an example of the numbers that the commands of a pipeline print, one in each line. Undefined if they may print anything else. */
export function numbersFrom(commands: readonly CommandNode[]): Value | undefined {
  if (printLineNumbers(commands.map(plainWordsOf))) return aNumber;
  const [first = "", ...filters] = commands.map(textOf);
  if (!NUMBERS.test(first) || !filters.every((filter) => KEEPS_LINES.test(filter))) return undefined;
  return /^(pgrep|lsof)/.test(first) ? aProcess : aNumber;
}

/** True for `grep -n text file | cut -d: -f1`. About a binary file, grep prints a line of words, which is no number for any program. */
function printLineNumbers([search, ...filters]: readonly (readonly string[] | undefined)[]): boolean {
  const calls = filters.map((words) => words?.join(" ") ?? "");
  return (
    /^[ef]?grep\n(?=(-\w+\n)*-\w*n)(-(?:[nivwxEFPs]|m\d+)+\n)+[^-\n][^\n]*\n[\w.][\w./@-]*$/.test(search?.join("\n") ?? "") &&
    calls.some((call) => FIRST_FIELD.test(call)) &&
    calls.every((call) => FIRST_FIELD.test(call) || KEEPS_LINES.test(call))
  );
}

const FIRST_FIELD = /^(cut -d ?: -f ?1|awk -F ?: \{ ?print \$1 ?\})$/;
const KEEPS_LINES = /^(head|tail|sort)( -(n ?)?\d+| -n)?$/;
const NUMBERS = /^(seq( \d+){1,3}|pgrep( -[fnoxi]+)* [\w./][\w./-]*|lsof(?=.* -\w*t)( -[tnP]+| -t?i ?(tcp)?:\d+| -sTCP:LISTEN)+)$/;

/** Programs that print one number, whatever their arguments are. With several files, `grep -c` prints file names too. */
const NUMBER =
  /^(nproc|date (-u |-d \S+ )*\+%[sYu](%[sYmdHMSjuVNy])*|id -[ug]|git rev-list --count( --(no-merges|merges|first-parent|all|(since|until|after|before|author)=\S+))*( [\w./@^~$][\w./@^~$-]*)*|stat (-L )?(-c ?|--format=|--printf=)%[sYXZhiu] [^*?[\]{} ]+|grep (-[ivwxEFPhs]*c[ivwxEFPhs]*|--count) ([^-\s]\S*)? [^-*?[\]{} ][^*?[\]{} ]*)$/;
/** Programs that print one number when they read standard input. */
const COUNT = /^(wc -[lcwmL]|[ef]?grep (-[ivwxEFPhs]*c[ivwxEFPhs]*|--count) [^-\s]\S*)$/;
const REMOVES_BLANKS = /^tr -d ( |\[:space:\]|\[:blank:\])$/;

const readsFile = (node: CommandNode): boolean =>
  node.type === "Command" && node.suffix.some((each) => each.type === "Redirect" && each.operator === "<");
