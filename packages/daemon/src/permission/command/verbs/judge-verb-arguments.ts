import { parseArguments } from "../programs/parse-arguments.ts";
import type { ProgramEffects } from "../programs/program-types.ts";
import { publishes } from "./project-tasks.ts";
import type { VerbTable } from "../tables/verb-tables.ts";
import { treeOf, verbsBelow } from "./verb-tree.ts";
import { literal, type Word } from "../words/word.ts";

type Behind = { why?: string; paths: ProgramEffects["paths"] };

/**
 * Judges the words behind a verb. A grant for the whole program covers no unknown flag, setting, other verb or address. `isDry`: a flag in front of
 * the verb makes it a dry run.
 */
export function judgeVerbArguments(tool: VerbTable, verb: readonly Word[], rest: readonly Word[], isDry: boolean): Behind {
  const first = verb[0]?.text ?? "";
  const dashes = rest.findIndex(({ text }) => text === "--");
  const before = dashes < 0 ? rest : rest.slice(0, dashes);
  const own = dashes < 0 || handsOn(tool, first, before) ? before : rest.filter((_, i) => i !== dashes);
  const runsTask = !isDry && (tool.flagsFirst || !isDryRun(tool, before));
  const why =
    oddSetting(tool, own) ?? (runsTask ? oddTask(tool, first, own) : undefined) ?? (tool.local ? undefined : remoteCode(first, own));
  if (why !== undefined) return { why, paths: [] };
  const { behind = {} } = tool;
  const table = [verb.map(({ text }) => text).join(" "), first, ""].map((key) => behind[key]).find((each) => each !== undefined);
  if (!table) return { paths: [] };
  const { unknown, operands, paths } = parseArguments(table, own);
  const odd = unknown[0] ?? operands.find(({ kind, text }) => table.only && (kind !== "literal" || !table.only.test(text)))?.text;
  return { ...(odd === undefined ? {} : { why: `a grant for the whole program does not cover ${odd.slice(0, 40)}` }), paths };
}

/** Returns the number of words that a known flag takes: the flag itself and its value. The number behind `make -j` may be missing. */
export function flagLength({ flags = "", valued = "", tasks, properties }: VerbTable, { text }: Word, next?: Word): number | undefined {
  const [name = ""] = text.split("=");
  const isAlone = text.includes("=") || (tasks === "any" && /^(-[jl]|--jobs)$/.test(text) && !/^[\d.]+$/.test(next?.text ?? ""));
  if (valued.split(" ").includes(name)) return isAlone ? 1 : 2;
  const isAttached = /^-\w./.test(text) && valued.split(" ").includes(text.slice(0, 2));
  return isAttached || flags.split(" ").includes(text) || properties?.test(text) ? 1 : undefined;
}

/** True for a dry run such as `make -n` or `gradle -m`: the tool only prints what it would do. */
export const isDryRun = (tool: VerbTable, words: readonly Word[]): boolean => {
  const mayBeValueOf = (flag: Word | undefined, word: Word) => flag !== undefined && isFlag(flag) && flagLength(tool, flag, word) !== 1;
  return words.some((word, i) => tool.dry?.split(" ").includes(word.text) === true && !mayBeValueOf(words[i - 1], word));
};

export const isFlag = ({ kind, text }: Word): boolean => kind !== "open" && text.startsWith("-") && text !== "-";

/** Returns why a flag or a setting is not covered, if it is missing from the tool's table. Only complete tables are checked. */
function oddSetting(tool: VerbTable, words: readonly Word[]): string | undefined {
  if (!tool.properties) return undefined;
  const odd = withoutValues(tool, words).find(
    (word) => (tool.several ? isFlag(word) : SETTING.test(word.text)) && flagLength(tool, word) === undefined,
  );
  return odd && `${odd.text.slice(0, 40)} may make it run something else`;
}

/** A setting such as `-Dname=value`, `-p:name=value` or `/logger:file`. */
const SETTING = /^(-[DP]\w|[-/]{1,2}\w+:)/;

const withoutValues = (tool: VerbTable, words: readonly Word[]): Word[] =>
  words.filter((word, i) => {
    const before = words[i - 1];
    return !(before && isFlag(before) && flagLength(tool, before, word) === 2);
  });

/** True for a word behind a flag that is not known, which may be the value of the flag. */
const mayBeValue = (tool: VerbTable, words: readonly Word[], word: Word): boolean =>
  words.some((flag, i) => words[i + 1] === word && isFlag(flag) && flagLength(tool, flag) === undefined);

/** Returns why a grant for the whole program does not cover a task: another verb of the tool, or a task after `run`. */
function oddTask(tool: VerbTable, verb: string, words: readonly Word[]): string | undefined {
  const targets = words.flatMap(({ text }) => /^(?:--targets?=|-t=?)(.+)$/s.exec(text)?.[1]?.split(",") ?? []).map(literal);
  const named = [...targets, ...withoutValues(tool, words).filter((word) => !isFlag(word) && !word.text.includes("="))];
  const isSeveral = tool.several && (tool.tasks !== undefined || tool.properties !== undefined || verb.includes(":"));
  const first = named.findIndex((word) => !mayBeValue(tool, words, word));
  const isRun = tool.runs?.split(" ").includes(verb) ?? false;
  const tasks = isSeveral || /^(run-many|affected)$/.test(verb) ? named : isRun ? named.slice(0, first < 0 ? undefined : first + 1) : [];
  const isOrdinary = ({ kind, text }: Word) =>
    kind === "literal" && (isSeveral && tool.tasks === undefined ? verbsBelow(treeOf(tool.verbs), text) !== undefined : !publishes(text));
  const odd = tasks.find((word) => !isOrdinary(word));
  return odd && `the task ${odd.text.slice(0, 40)} may publish, delete or run something else`;
}

/** Verbs that pass the arguments after the first one to a program of the project. */
const HANDING = /^(test|t|tst|run|run-script|start|restart|exec|x|dlx|workspaces?|task|watch|r|bench)$/;

/** True if the words behind `--` are for a program or a task of the project. For other verbs, they are arguments like those in front of it. */
function handsOn(tool: VerbTable, verb: string, before: readonly Word[]): boolean {
  if (verb === "" || (tool.several && tool.runs === undefined)) return false;
  const isNamed =
    !tool.runs?.split(" ").includes(verb) || withoutValues(tool, before).some((word) => !isFlag(word) && !mayBeValue(tool, before, word));
  return verbsBelow(treeOf(tool.verbs), verb) === undefined || (HANDING.test(verb) && isNamed);
}

/** Returns why an address is not covered, if the arguments contain one from which the tool may take code or settings. */
function remoteCode(verb: string, words: readonly Word[]): string | undefined {
  const program = words.findIndex((word) => !isFlag(word));
  const own = HANDING.test(verb) ? words.slice(0, program < 0 ? undefined : program + 1) : words;
  const remote = own.map(({ text }) => REMOTE.exec(text)?.[0]).find((found) => found !== undefined);
  return remote && `it may take code from ${remote.slice(0, 60)}`;
}

/** An address such as `https://x`, `git+ssh://x`, `github:o/r`, `git@host:path` or `name@https://x`, including after a flag. */
const REMOTE =
  /(^|[=@\s]|^-\w)((git|hg|svn|bzr)\+|(https?|ssh|git|s?ftp|file|data|npm|jsr|github|gitlab|gist|bitbucket|sourcehut|tarball|flake|oci):)\S*|^(-\w|--[\w-]+=)?[\w.-]+@[\w.-]+\.[a-z]+:.*/i;
