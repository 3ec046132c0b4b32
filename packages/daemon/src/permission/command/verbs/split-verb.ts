import { judgeVerbArguments, flagLength, isDryRun, isFlag } from "./judge-verb-arguments.ts";
import type { UncoveredPart, ProgramEffects } from "../programs/program-types.ts";
import { isOrdinaryTask, findPublishingVerb } from "./project-tasks.ts";
import { ALIASES, coveredPackages, verbTables, type VerbTable } from "../tables/verb-tables.ts";
import { uncoveredServiceVerb } from "./service-verb.ts";
import { treeOf, verbsBelow } from "./verb-tree.ts";
import { literal, type Word } from "../words/word.ts";

export type VerbCall = {
  /** The same call with its verb first, if flags came before it: `gh pr merge 1` for `gh -R o/r pr merge 1`. */
  plainly?: readonly Word[];
  beyond?: UncoveredPart;
  /** Files that the arguments after the verb name. */
  paths: ProgramEffects["paths"];
};

/**
 * Returns the verb of a call and whether a grant for the whole program covers it. Returns undefined for programs without verbs.
 * For a program that `isUnknown`, only a verb whose name says so counts as publishing.
 */
export function verbOf(name: string, words: readonly Word[], cwds: readonly string[], isUnknown: boolean): VerbCall | undefined {
  const known = ALIASES.get(name) ?? name;
  const tool = Object.hasOwn(verbTables, known) ? verbTables[known] : undefined;
  if (!tool) {
    const service = isUnknown && !coveredPackages.has(name) ? uncoveredServiceVerb(name, words) : false;
    const publishing = service === false ? undefined : (service ?? findPublishingVerb(words));
    if (publishing === undefined) return undefined;
    // Without a word for the verb, a rule has to name the whole call.
    return { beyond: { ...(publishing === "" ? {} : { verb: `${name} ${publishing}` }), why: UNCOVERED }, paths: [] };
  }
  const { verb, rest, early, fault } = splitVerb(
    tool,
    /^(docker|podman)-compose$/.test(name) ? [literal("compose"), ...words] : words,
    cwds,
  );
  const plainly = early.length > 0 ? { plainly: [literal(known), ...verb, ...rest] } : {};
  if (fault !== undefined) return { ...plainly, beyond: { why: fault }, paths: [] };
  if (verb.at(-1)?.isCovered === false)
    return { ...plainly, beyond: { verb: [name, ...verb.map(({ text }) => text)].join(" "), why: UNCOVERED }, paths: [] };
  const { why, paths } = judgeVerbArguments(tool, verb, rest, isDryRun(tool, early));
  return { ...plainly, ...(why === undefined ? {} : { beyond: { why } }), paths };
}

const UNCOVERED = "a grant for the whole program does not cover this verb";

type Split = { verb: (Word & { isCovered?: false })[]; rest: readonly Word[]; early: Word[]; fault?: string };

/** Splits a call into its verb and the rest. Flags in front of the verb have to be known, because others may take the next word. */
export function splitVerb(tool: VerbTable, words: readonly Word[], cwds: readonly string[]): Split {
  let tree = treeOf(tool.verbs);
  const verb: Split["verb"] = [];
  const early: Word[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word) break;
    const rest = words.slice(i + 1);
    if (verb.length === 0 && TOOLCHAIN.test(word.text)) early.push(word);
    else if (isFlag(word)) {
      const length = flagLength(tool, word, rest[0]);
      if (length === undefined && rest.length === 0 && isHelp(word)) return { verb, rest, early };
      if (length === undefined) return { verb, rest, early, fault: `it has ${word.text.slice(0, 40)} in front of its verb` };
      early.push(...words.slice(i, i + length));
      i += length - 1;
    } else {
      const below = word.kind === "literal" && word.written === undefined ? verbsBelow(tree, word.text) : undefined;
      const isTask = below === undefined && verb.length === 0 && (isOrdinaryTask(tool, word, cwds) || isDryRun(tool, early));
      verb.push(below || isTask ? word : { ...word, isCovered: false });
      if (!below || below.size === 0) return { verb, rest, early };
      tree = below;
    }
  }
  return {
    verb,
    rest: [],
    early,
    ...(tree.has("_") || (words.length === 1 && words.every(isHelp)) ? {} : { fault: "it does not say its verb in full" }),
  };
}

/** A toolchain, as in `cargo +nightly test`. */
const TOOLCHAIN = /^\+[\w.-]+$/;
const isHelp = ({ text }: Word): boolean => /^(--help|--version|-[hvV])$/.test(text);
