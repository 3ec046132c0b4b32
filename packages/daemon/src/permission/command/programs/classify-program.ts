import path from "node:path";
import { tar, unzip } from "./archives.ts";
import { assigning, exporting, printf, testCall, trap } from "./shell-builtins.ts";
import { classifyBySubCommand, classifyByTable, readCall } from "./classify-by-table.ts";
import { MAKES_SCRATCH, NEW_SCRATCH } from "../files/scratch-files.ts";
import { find, xargs } from "./find-and-xargs.ts";
import { git } from "../git/git.ts";
import { isHarmlessCall } from "./harmless-calls.ts";
import { inlineCodeEffects } from "../inline-code/inline-code.ts";
import { isDevelopmentTool } from "../files/development-tools.ts";
import { mentionedPaths, pathsInWord } from "../files/mentioned-paths.ts";
import { HARMLESS, doubtful, unknownCall, type ProgramInvocation, type ProgramEffects, type ProgramClassifier } from "./program-types.ts";
import { npx, packageManager, runBehind } from "./package-managers.ts";
import { grep, rg } from "./search-programs.ts";
import { copier, curl, docker, wget } from "./network-and-build-programs.ts";
import { feeding, INPUT, isFromNetwork, INTERPRETERS, isShell, readsCode, shell } from "./shell-program.ts";
import { awk, sed } from "../text/stream-editor.ts";
import { perlLine } from "../text/perl-line.ts";
import { jq } from "../text/jq.ts";
import { nameMatcher, namePairs } from "../tables/name-matcher.ts";
import { readers } from "../tables/readers.ts";
import { coveredPackages, verbTables } from "../tables/verb-tables.ts";
import { writers } from "../tables/writers.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";

/** Classifies `chmod`. A mode as in `chmod +x FILE` only lets users run or read the file, so the call is a plain edit. */
function chmod({ words }: ProgramInvocation): ProgramEffects {
  const effects = classifyByTable(writers["chmod"], words);
  return words[0]?.kind === "literal" && /^([ua]?\+x|[67][045][045])$/.test(words[0].text) && effects.doubts.length === 0
    ? { ...effects, onlyEdits: true }
    : effects;
}

/** Classifies `tee`, which only prints if its files are streams that are open anyway. */
const tee: ProgramClassifier = ({ words }) => {
  const effects = classifyByTable(writers["tee"], words);
  const isPrinting = words.length > 0 && words.every(({ kind, text }) => kind === "literal" && STREAM.test(text));
  return isPrinting ? { reads: true, paths: effects.paths, doubts: effects.doubts } : effects;
};
const STREAM = /^(-a|\/dev\/(null|stdout|stderr))$/;

/** Classifies `valgrind`, which runs the program behind its flags. */
const valgrind: ProgramClassifier = ({ words }) => {
  const { effects, sorted } = readCall(writers["valgrind"], words);
  const unknown = sorted.unknown.map((flag) => `${flag} is not judged for valgrind`);
  return { ...effects, doubts: [...effects.doubts, ...unknown], runs: [{ words: sorted.operands, more: "none" }] };
};

/** Classifies `mktemp`. It makes a new file, which `NEW_SCRATCH` stands for. */
const mktemp: ProgramClassifier = ({ name, words }) =>
  MAKES_SCRATCH.test(words.map(({ kind, text }) => (kind === "literal" ? ` ${text}` : "$")).join(""))
    ? { reads: false, onlyEdits: true, paths: [{ word: literal(NEW_SCRATCH), use: "edits" }], doubts: [] }
    : { ...unknownCall(words), paths: mentionedPaths({ name, words }) };

const named = (names: string, program: ProgramClassifier): Record<string, ProgramClassifier> =>
  Object.fromEntries(names.split(" ").map((name) => [name, program]));

const sameNames = { chmod, xargs, mktemp, find, jq, git, curl, wget, docker, tar, unzip, printf, sed, awk, rg, tee, valgrind };
/** Programs for which a table is not enough. */
const special: Record<string, ProgramClassifier> = {
  ...sameNames,
  ...named("grep zgrep", grep),
  export: exporting,
  trap,
  ...named("scp rsync", copier),
  "podman-compose": (call) => docker({ ...call, words: [literal("compose"), ...call.words] }),
  "docker-compose": (call) => docker({ ...call, words: [literal("compose"), ...call.words] }),
  ...named("npm pnpm yarn bun", packageManager),
  ...named("npx bunx pnpx uvx", npx),
  ...named("ulimit umask jobs shopt dirs times", () => doubtful()),
  set: () => doubtful("changes how the shell reads what follows"),
  ...named("read mapfile unset local declare", assigning),
  test: testCall,
  ...named("gem gh helm kubectl pip rustup systemctl terraform", classifyBySubCommand),
  command: () => HARMLESS,
};

/** Other names of a program, which make no difference to what it does with its words. */
const ALIASES =
  namePairs(`nodejs=node fdfind=fd gsort=sort batcat=bat exa=eza gmake=make pip3=pip gsed=sed ripgrep=rg gawk=awk mawk=awk nawk=awk
  aria2c=wget axel=wget bsdtar=tar gtar=tar podman=docker egrep=grep fgrep=grep readarray=mapfile [=test original-awk=awk goawk=awk vp=pnpm na=pnpm`);

/** Returns the effects of one call. The program's own function or table decides. For an unknown program, only its words count. */
export function classifyProgram(typed: ProgramInvocation): ProgramEffects {
  const isModule = ({ text }: Word) => typed.name.startsWith("python") && /^-m./.test(text);
  const call = { ...typed, words: typed.words.flatMap((word) => (isModule(word) ? [literal("-m"), literal(word.text.slice(2))] : word)) };
  const module = call.name.startsWith("python") ? call.words.findIndex(({ text }) => text === "-m") : -1;
  const file = /^(node|python|ruby|php|(ba|da)?sh$)/.test(call.name)
    ? path.basename(call.words[0]?.text ?? "").replace(/\.(phar|[cm]?js)$/, "")
    : "";
  const like =
    isDevelopmentTool(file) || /\bvendor\/bin\/|\.bin\//.test(call.words[0]?.text ?? "")
      ? [[literal(file), ...call.words.slice(1)]]
      : module >= 0
        ? moduleCalls(call.words.slice(module + 1))
        : [...runBehind(call.name, call.words), ...(hasTable(call.name) ? [] : riskyCalls(call.words))];
  const effects = classifyByName(call, like);
  return like.length === 0 || (module >= 0 && effects.reads) ? effects : { ...effects, like };
}

/** Calls that ask whatever the rules, in the words of a program that may start them: `nix develop -c sudo ls`. */
const RISKY =
  /^((sudo|doas|su|pkexec|run0|dd|shred|chmod|chown) \S|mkfs|rm (.* )?-\w*[rR]|git (-\S+ ([^-\s]\S* )?)*(push|reset|clean|checkout|restore|stash|branch|rebase|config|filter-branch|reflog|update-ref|worktree|tag)\b|(ba|da|z)?sh -\w*c\b|(python3?|node|perl|ruby|php) -[ce] )/;
/** A program that runs its input: `tini -- sh`. */
const RUNS_INPUT = /^(--|-[ce]) ((ba|da|z)?sh|python3?|node|perl|ruby|php)( -)?$/;

/** Returns such calls behind other words. */
const riskyCalls = (words: readonly Word[]): (readonly Word[])[] =>
  words
    .flatMap((_, i) => {
      const isRisky = RISKY.test(textOfAll(words.slice(i, i + MAX_RISKY))) || RUNS_INPUT.test(textOfAll(words.slice(Math.max(0, i - 1))));
      return isRisky ? [words.slice(i)] : [];
    })
    .slice(0, 2);
const MAX_RISKY = 20;

/** True for a program with a table, whose words mean what the table says. `nix` also runs any command behind `-c`. */
const hasTable = (name: string): boolean =>
  name !== "nix" && (isKnownProgram(name) || Object.hasOwn(verbTables, name) || coveredPackages.has(name));

/** Returns the calls that a module of Python stands for. The module `pre_commit` is the program `pre-commit`. */
function moduleCalls([module = literal(""), ...rest]: readonly Word[]): Word[][] {
  const program = module.text.replace(/\.__main__$/, "").replaceAll("_", "-");
  const isOther =
    program !== module.text && (coveredPackages.has(program) || Object.hasOwn(verbTables, program) || program.startsWith("git-"));
  return [module, ...(isOther ? [literal(program)] : [])].map((each) => [each, ...rest]);
}

/** True if the gate has a table or a function for the program. Any word of an unknown program may be a program that it runs. */
export const isKnownProgram = (name: string): boolean =>
  Object.hasOwn(special, name) || Object.hasOwn(readers, name) || Object.hasOwn(writers, name) || ALIASES.has(name) || isShell(name);

function classifyByName(typed: ProgramInvocation, like: NonNullable<ProgramEffects["like"]>): ProgramEffects {
  const end = typed.name === "npm" ? typed.words.findIndex(({ text }) => text === "--") : 0; // other programs write files with `-w`
  const own = typed.words.map((word, i) => (word.text === "-w" && (end < 0 || i < end) ? literal("--workspace") : word));
  const call = { ...typed, words: own, name: ALIASES.get(typed.name) ?? typed.name };
  const { name, words } = call;
  if (isHarmlessCall(name, words)) return HARMLESS;
  if (isShell(name)) return shell(call);
  const asked = classifyBySubCommand(call);
  if (asked.reads) return asked;
  const judged = name === "perl" ? perlLine(call) : inlineCodeEffects(call);
  if (judged) return judged;
  if (Object.hasOwn(special, name) && special[name])
    return withMentionedPaths(special[name](call), OPAQUE.has(name) ? call : undefined, like);
  const known = /^python[\d.]*$|^pypy3?$/.test(name) ? "python" : name;
  const table = Object.hasOwn(readers, known) ? readers[known] : Object.hasOwn(writers, known) ? writers[known] : undefined;
  const effects = withMentionedPaths(
    table ? classifyByTable(table, words) : unknownCall(words),
    table ? (table.operands === undefined ? call : undefined) : withParts(call),
    like,
  );
  const hasInput = call.fed === "pipe" && words.every(({ text }) => text.startsWith("-"));
  const isInteractive =
    (name === "less" || name === "more") && ((!hasInput && call.isPiped !== true) || words.some(({ text }) => text.startsWith("+"))); // in a pipe they only print
  const fed =
    readsCode(name) && call.fed !== "nothing" && (!hasScript(call) || runsInput(call) || CONSOLE.test(textOfAll(words)))
      ? [feeding(name, call.fed, call.upstream)]
      : [];
  const isTool =
    table !== undefined || DATABASE.test(name) || coveredPackages.has(name) || name === "rspec" || runBehind(name, words).length > 0;
  const code = runsCode(name) ? codeIn(call) : isTool ? [] : strangeCode(call);
  return {
    ...effects,
    paths: code.length > 0 ? effects.paths : [...effects.paths, ...scriptOf(call)], // the first word may be the code itself
    reads: effects.reads && !isInteractive,
    doubts: code.length > 0 ? code : [...effects.doubts, ...fed],
  };
}

/** Consoles of a project, which run their input. */
const CONSOLE = /(^|\/)manage\.py (shell\w*|dbshell)( |$)|artisan tinker( |$)/;

/** Programs whose words may have meanings that the gate does not know. */
const OPAQUE = new Set("npm pnpm yarn bun npx bunx pnpx uvx gh kubectl pip terraform rustup helm gem".split(" "));

/** Programs that run SQL, in which `*` stands for columns. */
const DATABASE = /^(sqlite3|psql|mysql|mariadb|duckdb)$/;
const SQL_CLIENT = /^(csvsql|usql|pgcli|mycli|litecli|clickhouse-client|trino|bq|snowsql|sqlcmd)$/;
const isSql = ({ name, words }: ProgramInvocation): boolean =>
  [name, ...words.map(({ text }) => text)].some((each) => DATABASE.test(each) || SQL_CLIENT.test(each));

/** Adds the parts of words that contain blanks. A program without a table may run such a word as a command. */
const withParts = (call: ProgramInvocation): ProgramInvocation => ({
  ...call,
  words: call.words.flatMap((word) =>
    word.kind === "literal" && /\s/.test(word.text) && word.text.length < 1_000
      ? [word, ...word.text.split(/[\s;&|()]+/).flatMap((part) => (part === "*" && isSql(call) ? [] : literal(part)))]
      : [word],
  ),
});

function withMentionedPaths(effects: ProgramEffects, call: ProgramInvocation | undefined, around: ProgramEffects["like"]): ProgramEffects {
  if (call === undefined || effects.reads) return effects;
  const inner = (effects.like ?? effects.runs?.map(({ words }) => words) ?? around)?.[0];
  return { ...effects, paths: [...effects.paths, ...mentionedPaths({ ...call, inner })] };
}

const runsCode = nameMatcher(INTERPRETERS);

/** Flags of node that control its tests, warnings and limits. Other flags may load code. */
const isPlainNodeFlag = nameMatcher(`-c -h -v -C -- --check --help --version --test --test-only --test-name-pattern --test-reporter
  --test-concurrency --test-timeout --test-force-exit --test-update-snapshots --test-isolation --test-shard --test-skip-pattern
  --test-coverage-* --watch --watch-preserve-output --enable-source-maps --warnings --deprecation --no-warnings --no-deprecation --trace-*
  --throw-deprecation --expose-gc --expose_gc --max-old-space-size --max_old_space_size --max-old_space_size --unhandled-rejections
  --conditions --input-type --experimental-strip-types --experimental-transform-types --experimental-vm-modules --experimental-test-*
  --experimental-sqlite --experimental-require-module --no-experimental* --cpu-prof --heap-prof --permission`);

/** Returns a doubt if the words contain code or flags that load code. Combined letters count as well: `perl -ne`, `node -pe`. */
function codeIn({ name, words }: Pick<ProgramInvocation, "name" | "words">): string[] {
  const end = words.findIndex((word) => word.kind !== "literal" || !word.text.startsWith("-"));
  const flags = words.slice(0, end < 0 ? undefined : end).map(({ text }) => text);
  const isValued = name.startsWith("python") && /^-[WX]$/.test(flags.at(-1) ?? "");
  if (isValued && end >= 0) return codeIn({ name, words: [...words.slice(0, end - 1), ...words.slice(end + 1)] });
  const isCode = (flag: string) =>
    /^-[A-Za-z0-9]*[ecpErBRF]/.test(flag) && !/^-(-|m$)/.test(flag) && !/^-(c|check)$/.test(/^(node|ruby|perl)/.test(name) ? flag : "");
  const isEvaluating = flags.some((flag) => isCode(flag) || /^--(eval|print|command|run|execute|expr)/.test(flag));
  if (isEvaluating || (name === "deno" && /^(eval|repl)$/.test(words[0]?.text ?? ""))) return [`${name} runs code given as text`];
  const isPythonCode =
    flags.includes("-m") && /^(pdb|code|timeit|cProfile|profile|trace|runpy|idlelib|pickle|doctest)$/.test(words[end]?.text ?? "");
  if (name.startsWith("python") && isPythonCode) return [`${name} runs code given as text`];
  if (/^node(js)?$/.test(name) && (words[0]?.text === "inspect" || flags.some((flag) => !isPlainNodeFlag(flag.split("=")[0] ?? ""))))
    return [`${name} ${words[0]?.text} may load or run something else`];
  return [];
}

/** Returns a doubt for a program without a table that gets an expression behind a flag for code: `R -e 'system("x")'`. */
const strangeCode = ({ name, words }: ProgramInvocation): string[] =>
  words.some(({ text }, i) => /^(-e|-g|--eval|--exec|eval)$/.test(text) && /[()[\]{}`\\]/.test(words[i + 1]?.text ?? ""))
    ? [`${name} runs code given as text`]
    : [];

/** Returns the file that an interpreter runs. The rules must allow reading it. */
function scriptOf({ name, words }: ProgramInvocation): ProgramEffects["paths"] {
  const at = words.findIndex(({ text }) => text === "-m") + 1;
  const modules = words.slice(at).flatMap(({ text }) => (/^\w[\w.]*$/.test(text) ? text.replaceAll(".", "/") : []));
  const named = modules.flatMap((file, i) => [...(i === 0 ? [file] : []), `${file}.py`]).flatMap((file) => pathsInWord(literal(file)));
  if (at > 0) return named.map((each) => ({ ...each, search: { ...each.search, keeps: true } }));
  if (!runsCode(name)) return [];
  const script = words.find((word) => !word.text.startsWith("-"));
  return script && script.kind !== "open" && /[./]/.test(script.text) ? [{ word: script, use: "reads" }] : [];
}

/** Python modules that read text, not code, from their input. */
const TEXT_MODULES =
  /^(json(\.tool)?|base64|gzip|zipfile|tarfile|tokenize|ast|csv|calendar|black|isort|ruff|mypy|flake8|pytest|unittest|pip|venv|http\.server|compileall|py_compile|yaml|quopri|uuid|difflib|textwrap|django|flask|coverage|build|tox|nox|pylint|sphinx|markdown|pygments|jsonschema|xml\.\w+|html\.\w+)$/;

/** True for a call such as `python -m asyncio`, in which a module may run its input. */
const runsInput = ({ name, words }: ProgramInvocation): boolean => {
  const module = name.startsWith("python") ? words.findIndex(({ text }) => text === "-m") : -1;
  return module >= 0 && !TEXT_MODULES.test(words[module + 1]?.text ?? "");
};

/** Clients that run their input, although their words name a host or a file. */
const CLIENT = /^(sqlite3|psql|mysql|mariadb|duckdb|mongo(sh)?|redis-cli|sftp|l?ftp|smbclient|dc)$/;

const NAMES_CODE = /^-(c|f|e|x|-command|-file|-execute|-eval)/;

/**
 * True if a word names the code that runs. Words behind `-` are arguments of the code that comes in, as in `python3 - --version 1.8`, and a word
 * behind a flag may be its value, as in `python3 -W error`.
 */
function hasScript({ name, words, upstream }: ProgramInvocation): boolean {
  if (name === "ssh")
    return words.filter(({ text }, i) => !/^-|^(ba)?sh$/.test(text) && !/^-\w$/.test(words[i - 1]?.text ?? "")).length > 1;
  const hasInput = words.some(({ text }) => INPUT.test(text));
  const isCode = ({ text }: Word, i: number) => NAMES_CODE.test(text) || (/^(sqlite3|duckdb)$/.test(name) && i > 0 && /\s|^\./.test(text));
  if (CLIENT.test(name)) return !hasInput && words.some(isCode);
  const at = words.findIndex(({ text }) => INPUT.test(text) || (name === "php" && text === "--"));
  const isSure = at < 0 && !isFromNetwork(upstream);
  return words.slice(0, at < 0 ? undefined : at).some(({ kind, text }, i) => {
    const mayBeValue =
      /^(-[A-Z]|--[^=]+)$/.test(words[i - 1]?.text ?? "") && !/\.([cm]?[jt]sx?|py|rb|pl|php|lua|r|jl|exs?|sh)$/i.test(text);
    return kind !== "open" && !text.startsWith("-") && !mayBeValue && (isSure || /[./]/.test(text));
  });
}
