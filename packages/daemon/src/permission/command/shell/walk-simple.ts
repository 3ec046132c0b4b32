import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { GatedAccess } from "@baton/core/permission/judge";
import { repeat } from "../gate-findings.ts";
import { nodesIn, type Assignment, type BraceGroup, type Command, type Redirection, type SyntaxNode, type Word as Node } from "./parse.ts";
import { leadsThrough } from "../files/new-links.ts";
import { addCommand, judgeAside, judgeProgram, UNSEEN } from "./judge-program.ts";
import { filesWritten, redirect, type Input } from "./redirect.ts";
import { NUMBERED } from "./appended-arguments.ts";
import { changeDirectory, type Moved } from "./change-directory.ts";
import { listFileAt } from "../files/list-file.ts";
import { filesListedBy, filesNamedBy, namesIn, namesRedirected } from "../words/piped-arguments.ts";
import { readWords } from "../words/read-words.ts";
import { isInput, redirectsOf } from "../words/pipelines.ts";
import type { ExtraArguments } from "../programs/program-types.ts";
import type { ShellContext } from "./shell-context.ts";
import { argumentFiles, COUNTING } from "../programs/find-and-xargs.ts";
import { pathsInWord } from "../files/mentioned-paths.ts";
import { judgePath } from "./judge-path.ts";
import { asFlag } from "../files/path-accesses.ts";
import { harmlessSetting, harmlessVariable, isPlainSeparator, ownVariable } from "../words/harmless-variables.ts";
import { isOverTime } from "../time-limit.ts";
import { asAssignment, isPlainPlace, shiftsBy, wordContextAt } from "../words/known-variables.ts";
import { unwrap } from "./unwrap-command.ts";
import { deeper, leftEarly, union, type Folders, type Walker } from "./walker-types.ts";
import { aNumber, ARGUMENTS, literal, readWord, textOfAll, type Word } from "../words/word.ts";

/** Judges a simple command. Returns the folders in which the shell may be afterwards. */
export function walkSimple(command: Command, context: ShellContext, walker: Walker): Folders {
  if (!runsInOtherOrder(command)) return walkCall(command, context, walker);
  let ends = context.cwds;
  repeat(walker.findings, () => (ends = walkCall(command, context, walker)));
  return ends;
}

/** True if words of a command run others, and so do its redirects or settings. The shell expands the words first. */
const runsInOtherOrder = (command: Command): boolean =>
  [...command.prefix, ...redirectsOf(command)].some(holdsCommands) &&
  [command.name, ...command.suffix].some((node) => node && holdsCommands(node));

const holdsCommands = (node: SyntaxNode): boolean => nodesIn(node).some(({ type }) => type === "Script");

/** Judges the settings, redirects and words of a simple command. */
function walkCall(command: Command, context: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  const node = asAssignment(command, context);
  const { name } = node;
  const assignments = node.prefix.filter((each): each is Assignment => each.type === "Assignment");
  const settings = assignments.map((each) => each.name).filter((each) => !harmlessVariable(each));
  const inside = { ...walkRedirects(node, context, walker), settings };
  for (const assignment of assignments) assign(assignment, name?.text, inside, walker);
  const { words, read, more } = name
    ? readCall(node, name, inside, walker)
    : { words: [literal(assignments.map(({ text }) => text).join(" ") || (command.name?.text ?? ":"))], read: [], more: "none" as const };
  const called = name && words[0]?.kind === "literal" ? context.functions.get(words[0].text) : undefined; // quotes make no difference
  if (called && more !== "none") findings.doubts.add("calls a function with names that another command lists");
  if (called) return walkFunction(called, words, inside, walker);
  const moved = name && changeDirectory(more === "none" ? words : [...words, UNSEEN], context, findings);
  if (!name || moved) {
    addCommand(words, { context, findings, also: [] }, true);
    if (!moved) return context.cwds;
    const mayFail = redirectsOf(node).some((each) => each.type !== "Redirect" || each.target?.text !== "/dev/null"); // then it does not run
    return union(mayFail ? context.cwds : [], walkMove(moved, context, walker));
  }
  const valueOf = ({ value, text }: Assignment) => (value.type === "Word" ? textOfAll(readWord(value, wordContextAt(inside))) : text);
  const also = assignments.map((each) => `${each.name}=${valueOf(each)} ${textOfAll(words)}`);
  const look = { ...walker, context: inside, also };
  const present = words.filter((word) => word.kind !== "literal" || !word.vanishes);
  if (words.length - present.length > 1) findings.doubts.add("has arguments of which it is not clear that they are there");
  judgeProgram(words, look, more);
  const valued = words.map(asValue);
  if (valued.some((word, i) => word !== words[i])) judgeAside(valued, look, 0);
  if (words.some(({ kind }, i) => kind === "open" && read[i]?.kind === "pattern")) judgeProgram(read, look, more); // it may match no flag
  if (present.length < words.length) judgeProgram(present, look, more);
  if (words.some((word) => shortened(word) !== word)) judgeProgram(words.map(shortened), look, more);
  if (words.some(({ text }) => TAKES_SIGNS.test(text)) && words.some((word) => negated(word).text !== word.text))
    judgeProgram(words.map(negated), look, more);
  if (words.some(isSeveral) && !NUMBERED.has(words[0]?.text ?? "")) findings.doubts.add("has an argument that may be several words");
  return context.cwds;
}

/** Reads a pattern behind a flag as one value, as it is without a match. With several matches, the others are operands. */
const asValue = (word: Word, i: number, words: readonly Word[]): Word =>
  word.kind === "pattern" && words[i - 1]?.text.startsWith("-") === true ? literal(word.text) : word;

/** Judges the redirects of a command. Returns the context with its input and output. */
function walkRedirects(node: Command, context: ShellContext, walker: Walker): ShellContext {
  const redirects = redirectsOf(node);
  const upstream = [...context.upstream, ...programsIn(node), node.name?.value.split("/").at(-1) ?? ""];
  const from = { ...context, isShown: showsOutput(node, redirects), upstream };
  const fed = redirect(redirects, from, walker.findings, (nodes) => readWords(nodes, context, walker));
  const printsTo = redirects.length === 0 ? undefined : (filesWritten(redirects, context) ?? "any");
  const isXargs = node.name?.value === "xargs";
  const listFile = listFileAt(context, walker.findings);
  const [list, ...others] = isXargs
    ? argumentFiles(node.suffix.flatMap((each) => (each.type === "Word" ? [literal(each.value)] : [])))
    : [];
  const ofFile = list && others.length === 0 ? namesIn(list.text, listFile) : undefined;
  const incoming = list ? (ofFile ?? "any") : isXargs ? namesRedirected(redirects, listFile) : undefined; // `-a` replaces the input
  return { ...contextWithInput(fed, context), printsTo, isRedirected: redirects.some(leadsAway), ...omitUndefined({ incoming }) };
}

/** True for `> file` and `&> file`. With `>&2`, the output may still go to the terminal. */
const leadsAway = (each: Redirection): boolean =>
  each.type === "Redirect" &&
  /^(&?>>?|>\|)$/.test(each.operator) &&
  (each.descriptor === undefined || (each.descriptor.type === "FileDescriptor" && each.descriptor.value === 1));

/** Reads the words of a call. `read`: before names of files that may be flags count as such. `more`: the names that come at its end. */
function readCall(node: Command, name: Node, context: ShellContext, walker: Walker): { words: Word[]; read: Word[]; more: ExtraArguments } {
  const { findings } = walker;
  const written = node.suffix
    .filter((each) => each.type === "Word" || each.type === "Assignment")
    .map((each) => (each.type === "Word" ? each : wordOf(each, context, walker)));
  const listings = written.map((each) => filesListedBy(each, listFileAt(context, findings)) ?? filesNamedBy(each, context.listed));
  // A listed name is just another argument only at the end. Before other words it could be anything, such as the script of `sed`.
  const end = listings.findLastIndex((each) => each === undefined) + 1;
  readWords(written.slice(end), context, walker); // the commands in them are judged, and their output counts as arguments, as with xargs
  const read = readWords([name, ...written.slice(0, end)], context, walker);
  const [first] = read;
  const words = read.map((word) => asFlag(word, context, findings.accesses.some(makesFlag)));
  // The form of the output is known from the text of the call, which does not show this flag.
  const isHidden = (each: Node) =>
    /^"?\$/.test(each.text) && readWords([each], context, walker).some(({ kind, text }) => kind !== "open" && text.startsWith("-"));
  if (context.isInWord && written.some(isHidden)) findings.doubts.add("has a flag in a variable");
  if (first?.kind === "literal" && name.parts && BUILTIN.test(first.text))
    words[0] = { kind: "open", text: name.text, prefix: "", single: false }; // the text does not show its effect on later words
  // With `nullglob` and without a match, `ls` lists the folder. Another command may take these names for those of the pattern.
  const isUsed = context.isInWord === true || context.isPiped === true;
  const isListing = words[0]?.text === "ls" && isUsed && findings.options.has("nullglob");
  const isNaming = words[0]?.kind === "literal" && COUNTING.has(words[0].text) && !isListing;
  if (words.some((word) => isChanged(word, findings.options) && !isNaming)) findings.doubts.add("has a pattern that `shopt` changes");
  const [listed, ...others] = listings.slice(end);
  return { words, read, more: others.length > 0 ? "any" : (listed ?? "none") };
}

/** Records a change of the folder. Returns the folders to which it may lead. */
function walkMove(moved: Moved, { cwds }: ShellContext, { findings }: Walker): Folders {
  for (const cwd of cwds) findings.visited.add(cwd);
  if ("doubt" in moved) {
    findings.doubts.add(moved.doubt);
    return cwds;
  }
  for (const cwd of moved.cwds) findings.entered.add(cwd);
  findings.accesses.push(...moved.accesses);
  if (findings.links.size > 0 && moved.cwds.some((cwd) => leadsThrough(cwd, findings.links)))
    findings.doubts.add("goes through a link that the text itself makes");
  return moved.cwds;
}

/** True if the text of a command shows what it prints. */
function showsOutput({ name, suffix }: Command, redirects: readonly Redirection[]): boolean {
  const input = redirects.findLast((each) => each.type !== "Redirect" || each.operator.startsWith("<"));
  const isText = input !== undefined && input.type !== "Redirect" && isInput(input);
  return /^(echo|printf)$/.test(name?.value ?? "") || (name?.value === "cat" && isText && suffix.every(({ type }) => type !== "Word"));
}

/** Returns a word as it is if the examples in it are empty. */
const shortened = (word: Word): Word => (word.kind === "literal" && word.emptied ? literal(word.emptied) : word);

/** Programs for which a number with a minus in front is a flag, or begins a comment. */
const TAKES_SIGNS = /^(\S*\/)?(git|z?[ef]?grep|rg|head|tail|node|nodejs)$/;
const NUMBER = new RegExp(`(?<!^-)${aNumber.text}`, "g");
const negated = (word: Word): Word =>
  word.kind === "literal" && word.written !== undefined ? { ...word, text: word.text.replaceAll(NUMBER, `-${aNumber.text}`) } : word;

/** True for an example in the place of which several words may come. */
const isSeveral = (word: Word): boolean => word.kind === "literal" && word.several === true;

/** Returns all words that could be programs. They tell where a pipe or a file comes from. `$`: the name is known only when it runs. */
export const programsIn = (node: SyntaxNode): string[] =>
  nodesIn(node).flatMap((each) => {
    if (each.type === "Word") return each.value.split("/").at(-1) ?? "";
    if (each.type !== "Command" || !each.name) return [];
    const hidden = unwrap(each.name.value, [literal("")]) ? each.suffix.filter((word) => word.type === "Word") : [];
    return [each.name, ...hidden].some(({ text }) => /[$`]/.test(text)) ? ["$"] : [];
  });

/** Builtins that change the shell. */
const BUILTIN =
  /^(cd|pushd|popd|shift|return|break|continue|exit|set|unset|local|declare|typeset|readonly|let|getopts|read|mapfile|readarray|exec|command|builtin|export|wait|time|env|xargs)$/;

/** True if shell options change the names that a pattern matches. */
const isChanged = ({ kind, text }: Word, options: ReadonlySet<string>): boolean =>
  kind === "pattern" && (options.has("nullglob") || (options.has("globstar") && text.includes("**")));

/** Returns the context with the input from a redirect, which replaces the input from a pipe. */
export const contextWithInput = (input: Input | undefined, context: ShellContext): ShellContext =>
  input === undefined ? context : { ...context, input: undefined, hereString: undefined, ...input, incoming: "any" };

/** The limit for the words of a call of a function, which may pass on each of them several times. */
const MAX_ARGUMENTS = 100;

/** Walks the body of a function with the arguments of this call. */
function walkFunction(group: BraceGroup, words: readonly Word[], context: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  findings.walked += 1;
  findings.uncalled.delete(group);
  if (isOverTime()) return context.cwds;
  if (words.length > MAX_ARGUMENTS) {
    findings.doubts.add("calls a function with too many words to be judged");
    return context.cwds;
  }
  if (words.some((word) => word.kind === "pattern" || (word.kind === "open" ? !word.single : word.vanishes || word.several)))
    findings.doubts.add("calls a function with words that cannot be counted");
  const values = words.slice(1).map((word, i) => [String(i + 1), word] as const);
  const counted = isShifting(group) ? [] : [...values, [ARGUMENTS, literal(String(values.length))] as const];
  const variables = new Map([...[...context.variables].filter(([name]) => !/^\d+$/.test(name)), ...counted]);
  const also = [...context.also, textOfAll(words)];
  const ends = union(context.cwds, walker.walkStatements(group.body.commands, deeper({ ...context, variables, also, isInFunction: true })));
  return union(ends, leftEarly(findings));
}

/** True if the body uses `shift` other than as a command of its own. Then it is not certain which argument of the call is `$1`. */
function isShifting({ body }: BraceGroup): boolean {
  const own = body.commands.filter(
    ({ command, background }) => !background && command.type === "Command" && shiftsBy(command) !== undefined,
  );
  return nodesIn(body).filter((node) => node.type === "Word" && node.value.includes("shift")).length > own.length;
}

/** True if the text creates a file whose name a program would read as a flag, or files with unknown names. */
const makesFlag = ({ action, resource, below }: GatedAccess): boolean =>
  action === "edit" && (below !== undefined || /(^|\/)-[^/]*$/.test(resource));

/** Turns an assignment into a word. In `declare x=1` the parser sees an assignment among the words. */
function wordOf(assignment: Assignment, context: ShellContext, walker: Walker): Node {
  const { text, pos, end } = assignment;
  const values = assignment.value.type === "Word" ? [assignment.value] : assignment.value.elements;
  readWords(values, context, walker);
  const isPlain = values.every((value) => value.parts === undefined);
  if (!isPlain) walker.findings.isOpen = true;
  return isPlain
    ? { type: "Word", text, value: text, pos, end }
    : { type: "Word", text: "$_", value: "$_", pos, end, parts: [{ type: "SimpleExpansion", text: "$_", pos, end }] };
}

/** An element such as `[$i]=x`, whose place in the list the shell evaluates as arithmetic. */
const COMPUTED_PLACE = /^\[(?!\d+\]).*\]\+?=/s;

/** Judges an assignment. `program` is the program that gets the variable, and undefined for an assignment without a command. */
function assign({ name, value, index, text }: Assignment, program: string | undefined, context: ShellContext, walker: Walker): void {
  const [word] = readWords(value.type === "Word" ? [value] : value.elements, context, walker);
  const setting = word === undefined ? "" : word.kind === "literal" ? word.text : undefined;
  const isHarmless =
    program === undefined
      ? ownVariable(name) || harmlessSetting(name, setting) || (name === "IFS" && isPlainSeparator(setting))
      : harmlessSetting(name, setting, program) || (name === "IFS" && program === "read");
  if (name === "PYTHONPATH" && word)
    for (const named of pathsInWord(word)) if (named.word.text !== ".") judgePath(named, context, walker.findings);
  if (value.type !== "Word" && value.elements.some((element) => COMPUTED_PLACE.test(element.text)))
    walker.findings.doubts.add("computes with variables");
  const isPlaced = index !== undefined && (program !== undefined || !isPlainPlace(index.text, context));
  if (isPlaced || (value.type !== "Word" && program !== undefined) || !isHarmless)
    walker.findings.doubts.add(`sets the variable ${(name || text).slice(0, 60)}`);
}
