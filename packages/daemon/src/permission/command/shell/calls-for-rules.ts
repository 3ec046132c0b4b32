import path from "node:path";
import { UNKNOWN, type Call } from "@baton/core/permission/limited-call";
import { isDevelopmentTool, toolCall } from "../files/development-tools.ts";
import { namesOfPattern } from "../files/path-accesses.ts";
import { finalPath } from "../files/path-on-disk.ts";
import { resolvePath } from "../files/physical-path.ts";
import { namedPushes } from "../git/git-remotes.ts";
import { subCommandAt } from "../git/printed-files.ts";
import { callsByName, otherNames, type OtherCalls } from "../programs/calls-by-name.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import type { ExtraArguments, ProgramEffects } from "../programs/program-types.ts";
import { readsCode } from "../programs/shell-program.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { verbTables } from "../tables/verb-tables.ts";
import { extendedScripts } from "../verbs/project-tasks.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";
import type { ShellContext } from "./shell-context.ts";
import type { JudgeOptions, Program } from "./walker-types.ts";

/**
 * Returns all calls that rules about a program may match, and undefined if it has too many words. `byName`: it is the program of that name, and
 * not a file of the workspace. `code`: the text of its input, if that is known. `more`: the arguments that are appended.
 */
export function otherCalls(
  program: Program,
  effects: ProgramEffects,
  byName: boolean,
  { code, more }: { code: string; more: ExtraArguments },
  context: ShellContext,
): OtherCalls | undefined {
  const { base, rest } = program;
  const own = [literal(base), ...rest];
  const named = effects.isWrapper ? { same: [], inside: [] } : callsByName(base, rest, effects, byName, code);
  const byPath = callsByPath(program, effects, context).flatMap(([first = literal(""), ...words]) =>
    [first.text, ...otherNames(first.text)].map((each) => [literal(each), ...words]),
  );
  const pushes = base === "git" ? namedPushes(subCommandAt(rest), rest, context) : [];
  const listed = typeof more === "object" ? more.roots.map((root) => [...own, literal(root)]) : [];
  return named && { ...named, same: [own, ...named.same, ...byPath, ...pushes, ...listed, ...extendedScripts(base, rest, context.cwds)] };
}

/** Returns a call with other paths of its program, of a script that it runs, and of its files in another folder than the workspace. */
function callsByPath({ name, base, words, isKnown }: Program, effects: ProgramEffects, { cwds, place }: ShellContext): Word[][] {
  const script = isKnown && readsCode(base) ? words.findIndex(({ text }, i) => i > 0 && !text.startsWith("-")) : -1;
  const isRunner = !(isKnownProgram(base) || isDevelopmentTool(base)) || words.some(({ text }) => /^(run|exec|x|--)$/.test(text));
  const mayRun = !effects.reads && isRunner && !toolCall(base, words.slice(1)).keeps;
  const isElsewhere = cwds.some((cwd) => cwd !== place.workspace);
  return words.flatMap((word, at) => {
    const { kind, text } = word;
    const isPath = text.includes("/") || words[at - 1]?.text === "-m";
    const isRun = at === script || (isPath && (at === 0 ? !isInstalled(name) : mayRun));
    const hasOther = !effects.reads && (kind === "pattern" || isElsewhere || /^\/|\.\.|\/\/|\/\.\//.test(text));
    if (kind === "open" || !(isRun || (hasOther && at > 0 && !text.startsWith("-")))) return [];
    const named =
      kind === "pattern" ? (namesOfPattern(word, cwds) ?? []) : isRun ? scriptNames(text, words[at - 1]?.text, at === script) : [text];
    const files = cwds.flatMap((cwd) => named.map((each) => finalPath(resolvePath(cwd, each), place.realFolders)));
    return files.flatMap((file) => {
      const below = path.relative(place.workspace, file);
      const ends = below.split("/").map((_, i, parts) => parts.slice(i).join("/")); // a rule may name it from any folder around it
      const calls = [below, `./${below}`, file, ...ends.slice(1)].map((each) => [literal(each), ...words.slice(at + 1)]);
      const whole = at === script || !isRun || (hasOther && at > 0) ? calls.map((call) => [...words.slice(0, at), ...call]) : [];
      return [...(isRun ? (calls.length > 3 ? calls.slice(0, -1) : calls) : []), ...whole];
    });
  });
}

/** Returns the files that a word may run: a module of Python (`-m a.b`), or scripts, perhaps without their endings. */
function scriptNames(text: string, before: string | undefined, isScript: boolean): string[] {
  if (before === "-m") return [`${text.replaceAll(".", "/")}.py`];
  const endings = !isScript || /\.\w+$/.test(text) ? [""] : ["", ".js", ".ts", "/index.js"];
  return text.split(/[\s;&|=]+/).flatMap((each) => endings.map((ending) => each + ending));
}

/** True for a path where systems install programs. A file at any other path could be anything, whatever its name is. */
export const isInstalled = (name: string): boolean => /^\/(usr\/)?(local\/)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(name);

/** Returns calls with the names that copied files had before. A deny may have these names, and a grant for the new name may not cover them. */
export function callsOfOrigins(
  files: readonly string[],
  words: readonly Word[],
  { context: { cwds, place }, findings }: JudgeOptions,
): Word[][] {
  return words.flatMap((word, at) => {
    const file = files.find((each) => cwds.some((cwd) => resolvePath(cwd, word.text) === each));
    const origin = findings.origins.get(file ?? "");
    const below = origin === undefined ? [] : [...cwds, place.workspace].map((folder) => path.relative(folder, origin));
    const calls = below.flatMap((each) => [each, `./${each}`]).map((name) => [literal(name), ...words.slice(at + 1)]);
    return calls.flatMap((call) => [[...words.slice(0, at), ...call], call]);
  });
}

/** Returns the different ones of these calls as texts, those inside another call last. */
export const limitedCalls = (calls: readonly (readonly Word[])[], inside: readonly (readonly Word[])[]): Call[] => [
  ...callsOf(calls),
  ...callsOf(inside).map((call) => ({ ...call, isInside: true as const })),
];

/** Each word of a program that runs tasks, or has no verbs, may be the first one that a rule names. */
function callsOf(calls: readonly (readonly Word[])[]): Call[] {
  const distinct = new Map(calls.map((call) => [textOfAll(call), call.map(knownText)]));
  return [...distinct.values()].map((words) => ({ words, hasVerb: hasVerb(words[0]) }));
}

const hasVerb = (name = ""): boolean =>
  /^(git|npx|bunx|pnpx|uvx)$|(^|\/)(artisan|console|manage\.py|rails)$/.test(name) ||
  readsCode(name) ||
  (Object.hasOwn(verbTables, name) && !RUNS_TASKS.has(name));

const knownText = (word: Word): string => (word.kind === "open" ? `${word.prefix}${UNKNOWN}` : word.text);

/** Programs with a table that run each of their words as a task. */
const RUNS_TASKS = wordSet("make gmake bmake cmake just rake gradle gradlew mvn mvnw mix task turbo nx bazel npm-run-all tox nox ninja");
