import { assignedBy, isNumericTerm } from "./arithmetic.ts";
import { areNumbers, areProcesses, numberOf, pipelineOf, plainPipeline, redirectsOf, textOf } from "./number-output.ts";
import { nodesIn, type Command, type Pipeline, type Script, type SyntaxNode, type Word, type WordPart } from "../shell/parse.ts";
import { ownVariable } from "./harmless-variables.ts";
import { aNumber, aProcess, type Value } from "./word.ts";

const SETTING = new Set("mapfile readarray printf getopts let unset declare local typeset export readonly eval wait".split(" "));

/**
 * `times`: how often a script assigns a value to each name, including loops and `read`. The count is more than one where the
 * assignments cannot be counted. `texts`: names that may hold something other than a number. `computed`: names that may hold something
 * other than the number of a process. `several`: names that may hold several numbers.
 */
export type Assigned = {
  times: ReadonlyMap<string, number>;
  texts: ReadonlySet<string>;
  computed: ReadonlySet<string>;
  several: ReadonlySet<string>;
};

const nothingAssigned: Assigned = { times: new Map(), texts: new Set(), computed: new Set(), several: new Set() };
/** A value that is the number of a process. */
const PROCESS = /^"?\$(!|\((pgrep|lsof) [^;&|]*\))"?$/;

export function assignedIn(script: Script, before: Assigned = nothingAssigned): Assigned {
  const times = new Map(before.times);
  const texts = new Set(before.texts);
  const computed = new Set(before.computed);
  const several = new Set(before.several);
  const values: [name: string, value: Word, isList?: true][] = [];
  const count = (name: string, more = 1) => times.set(name, (times.get(name) ?? 0) + more);
  const countText = (name: string, more = 1) => {
    count(name, more);
    texts.add(name);
  };
  const readers = new Map<unknown, boolean>();
  for (const node of nodesIn(script)) {
    const reader = node.type === "Pipeline" ? readerOfNumbers(node) : undefined;
    if (reader && node.type === "Pipeline") readers.set(reader, areProcesses(node.commands.slice(0, -1)));
    if (readers.has(node) && node.type === "Command") {
      for (const [name, more] of setBy(node)) {
        count(name, more);
        if (!readers.get(node)) computed.add(name);
      }
    } else if (node.type === "Assignment") {
      count(node.name);
      if (node.value.type === "Word" && node.index === undefined) values.push([node.name, node.value]);
      else texts.add(node.name);
    } else if (node.type === "For" && node.wordlist) {
      count(node.name.value);
      for (const word of node.wordlist) values.push([node.name.value, word, true]);
    } else if (node.type === "For" || node.type === "Select") countText(node.name.value);
    else if (node.type === "ArithmeticBinary" || node.type === "ArithmeticUnary") {
      const name = assignedBy(node) ?? "";
      count(name);
      computed.add(name);
    } else if (node.type === "Command") for (const [name, more] of setBy(node)) countText(name, more);
  }
  // A variable that gets its value from a variable with text or with several numbers holds the same.
  for (let size = -1; size !== texts.size + several.size;) {
    size = texts.size + several.size;
    for (const [name, value, isList] of values) {
      if (!texts.has(name) && !isNumeric(value, (of) => times.has(of) && !texts.has(of), isList)) texts.add(name);
      if (!isList && holdsSeveral(value, several)) several.add(name);
    }
  }
  for (const [name, { text }] of values) if (!PROCESS.test(text)) computed.add(name);
  return { times, texts, computed, several };
}

/** Returns the `read` of a loop such as `seq 1 3 | while read -r i`, if all its lines are numbers. */
function readerOfNumbers(node: Pipeline): SyntaxNode | undefined {
  const commands = plainPipeline(node);
  const last = commands.at(-1);
  const reader = last?.type === "While" ? last.clause.commands[0]?.command : undefined;
  const isOne = reader?.type === "Command" && redirectsOf(reader).length === 0 && /^read( -r)? \w+$/.test(textOf(reader));
  return isOne && areNumbers(commands.slice(0, -1)) ? reader : undefined;
}

const holdsSeveral = (value: Word, several: ReadonlySet<string>): boolean =>
  nodesIn(value).some((node) =>
    node.type === "CommandExpansion"
      ? node.script && numberOf(node.script)?.several
      : /^(Simple|Parameter)Exp/.test(node.type) && several.has((node as WordPart).text.replaceAll(/\W/g, "")),
  );

/** True if a value consists of numbers as long as these names hold numbers. */
function isNumeric({ value, parts }: Word, holdsNumber: (name: string) => boolean, isList = false): boolean {
  const isNumericPart = (part: WordPart): boolean => {
    if (part.type === "Literal" || part.type === "SingleQuoted") return /^\d*$/.test(part.value);
    if (part.type === "ArithmeticExpansion") return true; // the gate judges the expression itself
    if (part.type === "BraceExpansion") return /^\{\d+\.\.\d+\}$/.test(part.text);
    if (part.type === "SimpleExpansion" || part.type === "ParameterExpansion") return isNumericTerm(part.text, { isNumber: holdsNumber });
    if (part.type === "DoubleQuoted") return part.parts.every(isNumericPart);
    if (part.type !== "CommandExpansion" || part.script === undefined) return false;
    return numberOf(part.script) !== undefined && (isList || !areNumbers(pipelineOf(part.script)));
  };
  return parts === undefined ? /^-?\d*$/.test(value) : parts.every(isNumericPart);
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
export function numberIn(name: string, { times, texts, computed, several }: Assigned): Value | undefined {
  const isNumber =
    times.has(name) && !times.has(ANY) && !texts.has(name) && !texts.has(ANY) && ownVariable(name) && process.env[name] === undefined;
  return isNumber ? { ...(computed.has(name) ? aNumber : aProcess), ...(several.has(name) ? { several: true } : {}) } : undefined;
}
