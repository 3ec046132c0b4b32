import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { isSetOnce } from "../words/assigned-variables.ts";
import { ownVariable } from "../words/harmless-variables.ts";
import { readLoopVariable } from "../words/known-variables.ts";
import { nodesIn, type CompoundList, type For, type While } from "./parse.ts";
import { repeat, tracesOf } from "../gate-findings.ts";
import { mayHaveChanged } from "../files/created-files.ts";
import { listFileAt } from "../files/list-file.ts";
import { filesListedBy, filesNamedBy } from "../words/piped-arguments.ts";
import { mayReadInput } from "../words/input-readers.ts";
import { readWords } from "../words/read-words.ts";
import type { ShellContext } from "./shell-context.ts";
import { expand } from "../files/path-accesses.ts";
import { deeper, leftEarly, limited, union, type Folders, type Walker } from "./walker-types.ts";
import { aNumber, aProcess, commitIn, literal, type Word } from "../words/word.ts";
import type { ExtraArguments } from "../programs/program-types.ts";

const MAX_ROUNDS = 40;

/** Walks a loop over known words once for each word. */
export function walkFor({ name, wordlist, body }: For, context: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  const read = wordlist ? readWords(wordlist, context, walker) : undefined;
  const found = read?.map((word) => named(word, context, walker));
  const words = found && changesValue(name.value, body, context) ? found.flatMap(eachName) : found;
  if (words?.some(({ kind, text }) => kind === "pattern" && findings.options.has("globstar") && text.includes("**")))
    findings.doubts.add("has a pattern that `shopt` changes");
  const isOnce = isSetOnce(name.value, context.assigned);
  const isSure = isOnce && words !== undefined && words.length <= MAX_ROUNDS && words.every(({ kind }) => kind !== "open");
  if (!ownVariable(name.value) && !/^[A-Z][A-Z0-9_]?$/.test(name.value)) findings.doubts.add(`sets the variable ${name.value}`);
  const [only, ...more] = wordlist ?? [];
  const listing =
    isOnce && only && more.length === 0
      ? (filesListedBy(only, listFileAt(context, findings)) ?? filesNamedBy(only, context.listed))
      : undefined;
  const listed = listing ? new Map(context.listed).set(name.value, listing) : context.listed;
  const without = new Map(context.variables);
  without.delete(name.value);
  const rounds = isSure
    ? words.map((word) => new Map(without).set(name.value, word.kind === "literal" ? { ...word, several: undefined } : word))
    : [without];
  const isUsed = mayUse(name.value, body, context);
  const isWrittenOut = isSure && isUsed && words.every((word) => word.kind === "literal" && !word.several);
  let cwds = context.cwds;
  let once: number | undefined;
  for (const variables of isUsed ? rounds : rounds.slice(0, 1)) {
    cwds = walkRounds(body, { ...context, cwds, variables, listed }, walker, { isOne: isWrittenOut });
    once ??= findings.parts;
    findings.parts = once;
  }
  return cwds;
}

/** True if the body of a loop may use its variable: by its name, through another variable, or in a function. Otherwise all rounds are the same. */
const mayUse = (name: string, body: CompoundList, { functions }: ShellContext): boolean =>
  functions.size > 0 || new RegExp(`\\b${name}\\b|!`).test(JSON.stringify(body));

/** True if a loop derives other words from its variable, such as `${f%.js}.ts`, or passes it to a function that may do so. */
function changesValue(name: string, body: CompoundList, { functions }: ShellContext): boolean {
  return functions.size > 0 || nodesIn(body).some((node) => node.type === "Word" && new RegExp(`\\$\\{${name}[%#]`).test(node.text));
}

const eachName = (word: Word): Word[] => (word.kind === "pattern" && word.names?.length ? word.names.map(literal) : [word]);

/** Finds the names that a pattern matches at the start of a loop. The text may have made some of them, but not brought in others. */
function named(word: Word, { cwds }: ShellContext, { findings: { made, brings, filled } }: Walker): Word {
  if (word.kind !== "pattern" || word.names || brings || filled.size > 0) return word;
  const own = [...made].flatMap((file) => cwds.map((cwd) => path.relative(cwd, file)).filter((name) => matchesWildcard(word.text, name)));
  const found = expand(word.text, cwds);
  return { ...word, names: found ? [...found, ...own] : [] };
}

/** Walks a loop such as `while read -r name`. Its input lines are the names that a command lists. */
export function walkWhile({ clause, body }: While, context: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  const links = findings.links.size;
  const before = tracesOf(findings);
  const cwds = union(context.cwds, walker.walkStatements(clause.commands, deeper({ ...context, isRepeated: true })));
  const incoming = context.incoming !== "none" && mayReadInput(body, context.functions) ? "any" : context.incoming; // the next line would be the rest of one
  const line = readLoopVariable(clause);
  const isListed = line !== undefined && typeof incoming === "object" && isSetOnce(line, context.assigned);
  const listed = isListed ? new Map(context.listed).set(line, incoming) : context.listed;
  const known = line !== undefined && isSetOnce(line, context.assigned) ? exampleOf(line, incoming) : undefined;
  const variables = line !== undefined && known ? new Map(context.variables).set(line, known) : context.variables;
  const ends = walkRounds(body, { ...context, cwds, variables, listed, incoming: "any" }, walker);
  if (typeof incoming === "object" && incoming.source !== undefined && mayHaveChanged(incoming.source, findings))
    findings.doubts.add("changes the names that a loop reads");
  if (tracesOf(findings) !== before) walker.walkStatements(clause.commands, deeper({ ...context, cwds: ends }));
  if (findings.links.size > links) findings.doubts.add("makes links in a loop");
  if (cwds.length > context.cwds.length) findings.doubts.add("changes the folder in a loop");
  return ends;
}

/** Returns an example of the lines that a loop reads, if all of them are commits or numbers. */
function exampleOf(line: string, incoming: ExtraArguments): Word | undefined {
  if (incoming === "commits") return commitIn(line);
  const value = incoming === "numbers" ? aNumber : incoming === "processes" ? aProcess : undefined;
  return value && { kind: "literal", text: value.text, written: line, emptied: "" };
}

/**
 * Walks the body of a loop for all of its rounds, or for one round. `between`: judges what runs before each of them. Returns the folders around the
 * rounds.
 */
export function walkRounds(
  { commands }: CompoundList,
  around: ShellContext,
  walker: Walker,
  { between = () => {}, isOne = false }: { between?: () => void; isOne?: boolean } = {},
): Folders {
  const { findings } = walker;
  const context = { ...around, isRepeated: true };
  let { cwds } = context;
  const walk = () => {
    between();
    cwds = union(cwds, walker.walkStatements(commands, deeper(context)));
  };
  if (isOne) walk();
  else repeat(findings, walk);
  if (cwds.length > context.cwds.length) findings.doubts.add("changes the folder in a loop");
  return limited(union(cwds, leftEarly(findings)), findings);
}
