import type { GatedAccess } from "@baton/core/permission/judge";
import { nodesIn, type Assignment, type BraceGroup, type Command, type Redirection, type SyntaxNode, type Word as Node } from "./parse.ts";
import { leadsThrough } from "../files/new-links.ts";
import { addCommand, judgeProgram, UNSEEN } from "./judge-program.ts";
import { filesWritten, isInput, redirect, type Input } from "./redirect.ts";
import { NUMBERED, staysWhole } from "./appended-arguments.ts";
import { changeDirectory } from "./change-directory.ts";
import { filesListedBy, filesNamedBy } from "../words/piped-arguments.ts";
import { mergeListings } from "../words/file-listing.ts";
import { readWords } from "../words/read-words.ts";
import type { ShellContext } from "./shell-context.ts";
import { COUNTING } from "../programs/xargs.ts";
import { pathsInWord } from "../files/mentioned-paths.ts";
import { judgePath } from "./judge-path.ts";
import { asFlag } from "../files/path-accesses.ts";
import { harmlessSetting, harmlessVariable, isPlainSeparator, ownVariable } from "../words/harmless-variables.ts";
import { unwrap } from "./unwrap-command.ts";
import { deeper, type Folders, type Walker } from "./walker-types.ts";
import { aNumber, aProcess, literal, textOfAll, type Word } from "../words/word.ts";

/** Judges a simple command: its settings, redirects and words. Returns the folders in which the shell may be afterwards. */
export function walkSimple(node: Command, context: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  const assignments = node.prefix.filter((each): each is Assignment => each.type === "Assignment");
  const redirections = [...node.prefix, ...node.suffix].filter(
    (each): each is Redirection => each.type === "Redirect" || each.type === "HereDoc" || each.type === "HereString",
  );
  const redirects = redirect(
    redirections,
    {
      ...context,
      isShown: showsOutput(node, redirections),
      upstream: [...context.upstream, ...programsIn(node), node.name?.value.split("/").at(-1) ?? ""],
    },
    findings,
    (nodes) => readWords(nodes, context, walker),
  );
  const inside = {
    ...contextWithInput(redirects, context),
    printsTo: redirections.length === 0 ? undefined : (filesWritten(redirections, context) ?? ("any" as const)),
    settings: assignments.map(({ name }) => name).filter((name) => !harmlessVariable(name)),
  };
  for (const assignment of assignments) assign(assignment, node.name?.text, inside, walker);
  if (!node.name) {
    addCommand([literal(assignments.map(({ text }) => text).join(" ") || ":")], { context, findings, also: [] }, true);
    return context.cwds;
  }
  const suffix = node.suffix
    .filter((each) => each.type === "Word" || each.type === "Assignment")
    .map((each) => (each.type === "Word" ? each : wordOf(each, inside, walker)));
  // `find "$folder"` finds a part of what is below the places of the list that the folder comes from.
  const place = node.name.text === "find" && suffix[0]?.text.startsWith('"') ? filesNamedBy(suffix[0], context.listed) : undefined;
  const places = place && staysWhole(place, "find", inside) ? place.roots.map(literal) : [];
  const written = places.length > 0 ? suffix.slice(1) : suffix;
  const listings = new Map(written.map((each) => [each, filesListedBy(each) ?? filesNamedBy(each, context.listed)] as const));
  // A listed name is just another argument only at the end. Before other words it could be anything, such as the script of `sed`.
  const listed = written.slice(written.findLastIndex((each) => !listings.get(each)) + 1);
  readWords(listed, inside, walker); // the commands in them are judged, and their output counts as arguments, as with xargs
  const read = readWords([node.name, ...written.filter((each) => !listed.includes(each))], inside, walker);
  const words = read.map((word) => asFlag(word, inside, findings.accesses.some(makesFlag)));
  const isOpened = words.some(({ kind }, i) => kind === "open" && read[i]?.kind === "pattern");
  for (const each of [words, read]) each.splice(1, 0, ...places);
  // The form of the output is known from the text of the call, which does not show this flag.
  const isHidden = (each: Node) =>
    /^"?\$/.test(each.text) && readWords([each], inside, walker).some(({ kind, text }) => kind !== "open" && text.startsWith("-"));
  if (context.isInWord && written.some(isHidden)) findings.doubts.add("has a flag in a variable");
  if (words[0]?.kind === "literal" && node.name.parts && BUILTIN.test(words[0].text))
    words[0] = { kind: "open", text: node.name.text, prefix: "", single: false }; // the text does not show its effect on later words
  const isNaming = words[0]?.kind === "literal" && COUNTING.has(words[0].text);
  if (words.some((word) => isChanged(word, findings.options) && !isNaming)) findings.doubts.add("has a pattern that `shopt` changes");
  const called = words[0]?.kind === "literal" ? context.functions.get(words[0].text) : undefined; // quotes make no difference
  if (called && listed.length > 0) findings.doubts.add("calls a function with names that another command lists");
  if (called) return walkFunction(called, words, inside, walker);
  const present = words.filter((word) => word.kind !== "literal" || !word.vanishes);
  if (words.length - present.length > 1) findings.doubts.add("has arguments of which it is not clear that they are there");
  const moved = changeDirectory(listed.length > 0 ? [...words, UNSEEN] : words, context, findings);
  if (moved) {
    if ("doubt" in moved) findings.doubts.add(moved.doubt);
    else {
      findings.accesses.push(...moved.accesses);
      if (findings.links.size > 0 && moved.cwds.some((cwd) => leadsThrough(cwd, findings.links)))
        findings.doubts.add("goes through a link that the text itself makes");
    }
    for (const cwd of context.cwds) findings.visited.add(cwd);
    addCommand(words, { context, findings, also: [] }, true);
    return "doubt" in moved ? context.cwds : moved.cwds;
  }
  if (words.length === 1 && words[0]?.text === "exec" && keepsStreams(node)) {
    addCommand(words, { context, findings, also: [] }, true);
    return context.cwds;
  }
  const look = {
    context: inside,
    findings,
    walkText: ((text, at, where) => walker.walkText(text, deeper(at), where)) satisfies Walker["walkText"],
    also: [],
  };
  const more = listed.length > 0 ? mergeListings(listed.flatMap((each) => listings.get(each) ?? [])) : "none";
  judgeProgram(words, look, more);
  if (isOpened) judgeProgram(read, look, more); // the pattern may match no flag
  if (present.length < words.length) judgeProgram(present, look, more);
  if (words.some(isSeveral) && !NUMBERED.has(words[0]?.text ?? ""))
    judgeProgram(
      words.flatMap((word) => (isSeveral(word) ? [word, furtherOf(word), furtherOf(word)] : [word])),
      look,
      more,
    );
  return context.cwds;
}

/** True if the text of a command shows what it prints. */
function showsOutput({ name, suffix }: Command, redirects: readonly Redirection[]): boolean {
  const input = redirects.findLast((each) => each.type !== "Redirect" || each.operator.startsWith("<"));
  const isText = input !== undefined && input.type !== "Redirect" && isInput(input);
  return /^(echo|printf)$/.test(name?.value ?? "") || (name?.value === "cat" && isText && suffix.every(({ type }) => type !== "Word"));
}

/** Returns an example of a further word: `-$(seq 1 3)` becomes `-1`, `2` and `3`. */
const furtherOf = (word: Word): Word => ({ ...word, text: (word.text.includes(aProcess.text) ? aProcess : aNumber).text });

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
  /^(cd|pushd|popd|shift|return|break|continue|exit|set|read|mapfile|readarray|exec|command|builtin|export|wait|time|env|xargs)$/;

/** True if shell options change the names that a pattern matches. */
const isChanged = ({ kind, text }: Word, options: ReadonlySet<string>): boolean =>
  kind === "pattern" && (options.has("nullglob") || (options.has("globstar") && text.includes("**")));

/** True for a command such as `exec 3< list.txt`, which opens a file for later commands. Their standard input and output stay the same. */
const keepsStreams = ({ prefix, suffix }: Command): boolean =>
  prefix.length === 0 &&
  suffix.every((each) => each.type === "Redirect" && each.descriptor?.type === "FileDescriptor" && each.descriptor.value > 2);

/** Returns the context with the input from a redirect, which replaces the input from a pipe. */
export const contextWithInput = (input: Input | undefined, context: ShellContext): ShellContext =>
  input === undefined ? context : { ...context, input: undefined, hereString: undefined, ...input, incoming: "any" };

/** Walks the body of a function with the arguments of this call. */
function walkFunction(group: BraceGroup, words: readonly Word[], context: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  findings.walked += 1;
  findings.uncalled.delete(group);
  if (words.some((word) => word.kind === "pattern" || (word.kind === "open" ? !word.single : word.vanishes || word.several)))
    findings.doubts.add("calls a function with words that cannot be counted");
  const values = words.slice(1).map((word, i) => [String(i + 1), word] as const);
  const variables = new Map([...[...context.variables].filter(([name]) => !/^\d+$/.test(name)), ...values]);
  const also = [...context.also, textOfAll(words)];
  return walker.walkStatements(group.body.commands, deeper({ ...context, variables, also }));
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
  if (name === "PYTHONPATH" && word) for (const named of pathsInWord(word)) judgePath(named, context, walker.findings);
  if (value.type !== "Word" && value.elements.some((element) => COMPUTED_PLACE.test(element.text)))
    walker.findings.doubts.add("computes with variables");
  if (index !== undefined || (value.type !== "Word" && program !== undefined) || !isHarmless)
    walker.findings.doubts.add(`sets the variable ${(name || text).slice(0, 60)}`);
}
