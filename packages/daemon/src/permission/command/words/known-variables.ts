import { isSetOnce, numberIn } from "./assigned-variables.ts";
import { knownOutput } from "./known-output.ts";
import { redirectsOf, textOf } from "./pipelines.ts";
import type { Command, CompoundList, PipelineNode } from "../shell/parse.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { expand } from "../files/path-accesses.ts";
import { ownVariable } from "./harmless-variables.ts";
import { ARGUMENTS, literal, readWord, type Word, type WordContext } from "./word.ts";

/**
 * Returns what is known of variables after a command. The value of `name=text` is certain if nothing else assigns the name. The elements of
 * `name=(a b)` are `name[0]` and `name[1]`, and `name[@]` is their number. After `name=(*.ts)`, `name[@]` is the pattern with the names that it
 * matches, because it is not certain which of them is the first one.
 */
export function assignedAfter(command: PipelineNode, context: ShellContext): Map<string, Word> {
  const node = command.type === "Command" ? asAssignment(command, context) : command;
  const variables = new Map(context.variables);
  const shift = context.isInFunction === true ? shiftsBy(command) : undefined;
  if (shift !== undefined) return withoutArguments(variables, shift);
  if (node.type === "Command" && redirectsOf(node).length > 0) return variables; // after a failed redirect, dash assigns nothing
  for (const each of node.type === "Command" && !node.name ? node.prefix : []) {
    if (each.type !== "Assignment" || each.index !== undefined || each.append) continue;
    if (!ownVariable(each.name) || !isSetOnce(each.name, context.assigned)) continue;
    if (each.value.type === "Word") {
      if (each.value.parts?.some(({ type }) => type === "BraceExpansion")) continue; // the shell keeps the braces of a value
      const [word, ...more] = readWord(each.value, wordContextAt({ ...context, variables }));
      if (word?.kind === "literal" && more.length === 0) variables.set(each.name, word);
    } else {
      const reading = wordContextAt({ ...context, variables });
      const words = each.value.elements.flatMap((element) => (element.text.startsWith("[") ? [UNKNOWN] : readWord(element, reading)));
      const [first, ...others] = words;
      if (first?.kind === "pattern" && others.length === 0)
        variables.set(`${each.name}[@]`, { ...first, names: namesAt(first.text, context) });
      if (words.length > MAX_ELEMENTS || words.some(({ kind }) => kind !== "literal")) continue;
      for (const [i, word] of words.entries()) variables.set(`${each.name}[${i}]`, word);
      variables.set(`${each.name}[@]`, literal(String(words.length)));
    }
  }
  return variables;
}

/** Returns the number of arguments that `shift` removes. */
export function shiftsBy(node: PipelineNode): number | undefined {
  if (node.type !== "Command" || redirectsOf(node).length > 0) return undefined;
  const [call, count = "1"] = /^shift(?: (\d))?$/.exec(textOf(node)) ?? [];
  return call === undefined ? undefined : Number(count);
}

/** Returns the variables without the first arguments of a function. If there are fewer, the shell removes none. */
function withoutArguments(variables: Map<string, Word>, shift: number): Map<string, Word> {
  const count = Number(variables.get(ARGUMENTS)?.text ?? 0);
  if (shift > count) return variables;
  const left = Array.from({ length: count - shift }, (_, i) => [String(i + 1), variables.get(String(i + 1 + shift)) ?? UNKNOWN] as const);
  const others = [...variables].filter(([name]) => !/^\d+$/.test(name));
  return new Map([...others, ...left, [ARGUMENTS, literal(String(left.length))]]);
}

/**
 * Reads `local name=value` in a function as the assignment that it is, and `readonly name=value` outside of loops and functions. Another call of them
 * stays a command. Also reads `exec` without a program as its redirects, if these only join the outputs or open a file for reading.
 */
export function asAssignment(node: Command, { isInFunction, depth, assigned, place }: ShellContext): Command {
  const { name, prefix, suffix } = node;
  if (prefix.length > 0) return node;
  if (name?.text === "exec" && suffix.length > 0 && suffix.every((each) => isPlainOpening(each, place.text)))
    return { ...node, name: undefined };
  const assignments = suffix.filter((each) => each.type === "Assignment");
  const isOwn = (each: string) => ownVariable(each) && (isInFunction === true || isSetOnce(each, assigned));
  const isPlain = assignments.length > 0 && assignments.length === suffix.length && assignments.every((each) => isOwn(each.name));
  if (name?.text !== (isInFunction ? "local" : depth === 1 ? "readonly" : "") || !isPlain) return node;
  return { ...node, name: undefined, prefix: assignments, suffix: [] };
}

/** True for `2>&1`, unless another command takes the output, for `3< file` and for `3<&-`. Later commands find both as they are. */
const isPlainOpening = (each: Command["suffix"][number], text: string): boolean =>
  each.type === "Redirect" &&
  each.descriptor?.type === "FileDescriptor" &&
  each.target !== undefined &&
  each.target.parts === undefined &&
  (each.operator === "<" || (each.operator === "<&" && each.target.value === "-")
    ? /^[3-9]$/.test(String(each.descriptor.value))
    : /^(2>&1|1>&2)$/.test(`${each.descriptor.value}${each.operator}${each.target.value}`) && !/(?<!\|)\|(?!\|)|`|[$<>]\(/.test(text));

const UNKNOWN: Word = { kind: "open", text: "", prefix: "", single: false };
const MAX_ELEMENTS = 40;

/** Returns the names that a pattern in a list matches now. Empty if the text may have changed them. */
const namesAt = (pattern: string, { cwds, place }: ShellContext): string[] => (place.made.size > 0 ? [] : (expand(pattern, cwds) ?? []));

/** Returns the variable of `while read -r name`. */
export function readLoopVariable({ commands: [only, ...more] }: CompoundList): string | undefined {
  const command = only?.command;
  if (more.length > 0 || command?.type !== "Command" || redirectsOf(command).length > 0) return undefined;
  // `IFS=x read f` removes a final `x` of each name.
  if (!command.prefix.every((each) => each.type === "Assignment" && each.text === "IFS=")) return undefined;
  return /^read(?: -r)? ([a-z]\w*)$/.exec(textOf({ ...command, prefix: [] }))?.[1];
}

/** Returns how to read words at this point of a script: with the variables and the output of substitutions that are certain. */
export function wordContextAt(context: ShellContext, doubt: WordContext["doubt"] = ignore): WordContext {
  const isSplit = (pattern: string) => {
    context.place.usesLists.add("globbed");
    return expand(pattern, context.cwds)?.some((name) => /[\s*?[\]]/.test(name) && name !== pattern) !== false;
  };
  const inner: WordContext["inner"] = (script) => script && knownOutput(script, context);
  const isPlace = (text: string) => isPlainPlace(text, context);
  return { variables: withFolder(context), isNumber: (name) => numberIn(name, context.assigned), isPlace, isSplit, doubt, inner };
}

/**
 * True for a number, and for a name that no variable has. In a list without names, the shell computes with the text in the brackets, and such a name
 * counts as 0 then.
 */
export const isPlainPlace = (text: string, { assigned: { times } }: Pick<ShellContext, "assigned">): boolean =>
  /^(0|[1-9]\d{0,5})$/.test(text) || (/^[a-z]\w*$/.test(text) && ownVariable(text) && !times.has(text) && !times.has("*"));

const ignore = (): void => {};

/** Adds `$PWD` where only one working directory is possible. */
function withFolder({ variables, cwds, assigned }: Pick<ShellContext, "variables" | "cwds" | "assigned">): WordContext["variables"] {
  const [cwd, ...more] = cwds;
  const isSure = cwd !== undefined && more.length === 0 && !assigned.times.has("PWD");
  return { get: (name) => (name === "PWD" && isSure ? literal(cwd) : variables.get(name)) };
}
