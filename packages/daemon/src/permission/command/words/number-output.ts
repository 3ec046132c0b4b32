import type { CommandNode, Pipeline, Redirection, Script, Word } from "../shell/parse.ts";
import { aNumber, aProcess, type Value } from "./word.ts";

/** Returns an example of the numbers that the commands of a substitution print. Undefined if they may print anything else. */
export function numberOf(script: Script): Value | undefined {
  const [only, ...others] = script.commands;
  const all = pipelineOf(script);
  const lines = all.some((each) => ONE_LINE.test(textOf(each))) ? {} : SEVERAL;
  if (areNumbers(all)) return { ...(areProcesses(all) ? aProcess : aNumber), ...lines };
  if (only?.command.type !== "AndOr" || others.length > 0 || !only.command.operators.every((operator) => operator === "||"))
    return isNumberPrinted(all) ? aNumber : printsLineNumbers(all) ? { ...aNumber, ...lines } : undefined;
  // In `grep -c x f || echo 0`, each part prints a number. `grep` prints 0 as well.
  const parts = only.command.commands as readonly CommandNode[];
  const isNumber = parts.every((part) => ZERO.test(textOf(part)) || isNumberPrinted([part]) || printsLineNumbers([part]));
  return isNumber ? { ...aNumber, ...(parts.some((part) => textOf(part).startsWith("echo")) ? SEVERAL : {}) } : undefined;
}

const SEVERAL = { several: true } as const;
const ONE_LINE = /^(head|tail) -(n ?)?1$/;
const ZERO = /^(echo \d+|true|:)$/;

function isNumberPrinted(all: readonly CommandNode[]): boolean {
  const commands = all.length > 1 && REMOVES_BLANKS.test(textOf(all.at(-1))) ? all.slice(0, -1) : all;
  const last = commands.at(-1);
  if (!last) return false;
  return NUMBER.test(textOf(last)) || ((commands.length > 1 || readsFile(last)) && COUNT.test(textOf(last)));
}

/** True for a pipeline such as `grep -n word file | cut -d: -f1`: for a single file it prints line numbers. */
function printsLineNumbers([first, ...others]: readonly CommandNode[]): boolean {
  const [grep, ...words] = wordsOf(first);
  const operands = words.filter(({ text }) => !text.startsWith("-"));
  const isNumbered =
    grep?.value === "grep" && operands.length === 2 && operands.every(({ text }) => !/[$`*?[{~]/.test(text.replace(/^'[^']*'$/, "")));
  const flags = words.filter(({ text }) => text.startsWith("-")).map(({ text }) => text);
  const cut = others.findIndex((each) => /^cut (-d: -f1|-f1 -d:|-d : -f 1)$/.test(textOf(each)));
  const rest = others.filter((_, i) => i !== cut).map(textOf);
  return (
    isNumbered &&
    cut >= 0 &&
    /^(-[niwxEFPm1]+ ?)+$/.test(flags.join(" ")) &&
    flags.some((flag) => flag.includes("n")) &&
    rest.every((text) => /^(head|tail) -(n ?)?\d+$/.test(text))
  );
}

const wordsOf = (node: CommandNode | undefined): Word[] =>
  node?.type === "Command" && node.name ? [node.name, ...node.suffix.filter((each): each is Word => each.type === "Word")] : [];

/** True if the commands of a pipeline print only numbers of processes. */
export const areProcesses = (commands: readonly CommandNode[]): boolean =>
  areNumbers(commands) && /^(pgrep|lsof)/.test(textOf(commands[0]));

/** True if the commands of a pipeline print only numbers. */
export const areNumbers = (commands: readonly CommandNode[]): boolean => {
  const [first, ...filters] = commands.map(textOf);
  return first !== undefined && NUMBERS.test(first) && filters.every((filter) => /^(head|tail|sort)( -(n ?)?\d+| -n)?$/.test(filter));
};

const NUMBERS = /^(seq( \d+){1,3}|pgrep( -[fnoxi]+)* [\w./][\w./-]*|lsof(?=.* -\w*t)( -[tnP]+| -t?i ?(tcp)?:\d+| -sTCP:LISTEN)+)$/;

/** Programs that print one number, whatever their arguments are. With several files, `grep -c` prints file names too. */
const NUMBER =
  /^(nproc|date (-u |-d \S+ )*\+(%[sYmdHMSjuVNy])+|id -[ug]|git rev-list --count( --(no-merges|merges|first-parent|all|(since|until|after|before|author)=\S+))*( [\w./@^~$][\w./@^~$-]*)*|stat (-L )?(-c ?|--format=|--printf=)%[sYXZhiu] [^*?[\]{} ]+|grep (-[ivwxEFPhs]*c[ivwxEFPhs]*|--count) [^-\s]\S* [^-*?[\]{} ][^*?[\]{} ]*)$/;
/** Programs that print one number when they read standard input. */
const COUNT = /^(wc -[lcwmL]|[ef]?grep (-[ivwxEFPhs]*c[ivwxEFPhs]*|--count) [^-\s]\S*)$/;
const REMOVES_BLANKS = /^tr -d ( |\[:space:\]|\[:blank:\])$/;

const readsFile = (node: CommandNode): boolean =>
  node.type === "Command" && node.suffix.some((each) => each.type === "Redirect" && each.operator === "<");

/** Returns the commands of a script that is a single pipeline, and nothing for any other script. */
export function pipelineOf({ commands: [only, ...more] }: Script): CommandNode[] {
  if (!only || more.length > 0 || only.background || only.command.type === "AndOr") return [];
  return plainPipeline(only.command.type === "Pipeline" ? only.command : { commands: [only.command], operators: [] });
}

/** Returns the commands of a pipeline, and nothing if more than the output of each command goes into the next. */
export const plainPipeline = ({ commands, operators }: Pick<Pipeline, "commands" | "operators">): CommandNode[] =>
  operators.every((operator) => operator === "|") &&
  commands.every((each, i) => redirectsOf(each).every((one) => isQuiet(one) || (i === 0 && /^<(<|$)/.test(one.operator))))
    ? [...commands]
    : [];

export const redirectsOf = (node: CommandNode): Redirection[] =>
  node.type === "Command"
    ? [...node.prefix, ...node.suffix].flatMap((each) => (each.type === "Word" || each.type === "Assignment" ? [] : [each]))
    : [];

/** True for `2>/dev/null`. */
const isQuiet = (each: Redirection): boolean =>
  each.type === "Redirect" &&
  each.operator === ">" &&
  each.descriptor?.type === "FileDescriptor" &&
  each.descriptor.value === 2 &&
  each.target?.value === "/dev/null";

/** Returns a simple command as one text. A word with an expansion stays as it is written. Returns an empty text for any other command. */
export function textOf(node: CommandNode | undefined): string {
  if (node?.type !== "Command" || !node.name || node.prefix.length > 0) return "";
  return wordsOf(node)
    .map(({ parts, text, value }) => (parts?.some(({ type }) => !LITERAL.has(type)) ? text.replaceAll('"', "") : value))
    .join(" ");
}

const LITERAL = new Set(["Literal", "SingleQuoted"]);
