import path from "node:path";
import { remembered } from "@baton/core/text/remembered";
import { UNKNOWN, UNKNOWN_NUMBER, type Call } from "@baton/core/permission/limited-call";
import { isDevelopmentTool } from "../files/development-tools.ts";
import { namesOfPattern } from "../files/path-accesses.ts";
import { exists, finalPath, startOf } from "../files/path-on-disk.ts";
import { nodesIn, parseShell, type Command } from "./parse.ts";
import { resolvePath } from "../files/physical-path.ts";
import { namedPushes } from "../git/git-remotes.ts";
import { subCommandAt } from "../git/printed-files.ts";
import { callsByName, type OtherCalls } from "../programs/calls-by-name.ts";
import { otherNames } from "../programs/other-names.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import { entriesBelow } from "../files/walk-folder.ts";
import type { ExtraArguments, FileListing, ProgramEffects } from "../programs/program-types.ts";
import { isShell, readsCode } from "../programs/shell-program.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { verbTables } from "../tables/verb-tables.ts";
import { callsOfDefinitions } from "../verbs/task-definitions.ts";
import { callsOfTask } from "../verbs/calls-of-task.ts";
import { splitVerb } from "../verbs/split-verb.ts";
import { A_COMMIT, aNumber, aProcess, literal, textOfAll, type Word } from "../words/word.ts";
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
  const checked = program.isKnown ? checkedBy(own) : undefined;
  if (checked)
    return { same: [checked, ...otherNames(checked[0]?.text ?? "").map((name) => [literal(name), ...checked.slice(1)])], inside: [] };
  if (effects.reads && isShell(base) && !effects.isWrapper) return { same: [own], inside: [] }; // it only checks a script
  // Of code that runs no program, the words do not matter. It may be about such a program.
  if (effects.imports && (effects.reads || effects.onlyEdits))
    return { same: [own, ...otherNames(base).map((name) => [literal(name), ...rest])], inside: [] };
  if (rest.length > MAX_WORDS || (rest.length > MAX_WORDS / 10 && partsIn(rest) * rest.length > MAX_PARTS)) return undefined;
  const named = effects.isWrapper ? { same: [], inside: [] } : callsByName(base, rest, effects, byName, code);
  const known = [...(effects.like ?? []), ...(effects.plainly ? [effects.plainly] : [])];
  const meant = [...known, ...impliedPackage(base, rest), ...[own, ...known].flatMap(moduleCall)];
  const asProgram = (words: readonly Word[]) => ({
    ...program,
    words,
    name: words[0]?.text ?? "",
    base: words[0]?.text ?? "",
    rest: words.slice(1),
  });
  const byPath = [program, ...meant.map(asProgram)]
    .flatMap((each) => callsByPath(each, effects, context))
    .flatMap(([first = literal(""), ...words]) => [first.text, ...otherNames(first.text)].map((each) => [literal(each), ...words]));
  const isElsewhere = context.cwds.some((cwd) => cwd !== context.place.workspace);
  const moved = isElsewhere ? byPath.flatMap(([first, ...words]) => (first?.text === base ? [words] : [])) : [];
  const inside = moved.flatMap((words) => (effects.isWrapper ? [] : (callsByName(base, words, effects, byName)?.inside ?? [])));
  const pushes = [own, ...(named?.same ?? []), ...(named?.inside ?? [])].flatMap(([first, ...words]) =>
    first?.text === "git" ? namedPushes(subCommandAt(words), words, context) : [],
  );
  const listed = typeof more === "object" && !effects.reads ? listedCalls(own, more, context) : [];
  const tasks = [program, ...meant.map(asProgram)].flatMap((each) => [
    ...callsOfDefinitions(each.base, each.rest, context),
    ...callsOfTask(each, code, context),
  ]);
  return (
    named && {
      inside: [...named.inside, ...inside],
      same: [
        own,
        ...named.same,
        ...byPath,
        ...(effects.reads ? [] : [program.words, ...byPath].flatMap(packageCalls)),
        ...pushes,
        ...listed,
        ...tasks,
        ...callsOfBuild(program, context),
      ],
    }
  );
}

/** Returns a call of go with the package that it has if it names none: that of the folder. */
function impliedPackage(base: string, rest: readonly Word[]): Word[][] {
  if (base !== "go") return [];
  const at = rest.findIndex(({ text }) => /^(test|vet|build|install|generate|run|bench)$/.test(text));
  if (at < 0 || rest.slice(at).some(({ text }) => /^[^-].*[./]|^\.$/.test(text))) return [];
  const folder = rest.findIndex(({ text }) => text === "-C");
  const named = folder >= 0 && folder < at ? `./${rest[folder + 1]?.text}` : ".";
  return [[literal(base), ...rest.slice(at), literal(named)]];
}

/** A word that holds no code. */
const PLAIN_WORD = /^[\w./@:,+=~-]*$/;

/** Returns a call of a checker without the interpreter: `black x.py` for `python -m black x.py`. It runs nothing of its files. */
function checkedBy(call: readonly Word[]): Word[] | undefined {
  if (!CHECKS.test(textOfAll(call.slice(0, 4))) || !call.every(({ text }) => PLAIN_WORD.test(text))) return undefined;
  return call[0]?.text === "node" ? call.slice(0, 2) : call.slice(call.findIndex(({ text }) => text === "-m") + 1);
}

/** Returns a call of Python whose module is not behind a separate `-m`: `python -mscripts.seed`, `coverage run --module scripts.seed`. */
function moduleCall([first, ...rest]: readonly Word[]): Word[][] {
  const base = first?.text ?? "";
  if (!/^(python|pypy|uv|coverage)/.test(base)) return [];
  const spelled = rest.flatMap((word): Word[] => {
    const [, flags = "", module] = /^(?:--module=?|-([A-Za-z]*)m)([\w.]*)$/.exec(word.text) ?? [];
    return module === undefined || word.text === "-m"
      ? [word]
      : [...(flags ? [literal(`-${flags}`)] : []), literal("-m"), ...(module ? [literal(module)] : [])];
  });
  const isPython = /^(python|pypy)[\d.]*$/.test(base) || (/^(uv|coverage)$/.test(base) && rest.some(({ text }) => text === "--module"));
  return isPython && spelled.some((word, i) => word !== rest[i])
    ? [[literal(/^(uv|coverage)$/.test(base) ? "python" : base), ...spelled]]
    : [];
}

/** Returns a call of the package whose file a call runs: `prisma db` for `node node_modules/prisma/build/index.js db`. */
const packageCalls = (call: readonly Word[]): Word[][] =>
  call.slice(0, readsCode(call[0]?.text ?? "") ? 2 : 1).flatMap(({ text }, i) => {
    if (!text.includes("node_modules/")) return [];
    const names = /(?:^|\/)node_modules\/(?:@([\w.-]+)\/)?(\w[\w.-]*)\//.exec(path.posix.normalize(text))?.slice(1).filter(Boolean) ?? [];
    return names.map((name) => [literal(name), ...call.slice(i + 1)]);
  });

/** Returns how many parts the paths of a call have. Of a very long one, rules may not name all. */
const partsIn = (words: readonly Word[]): number => words.reduce((sum, { text }) => sum + Math.min(text.split("/").length, MAX_ENDS), 0);

/** The limit for the words of a call. */
const MAX_WORDS = 300;
/** The limit for the parts of all paths in a call, times its words. */
const MAX_PARTS = 500_000;
/** The limit for the folders from which a rule may name a path. A message may have more slashes than that. */
const MAX_ENDS = 50;
const MAX_LISTED = 500;

/** Returns a call with the places of files that another command lists, and with those files. Of a subset, they are not known. */
function listedCalls(own: readonly Word[], { roots, admits, isSubset }: FileListing, { cwds }: ShellContext): Word[][] {
  const files = (isSubset === true ? [] : cwds).flatMap((cwd) =>
    roots.flatMap((root) => {
      const entries = [...entriesBelow(resolvePath(cwd, root), { maxFolders: MAX_LISTED })].slice(0, MAX_LISTED);
      return entries.filter(({ file }) => admits(file, cwd)).map(({ file }) => literal(path.relative(cwd, file)));
    }),
  );
  return [...roots.map((root) => [...own, literal(root)]), ...(files.length > 0 ? [[...own, ...files]] : [])];
}

/** Compilers that write a program under another name than that of its source. */
const BUILDS = /\b(?:go (?:build|test -c)|rustc|bun build|deno compile)\b([^;&|\n]*)/g;

/** Returns calls of the sources from which the text builds a program: `go run ./cmd/x` for `/tmp/y` after `go build -o /tmp/y ./cmd/x`. */
function callsOfBuild({ name, base, rest }: Program, { cwds, place }: ShellContext): Word[][] {
  if (!name.includes("/") && isKnownProgram(base)) return [];
  return [...place.text.matchAll(BUILDS)].flatMap(([, words = ""]) => {
    const [built, output = ""] = /(?:-o|--outfile|--output)[ =]?(\S+)/.exec(words) ?? [];
    const sources = path.basename(output) === base ? words.replace(built ?? "", "").match(/(?<=\s)[\w./@-]+/g) : undefined;
    const fromTop = (source: string) => cwds.map((cwd) => `./${path.relative(place.workspace, resolvePath(cwd, source))}`);
    return (sources ?? [])
      .filter((source) => !source.startsWith("-"))
      .flatMap((source) => [source, ...(/^[./]/.test(source) ? fromTop(source) : [])])
      .flatMap((source) => [
        [literal("go"), literal("run"), literal(source), ...rest],
        [literal(path.parse(source).name), ...rest],
        ...packagesOfSource(source).map((each) => [literal("cargo"), literal(each), ...rest]),
      ]);
  });
}

/** Returns the name of the package of cargo whose program a source is: `x` for `crates/x/src/main.rs`. */
const packagesOfSource = (source: string): string[] => /(?:^|\/)([\w-]+)\/src\/main\.rs$/.exec(source)?.slice(1) ?? [];

/** Returns a path from each folder around it, because a rule may name it from any of them. */
const endsOf = (file: string): string[] =>
  file
    .split("/")
    .map((_, i, parts) => parts.slice(i).join("/"))
    .slice(-MAX_ENDS);

/** Returns a call with other paths of its program, of a script that it runs, and of its files in another folder than the workspace. */
function callsByPath(program: Program, effects: ProgramEffects, { cwds, place }: Pick<ShellContext, "cwds" | "place">): Word[][] {
  const { name, base, words, isKnown } = program;
  const script = isKnown && readsCode(base) ? words.findIndex(({ text }, i) => i > 0 && !text.startsWith("-")) : -1;
  const isRunner = !(isKnownProgram(base) || isDevelopmentTool(base)) || words.some(({ text }) => /^(run|exec|x|cmd|--)$/.test(text));
  const mayRun = !effects.reads && isRunner && !CHECKS.test(textOfAll(words));
  if (words.some(({ text }) => COMPILED.test(text)))
    return callsByPath({ ...program, words: words.map(sourceOf), rest: program.rest.map(sourceOf) }, effects, { cwds, place });
  const isElsewhere = cwds.some((cwd) => cwd !== place.workspace);
  const modules = [...place.text.matchAll(/\bPYTHONPATH=["']?([\w./:-]+)/g)].flatMap(([, folders = ""]) => folders.split(":"));
  const withModules = [...cwds, ...cwds.flatMap((cwd) => modules.map((folder) => resolvePath(cwd, folder)))];
  return words.flatMap((word, at) => {
    const { kind, text } = word;
    const served = effects.reads ? undefined : servedModule(text, cwds);
    const isModule = (words[at - 1]?.text === "-m" && !/^(git|docker|podman)$/.test(base)) || served !== undefined;
    const isPath = (text.includes("/") && !text.includes("://")) || isModule;
    const isRun = at === script || (isPath && (at === 0 ? !isInstalled(name) : mayRun));
    const isLinked = () => cwds.map((cwd) => resolvePath(cwd, text)).some((file) => finalPath(file, place.realFolders) !== file);
    const mayHaveOther = !effects.reads && !text.includes("://") && !text.startsWith("-");
    const hasOther = mayHaveOther && (kind === "pattern" || isElsewhere || /^\/|\.\.|\/\/|\/\.\//.test(text) || isLinked());
    if (kind === "open" || !(isRun || (hasOther && at > 0))) return [];
    const named =
      kind === "pattern"
        ? (namesOfPattern(word, cwds) ?? [])
        : isRun
          ? scriptNames(served ?? text, served === undefined ? words[at - 1]?.text : "-m", at === script && LOADS_JS.test(base))
          : [text];
    const files = (isModule ? withModules : cwds).flatMap((cwd) =>
      named.map((each) => finalPath(resolvePath(cwd, each), place.realFolders)),
    );
    return files.flatMap((file) => {
      const below = path.relative(place.workspace, file);
      const ends = endsOf(below);
      const calls = [below, `./${below}`, file, ...ends.slice(1)].map((each) => [literal(each), ...words.slice(at + 1)]);
      const isOperand = !text.startsWith("-");
      const whole =
        isOperand && (at === script || !isRun || (hasOther && at > 0)) ? calls.map((call) => [...words.slice(0, at), ...call]) : [];
      const interpreter = isRun ? /^#!.*?(\w+)\s*$/m.exec(startOf(file, 100))?.[1] : undefined;
      const behind = interpreter === undefined ? [] : calls.map((call) => [literal(interpreter), ...call]);
      return [...(isRun ? (calls.length > 3 ? calls.slice(0, -1) : calls) : []), ...behind, ...whole];
    });
  });
}

/** Returns the module of Python in a word such as `app.main:server` or `--app=app.main`, if one of the folders has its file. */
function servedModule(text: string, cwds: readonly string[]): string | undefined {
  const [, module] = /^(?:--?[\w-]+=)?(\w+(?:\.\w+)+)(?::[\w.]+(?:\(\))?)?$/.exec(text) ?? [];
  const file = `${module?.replaceAll(".", "/")}.py`;
  return module !== undefined && cwds.some((cwd) => exists(resolvePath(cwd, file))) ? module : undefined;
}

/** The file of a module of Python that is compiled. Source: PEP 3147. */
const COMPILED = /(^|\/)__pycache__\/([\w-]+)[^/]*\.pyc$/;
const sourceOf = (word: Word): Word => (COMPILED.test(word.text) ? literal(word.text.replace(COMPILED, "$1$2.py")) : word);

/** Tools and modules of Python that run nothing of the files that they read, and `node --check`. */
const CHECKS =
  /^((python|pypy)[\d.]* -m )?(py_compile|compileall|json\.tool|ast|tokenize|dis|mypy|ruff|black|isort|flake8|pylint|pyright|bandit|radon|vulture|shellcheck|hadolint|yamllint|phpstan|tsc) |^node (-c|--check) /;

/** Returns the files that a word may run: a module of Python (`-m a.b`), or scripts, perhaps without their endings. */
function scriptNames(text: string, before: string | undefined, loadsJs: boolean): string[] {
  if (before === "-m") return [`${text.replaceAll(".", "/")}.py`];
  const endings = !loadsJs || /\.\w+$/.test(text) ? [""] : ["", ".js", ".ts", "/index.js"];
  return text.split(/[\s;&|=:]+/).flatMap((each) => endings.map((ending) => each + ending));
}

/** True for a path where systems install programs. A file at any other path could be anything, whatever its name is. */
export const isInstalled = (name: string): boolean => /^\/(usr\/)?(local\/)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(name);

/**
 * Returns calls with the names that copied files had before. A deny may have these names, and a grant for the new name may not cover them.
 * `isAmong`: true for the copies that count.
 */
export function callsOfOrigins(
  words: readonly Word[],
  { context: { cwds, place }, findings: { origins } }: JudgeOptions,
  isAmong: (file: string) => boolean = () => true,
): Word[][] {
  if (origins.size === 0) return [];
  return words.flatMap((word, at) => {
    const name = words[at - 1]?.text === "-m" ? `${word.text.replaceAll(".", "/")}.py` : word.text;
    const file = cwds.map((cwd) => resolvePath(cwd, name)).find((each) => origins.has(each) && isAmong(each));
    const origin = origins.get(file ?? "");
    const below = origin === undefined ? [] : [...cwds, place.workspace].map((folder) => path.relative(folder, origin));
    const ends = below.flatMap(endsOf);
    const calls = [...ends, ...below.map((each) => `./${each}`)].map((name) => [literal(name), ...words.slice(at + 1)]);
    const built = /(^|\/)target\/(\w+\/)+([\w-]+)$/.exec(origin ?? "")?.[3]; // cargo names a program after its package
    const named = built === undefined ? [] : [[literal("cargo"), literal(built), ...words.slice(at + 1)]];
    return [...calls.flatMap((call) => [[...words.slice(0, at), ...call], call]), ...named];
  });
}

/** Returns the different ones of these calls as texts, those inside another call last. `text`: the whole text, which may set variables. */
export function limitedCalls(calls: readonly (readonly Word[])[], inside: readonly (readonly Word[])[], text: string): Call[] {
  const assigned = settingsIn(text);
  const settings = assigned.length > 0 ? { settings: assigned } : {};
  return [
    ...callsOf(calls).map((call) => ({ ...call, ...settings })),
    ...callsOf(inside).map((call) => ({ ...call, ...settings, isInside: true as const })),
  ];
}

/**
 * Returns the variables that a text may set anywhere, as `NAME=VALUE`. If it has a command that sets variables by their names, each word may be one,
 * with an unknown value.
 */
const settingsIn = remembered((text): readonly string[] => {
  const plain = withoutMessages(text).replaceAll(/\\\n|["'\\]/g, "");
  const assigned = [...plain.matchAll(ASSIGNMENT)].map(([, name = "", value = ""]) => `${name}=${value.replace(/[$`{].*/s, UNKNOWN)}`);
  const others = OTHER_ASSIGNMENT.test(plain) ? (plain.match(/(?<![$\w{])[A-Za-z_]\w+(?!\w|=)/g) ?? []) : [];
  const all = new Set([...assigned, ...others.map((name) => `${name}=${UNKNOWN}`), ...(ANY_NAME.test(plain) ? [UNKNOWN] : [])]);
  return all.size > MAX_SETTINGS ? [UNKNOWN] : [...all];
});

/** Returns a text without the messages of git in it, which set no variable. */
function withoutMessages(text: string): string {
  const script = /\bgit\b/.test(text) && /\w=|\+=/.test(text) ? parseShell(text) : undefined;
  const messages = script ? [...nodesIn(script)].flatMap((node) => (node.type === "Command" ? messagesOf(node) : [])) : [];
  const own = messages.filter((word) => text.slice(word.pos, word.end) === word.text).toSorted((a, b) => b.pos - a.pos);
  return own.reduce((rest, { pos, end }) => rest.slice(0, pos) + rest.slice(end), text);
}

/** Returns the messages among the words of a command, if the shell expands nothing in them. */
const messagesOf = ({ name, args }: Command): Command["args"] =>
  name?.text === "git"
    ? args.filter(({ text }, i) => !/[$`]/.test(text) && (MESSAGE.test(args[i - 1]?.text ?? "") || OWN_MESSAGE.test(text)))
    : [];
/** A cluster with `c` may hold code. */
const MESSAGE = /^(-[aesqvn]*m|--message)$/;
const OWN_MESSAGE = /^(-[aesqvn]*m|--message=)["']/;

const ASSIGNMENT = /\b([A-Za-z_]\w*)=(?=([^\s;&|()]{1,100}))/g;
/** The limit for variables that a text sets. Above it, any may have any value. */
const MAX_SETTINGS = 100;
/** A name that the shell puts together: `{A,B}_ENV=x`, `$a_ENV=x`. */
const ANY_NAME = /(\}|\$\w+)\w*=/;
/** Other ways to set a variable: `X+=y`, `for X in`, `read X`, `printf -v X`, `env $X=y`. */
const OTHER_ASSIGNMENT = /\+=|\b(for|select|read|readarray|mapfile|getopts|printf)\b|\$\{?\w+\}?=/;

function callsOf(calls: readonly (readonly Word[])[]): Call[] {
  const distinct = new Map(calls.map((call) => [textOfAll(call), call]));
  const textOf = (call: readonly Word[]) => (word: Word) =>
    call[0]?.text === "git" && /^(-|@\{-\d+\})$/.test(word.text) ? UNKNOWN : knownText(word); // a former branch
  return [...distinct.values()].map((call) => ({ words: call.map(textOf(call)), verbs: verbsIn(call) }));
}

/** Returns how many words say what a call does. Each word of a program that runs tasks, or has no verbs, may be the first one that a rule names. */
function verbsIn([first, ...words]: readonly Word[]): number {
  const name = first?.text ?? "";
  const at = words.findIndex(({ text }) => !text.startsWith("-"));
  if (/^(npx|bunx|pnpx|uvx)$/.test(name)) return at < 0 ? 1 : 1 + verbsIn(words.slice(at));
  if (/(^|\/)(artisan|console|manage\.py)$/.test(name)) return 1;
  if (name === "mix") return words[at]?.text === "do" ? 0 : 1;
  if (RUNS_SCRIPT.test(name)) return at < 0 ? 1 : 1 + (/(^|\/)(artisan|console|manage\.py)$/.test(words[at]?.text ?? "") ? 1 : 0);
  if (name === "git") return /^(stash|worktree|remote|submodule|bisect|notes|lfs)$/.test(words[at]?.text ?? "") ? 2 : 1;
  const tool = Object.hasOwn(verbTables, name) && !RUNS_TASKS.has(name) ? verbTables[name] : undefined;
  const isRun = /^((npm|pnpm|yarn|bun|composer) (run|run-script|exec|x|dlx)|(go|deno|uv|poetry|pdm) run)$/.test(
    `${name} ${words[at]?.text}`,
  );
  return tool ? Math.max(1, isRun ? 2 : splitVerb(tool, words, []).verb.length) : 0;
}

/** Programs that find a script without its ending. */
const LOADS_JS = /^(node|tsx|ts-node|bun|deno)$/;
/** Programs whose first argument is a script. */
const RUNS_SCRIPT = /^(node|python[\d.]*|pypy\d*|ruby|php|perl|lua|tsx|ts-node|(ba|da|z)?sh)$/;

const knownText = (word: Word): string =>
  word.kind === "open"
    ? `${word.prefix}${UNKNOWN}`
    : word.kind === "literal" && word.written !== undefined
      ? word.text.replace(EXAMPLE, UNKNOWN_NUMBER)
      : word.text;
const EXAMPLE = new RegExp([A_COMMIT, aProcess.text, aNumber.text].join("|"), "g");

/** Programs with a table that run each of their words as a task. */
const RUNS_TASKS = wordSet("make gmake bmake cmake just rake rails gradle gradlew mvn mvnw task turbo nx bazel npm-run-all tox nox ninja");
