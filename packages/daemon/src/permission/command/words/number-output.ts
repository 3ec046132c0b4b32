import type { CommandNode, Script } from "../shell/parse.ts";
import { pipelineOf, textOf } from "./pipelines.ts";
import { aNumber, aProcess, type Value } from "./word.ts";

/** Returns an example of the numbers that the commands of a substitution print. Undefined if they may print anything else. */
export function numberOf(script: Script): Value | undefined {
  const all = pipelineOf(script);
  const numbers = numbersFrom(all);
  if (numbers) return { ...numbers, several: !all.some((each) => ONE_LINE.test(textOf(each))) };
  return isNumberPrinted(all) ? aNumber : undefined;
}

const ONE_LINE = /^(head|tail) -(n ?)?1$/;

function isNumberPrinted(all: readonly CommandNode[]): boolean {
  const commands = all.length > 1 && REMOVES_BLANKS.test(textOf(all.at(-1))) ? all.slice(0, -1) : all;
  const last = commands.at(-1);
  if (!last) return false;
  return NUMBER.test(textOf(last)) || ((commands.length > 1 || readsFile(last)) && COUNT.test(textOf(last)));
}

/** Returns an example of the numbers that the commands of a pipeline print, one in each line. Undefined if they may print anything else. */
export function numbersFrom(commands: readonly CommandNode[]): Value | undefined {
  const [first = "", ...filters] = commands.map(textOf);
  if (!NUMBERS.test(first) || !filters.every((filter) => /^(head|tail|sort)( -(n ?)?\d+| -n)?$/.test(filter))) return undefined;
  return /^(pgrep|lsof)/.test(first) ? aProcess : aNumber;
}

const NUMBERS = /^(seq( \d+){1,3}|pgrep( -[fnoxi]+)* [\w./][\w./-]*|lsof(?=.* -\w*t)( -[tnP]+| -t?i ?(tcp)?:\d+| -sTCP:LISTEN)+)$/;

/** Programs that print one number, whatever their arguments are. With several files, `grep -c` prints file names too. */
const NUMBER =
  /^(nproc|date (-u |-d \S+ )*\+%[sYu](%[sYmdHMSjuVNy])*|id -[ug]|git rev-list --count( --(no-merges|merges|first-parent|all|(since|until|after|before|author)=\S+))*( [\w./@^~$][\w./@^~$-]*)*|stat (-L )?(-c ?|--format=|--printf=)%[sYXZhiu] [^*?[\]{} ]+|grep (-[ivwxEFPhs]*c[ivwxEFPhs]*|--count) ([^-\s]\S*)? [^-*?[\]{} ][^*?[\]{} ]*)$/;
/** Programs that print one number when they read standard input. */
const COUNT = /^(wc -[lcwmL]|[ef]?grep (-[ivwxEFPhs]*c[ivwxEFPhs]*|--count) [^-\s]\S*)$/;
const REMOVES_BLANKS = /^tr -d ( |\[:space:\]|\[:blank:\])$/;

const readsFile = (node: CommandNode): boolean =>
  node.type === "Command" && node.suffix.some((each) => each.type === "Redirect" && each.operator === "<");
