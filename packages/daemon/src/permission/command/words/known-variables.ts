import { isSetOnce, numberIn } from "./assigned-variables.ts";
import { knownOutput } from "./known-output.ts";
import type { CompoundList, PipelineNode } from "../shell/parse.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { filesListedBy } from "./piped-arguments.ts";
import { expand } from "../files/path-accesses.ts";
import { ownVariable } from "./harmless-variables.ts";
import { isCertain, literal, readWord, type WordContext } from "./word.ts";

/** Returns the variables whose values are certain after a command. The value of `name=text` is certain if nothing else assigns the name. */
export function variablesAfter(node: PipelineNode, { variables, assigned, ...context }: ShellContext): ShellContext["variables"] {
  if (node.type !== "Command" || node.name) return variables;
  const after = new Map(variables);
  for (const each of node.prefix) {
    if (each.type !== "Assignment" || each.index !== undefined || each.append || !ownVariable(each.name) || !isSetOnce(each.name, assigned))
      continue;
    const reading = wordContextAt({ ...context, variables, assigned });
    if (each.value.type === "Word") {
      if (each.value.parts?.some(({ type }) => type === "BraceExpansion")) continue; // the shell keeps the braces of a value
      const [word, ...more] = readWord(each.value, reading);
      if (word?.kind === "literal" && more.length === 0) after.set(each.name, word);
    } else {
      const words = each.value.elements.flatMap((element) => readWord(element, reading));
      if (words.length > MAX_ELEMENTS || !words.every((word) => isCertain(word) && !word.text.startsWith("["))) continue;
      for (const [i, word] of words.entries()) after.set(`${each.name}[${i}]`, word);
    }
  }
  return after;
}

const MAX_ELEMENTS = 40;

/** Returns the variables that hold a list of file names from a command, such as `files=$(git ls-files)`. */
export function filesListedIn(node: PipelineNode, { listed, assigned }: ShellContext): ShellContext["listed"] {
  if (node.type !== "Command" || node.name) return listed;
  const found = new Map(listed);
  for (const each of node.prefix) {
    if (each.type !== "Assignment" || each.value.type !== "Word" || each.append || !isSetOnce(each.name, assigned)) continue;
    const listing = filesListedBy(each.value);
    if (listing && ownVariable(each.name)) found.set(each.name, listing);
  }
  return found;
}

/** Returns the variable of `while read -r name`. */
export function readLoopVariable({ commands: [only, ...more] }: CompoundList): string | undefined {
  const command = only?.command;
  // `IFS=x read f` removes a final `x` of each name.
  if (more.length > 0 || command?.type !== "Command" || !command.prefix.every((each) => each.type === "Assignment" && each.text === "IFS="))
    return undefined;
  const [, name] =
    /^read(?: -r)? ([a-z]\w*)$/.exec(
      [command.name, ...command.suffix].map((each) => (each?.type === "Word" ? each.text : "$")).join(" "),
    ) ?? [];
  return name;
}

/** Returns how to read words at this point of a script: with the variables and the output of substitutions that are certain. */
export function wordContextAt(context: ShellContext, doubt: WordContext["doubt"] = ignore): WordContext {
  const isSplit = (pattern: string) => {
    context.place.usesLists.add("globbed");
    return expand(pattern, context.cwds)?.some((name) => /[\s*?[\]]/.test(name) && name !== pattern) !== false;
  };
  const reading = { variables: withFolder(context), isNumber: (name: string) => numberIn(name, context.assigned), isSplit, doubt };
  return { ...reading, inner: (script) => script && knownOutput(script, context, reading) };
}

const ignore = (): void => {};

/** Adds `$PWD` where only one working directory is possible. */
function withFolder({ variables, cwds, assigned }: Pick<ShellContext, "variables" | "cwds" | "assigned">): WordContext["variables"] {
  const [cwd, ...more] = cwds;
  const isSure = cwd !== undefined && more.length === 0 && !assigned.times.has("PWD");
  return { get: (name) => (name === "PWD" && isSure ? literal(cwd) : variables.get(name)) };
}
