import { assignedBy, isNumericTerm } from "./arithmetic.ts";
import { numberOf, numbersFrom } from "./number-output.ts";
import { pipelineOf } from "./pipelines.ts";
import { nodesIn, type Command, type Script, type SyntaxNode, type Word } from "../shell/parse.ts";
import { ownVariable } from "./harmless-variables.ts";
import { aNumber, aProcess, type Value } from "./word.ts";

const SETTING = new Set("mapfile readarray printf getopts let unset declare local typeset export readonly eval wait".split(" "));

/**
 * `times`: how often a script assigns a value to each name, including loops and `read`. The count is more than one where the
 * assignments cannot be counted. `held`: an example of the numbers that a name holds, and undefined if it may hold something else.
 */
export type Assigned = { times: ReadonlyMap<string, number>; held: ReadonlyMap<string, Value | undefined> };

export function assignedIn(script: Script, before: Assigned = { times: new Map(), held: new Map() }): Assigned {
  const times = new Map(before.times);
  const held = new Map(before.held);
  const values: [name: string, value: Word, isList: boolean][] = [];
  const count = (name: string, more = 1) => times.set(name, (times.get(name) ?? 0) + more);
  const repeated = assignedAgain(script);
  const hold = (name: string, value: Value | undefined) => held.set(name, held.has(name) ? either(held.get(name), value) : value);
  for (const node of nodesIn(script)) {
    if (node.type === "Command") {
      for (const [name, more] of setBy(node)) {
        count(name, repeated.has(node) ? 2 : more);
        hold(name, undefined);
      }
    } else if (node.type === "Assignment") {
      count(node.name, repeated.has(node) ? 2 : 1);
      if (node.value.type === "Word" && node.index === undefined) values.push([node.name, node.value, false]);
      else hold(node.name, undefined);
    } else if (node.type === "For" && node.wordlist) {
      count(node.name.value, repeated.has(node) ? 2 : 1);
      for (const word of node.wordlist) values.push([node.name.value, word, true]);
    } else if (node.type === "For" || node.type === "Select") {
      count(node.name.value);
      hold(node.name.value, undefined);
    } else if (node.type === "ArithmeticBinary" || node.type === "ArithmeticUnary") {
      const name = assignedBy(node) ?? "";
      count(name);
      hold(name, aNumber);
    }
  }
  // A variable that gets its value from another one holds the same. Before anything is known of that one, it may be any number.
  const heldBy = (name: string) => (held.has(name) || !times.has(name) ? held.get(name) : aProcess);
  const state = () => JSON.stringify([...held.values()]);
  for (let last = ""; last !== state();) {
    last = state();
    for (const [name, value, isList] of values) hold(name, numberFrom(value, heldBy, isList));
  }
  return { times, held };
}

/**
 * Returns the nodes that assign variables in functions which may be called again while they run. Such a call changes a variable of the
 * first one, unless the variable is local.
 */
function assignedAgain(script: Script): ReadonlySet<SyntaxNode> {
  const functions = nodesIn(script).filter((node) => node.type === "Function");
  const names = new Set(functions.map(({ name }) => name.text));
  const mayCall = (node: SyntaxNode) =>
    node.type === "Command" &&
    node.name !== undefined &&
    (node.name.parts !== undefined || names.has(node.name.value) || /^(eval|source|\.|trap)$/.test(node.name.value));
  const nodes = functions.filter(({ body }) => nodesIn(body).some(mayCall)).flatMap(({ body }) => nodesIn(body));
  const own = new Set(nodes.flatMap((node) => (node.type === "Command" && node.name?.text === "local" ? nodesIn(node) : [])));
  return new Set(nodes.filter((node) => !own.has(node)));
}

/** Returns an example for two kinds of numbers. */
const either = (a: Value | undefined, b: Value | undefined): Value | undefined =>
  a && b && { ...(a.text === b.text ? a : aNumber), several: a.several === true || b.several === true };

/** Returns an example of a value that consists of numbers as long as these names hold numbers. */
function numberFrom(word: Pick<Word, "value" | "parts">, heldBy: (name: string) => Value | undefined, isList: boolean): Value | undefined {
  const { value, parts } = word;
  if (/^-?0./.test(value) || (parts && parts.length > 1 && !/^[1-9]/.test(value))) return undefined; // with a zero in front it is octal
  if (parts === undefined) return /^-?\d*$/.test(value) ? aNumber : undefined;
  const numbers = parts.map((part): Value | undefined => {
    if (part.type === "Literal" || part.type === "SingleQuoted") return /^\d*$/.test(part.value) ? aNumber : undefined;
    if (part.type === "ArithmeticExpansion") return aNumber; // the gate judges the expression itself
    if (part.type === "BraceExpansion") return /^\{(0|[1-9]\d*)\.\.(0|[1-9]\d*)\}$/.test(part.text) ? aNumber : undefined;
    if (part.type === "DoubleQuoted") return numberFrom({ value: part.text.slice(1), parts: part.parts }, heldBy, isList);
    if (part.type === "SimpleExpansion" || part.type === "ParameterExpansion") {
      const [, name] = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(part.text) ?? [];
      if (name !== undefined) return heldBy(name);
      return isNumericTerm(part.text, { isNumber: heldBy }) ? (part.text === "$!" ? aProcess : aNumber) : undefined;
    }
    if (part.type !== "CommandExpansion" || part.script === undefined) return undefined;
    const value = numberOf(part.script);
    return isList || value?.several !== true || !numbersFrom(pipelineOf(part.script)) ? value : undefined;
  });
  if (numbers.includes(undefined)) return undefined;
  const [only = aNumber, ...more] = numbers;
  return { ...(more.length === 0 ? only : aNumber), several: !isList && numbers.some((each) => each?.several) };
}

/** Returns the names that `read`, `export` and the like assign, also after `command` and `builtin`. A name that is not plain is `*`. */
function setBy({ name, suffix }: Command): [name: string, times: number][] {
  const words = [...(name ? [name] : []), ...suffix.filter((each) => each.type === "Word")];
  const at = words.findIndex(({ value }) => !/^(command|builtin|-p|--)$/.test(value));
  const program = words[at]?.value ?? "";
  if (at > 0 && words[at]?.parts) return [[ANY, 2]]; // the name of a builtin may come from a variable
  if (program !== "read" && !SETTING.has(program)) return [];
  const targets = words.slice(at + 1).flatMap(({ value, parts }): [string, number][] => {
    const [target = ""] = value.split("=");
    if (parts === undefined && (value === "" || /^[-+]/.test(value))) return [];
    const isName = /^[A-Za-z_]\w*$/.test(target) && !(parts && /[$`{]/.test(target));
    return [[isName ? target : ANY, program === "read" ? 1 : 2]];
  });
  return VALUES.has(program) ? targets.filter(([target]) => target !== ANY) : targets;
}

/** Programs whose arguments are mostly values. */
const VALUES = new Set(["printf", "wait", "let", "eval"]);
const ANY = "*";

/** True if the script assigns this name exactly once. */
export const isSetOnce = (name: string, { times }: Assigned): boolean => times.get(name) === 1 && !times.has(ANY);

/** Returns an example if a name always holds a number. Before the first assignment it is empty, which counts as 0. */
export const numberIn = (name: string, { times, held }: Assigned): Value | undefined =>
  times.has(ANY) || !ownVariable(name) || process.env[name] !== undefined ? undefined : held.get(name);
