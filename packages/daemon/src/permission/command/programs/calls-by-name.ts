import path from "node:path";
import { remembered } from "@baton/core/text/remembered";
import type { ProgramEffects } from "./program-types.ts";
import { MAX_ADDRESSES, parseArguments } from "./parse-arguments.ts";
import { unescaped } from "./printed-text.ts";
import { verbTables } from "../tables/verb-tables.ts";
import { writers } from "../tables/writers.ts";
import { handedTo, namesIn, otherNames } from "./other-names.ts";
import { isShell, readsCode } from "./shell-program.ts";
import { classifyProgram, isKnownProgram } from "./classify-program.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";

export type OtherCalls = { same: (readonly Word[])[]; inside: (readonly Word[])[] };

/**
 * Returns other calls that rules about a call may match: those that mean the `same`, and those `inside` the words of a program that may run
 * them. Undefined if it has too many words. `byName`: the call runs the program of that name, not a file of the workspace. `fed`: the text of its
 * input, if that is known.
 */
export function callsByName(
  base: string,
  words: readonly Word[],
  effects: ProgramEffects,
  byName: boolean,
  fed = "",
): OtherCalls | undefined {
  const isUnknown = !byName || !isKnownProgram(base) || RUNS_ELSEWHERE.has(base) || effects.project !== undefined;
  const isOther = effects.like?.some(([program]) => program && !isKnownProgram(program.text)) === true;
  const isOpaque = isUnknown || isOther || handsOn(base, words, effects);
  const count = words.reduce((sum, { text }) => sum + (text.match(ROUGH_WORD)?.length ?? 0), 0);
  const lines =
    isUnknown || isShell(base) || RUNS_INPUT.test(textOfAll([literal(base), ...words]))
      ? spellingsOf(fed).flatMap((each) => each.split("\n"))
      : [];
  if ((isOpaque && count > MAX_POSITIONS) || lines.some((line) => line.split(/\s+/).length > MAX_POSITIONS)) return undefined;
  const own = [base, ...otherNames(base)].map((name) => [literal(name), ...words]);
  const meant = [...(effects.plainly ? [effects.plainly] : []), ...(effects.like ?? [])];
  const named = meant.flatMap(([first, ...rest]) => otherNames(first?.text ?? "").map((name) => [literal(name), ...rest]));
  const others = [...meant, ...named, ...own.slice(1)];
  const isTest = TESTING.test(textOfAll(words)) || (/^(p?npm|yarn|bun)$/.test(base) && /^(run )?test\S* /.test(textOfAll(words)));
  const run = isTest ? words.filter((_, i) => !/^(-[tg]|--(grep|testNamePattern))$/.test(words[i - 1]?.text ?? "")) : words;
  const script = readsCode(base) ? words.slice(words.findIndex(({ text }) => !text.startsWith("-")) + 1) : []; // it may run its words
  const inside = [...(isOpaque ? callsIn(run) : callsIn(script)), ...lines.flatMap(commandsIn)];
  const patterns = TESTING.test(`${base} `) ? words.flatMap(({ text }) => text.match(/[\w./-]+(?=[|)])|(?<=[(|])[\w./-]+/g) ?? []) : [];
  const same = [
    ...(patterns.length > 0 ? [[literal(base), ...words, ...patterns.map(literal)]] : []),
    ...others,
    ...[...others, [literal(base), ...words]].flatMap((call) => [...sameCalls(call), ...releaseCalls(call)]),
    ...[[literal(base), ...words], ...meant].flatMap(scriptCalls),
  ];
  return { same: same.map(spelledOut), inside: inside.map(spelledOut).filter((call) => textOfAll(call) !== "") };
}

/** Programs of a project that run what comes in. */
const RUNS_INPUT = /(manage\.py|django-admin|flask|rails|artisan) (shell\w*|console|tinker)\b/;

/** Tests that take a part of their names behind a flag. */
const TESTING = /^(jest|vitest|mocha|playwright|ava|cypress) /;

/** Returns a call whose program has its verb in its name, as in `git push`, as words. */
function spelledOut(call: readonly Word[]): readonly Word[] {
  const [first = literal(""), ...rest] = call;
  return first.text.includes(" ") ? [...first.text.split(" ").map(literal), ...rest] : call;
}

/**
 * Returns other calls that a call amounts to, which rules must allow as well: paths without `..`, addresses without a user in front of the
 * host, and a call for each of several addresses.
 */
export function meantCalls(base: string, typed: readonly Word[]): (readonly Word[])[] {
  const words = typed.map((word) => (word.kind === "literal" ? { ...word, text: meant(word.text) } : word));
  const operands = /^(curl|wget)$/.test(base) ? parseArguments(writers[base], words).operands : [];
  const addresses = operands.length > MAX_ADDRESSES ? [] : operands; // the gate asks about more
  const calls = addresses.length > 1 ? addresses.map((one) => words.filter((word) => word === one || !addresses.includes(word))) : [words];
  return calls.filter((call) => textOfAll(call) !== textOfAll(typed));
}

const meant = (text: string): string =>
  text.includes("://") ? text.replace(/:\/\/[^/?#]*@/, "://") : /\/\.\.(\/|$)/.test(text) ? path.posix.normalize(text) : text;

/** True if a known program gives its last arguments to code of the project, as `go run x -- git push` does. */
const handsOn = (base: string, words: readonly Word[], { reads, onlyEdits }: ProgramEffects): boolean =>
  !reads &&
  !onlyEdits &&
  base !== "git" &&
  words.some(({ text }, i) => (text === "--" ? i < words.length - 1 : i < 3 && /^(run|run-script|start|test|exec|x|dlx|task)$/.test(text)));

/** Returns the calls of the script of an interpreter, and values that make may run. */
function scriptCalls([program = literal(""), ...words]: readonly Word[]): Word[][] {
  const base = program.text;
  const script = readsCode(base) ? words.slice(words.findIndex(({ text }) => !text.startsWith("-"))) : [];
  const values = base === "make" ? words.flatMap(({ text }) => /^[^=]+=(.+)$/s.exec(text)?.[1] ?? []) : [];
  return [...namesOf(base === "artisan" ? [literal(base), ...words] : script), ...values.map((value) => [literal(value)])];
}

const REBASES = /^(.* )?pull (.* )?(-\w*r\b|--reb\w*(?![\w=])|--reb\w*=(?!false|no))|pull\.rebase=(?!false).* pull\b/i;

/** Programs that take the host and the name of a database in one word: `postgres://user@host:5432/name`, or `host=x dbname=y`. */
const TAKES_DATABASE = /^(psql|pg_dump|pg_restore|pgcli|mysql|mysqldump|mariadb|mongosh|mongo|mongodump|mongorestore|redis-cli|usql)$/;
const DATABASE_ADDRESS =
  /^\w+(?:\+\w+)?:\/\/(?:[^@/]*@)?([^:/?#]+)[^/?#]*(?:\/([^?#]+))?|(?:^|\s)host(?:addr)?\s*=\s*(\S+)(?:.*\sdbname\s*=\s*(\S+))?/;

/** Calls that give the words behind `--` to a test or a script: `cargo test -- --ignored`. A deny of such a flag often leaves out the `--`. */
const HANDS_OVER = /^(cargo (t|test|bench)|(npm|pnpm|yarn|bun) .+)$/;

/** Verbs that start another program with the words behind them. */
const STARTS: readonly (readonly [RegExp, string])[] = [
  [/^cargo (miri|careful|llvm-cov|tarpaulin|nextest|mutants|hack)\b/, "cargo test"],
  [/^fastlane (run )?(gym|build_app|build_ios_app)\b/, "xcodebuild archive"],
  [/^fastlane (run )?(scan|run_tests)\b/, "xcodebuild test"],
  [/^heroku pg:psql\b/, "psql"],
  [/^hatch test\b/, "pytest"],
  [
    /^glab (.* )?mr (.* )?(create|new) (.* )?(--(fill|push)\b|-[fy]*f[fy]*( |$))|^(gt|gs|git-spice) ((up|down)?stack |branch )?(submit|s|[bud]?ss?)( |$)|^but push\b/,
    "git push",
  ],
];

/** Returns a call of cargo with the other spelling of its release profile. */
function releaseCalls([program, ...words]: readonly Word[]): Word[][] {
  if (program?.text !== "cargo") return [];
  const isProfile = ({ text }: Word, i: number) =>
    text === "--profile=release" || (text === "release" && words[i - 1]?.text === "--profile");
  const isShort = words.some(({ text }) => /^(--release|-[a-z]*r)$/.test(text));
  return [
    ...(words.some(isProfile) ? [[program, ...words, literal("--release")]] : []),
    ...(isShort ? [[program, ...words, literal("--profile"), literal("release")]] : []),
  ];
}

/** Returns a call without the kind of thing that its verb is about, with other names, or with the flag that decides what it does. */
function sameCalls([program = literal(""), ...words]: readonly Word[]): Word[][] {
  const base = program.text;
  if (/^g?sed$/.test(base) && words.some(({ text }) => /^(-[a-zA-Z]*i|--in-place)/.test(text))) return [[literal("sed -i"), ...words]];
  if (/^(bundle|yarn)$/.test(base) && words.every(({ text }) => text.startsWith("-"))) return [[program, literal("install"), ...words]];
  const kind = words.findIndex(({ text }) => !text.startsWith("-"));
  if (base === "rsync" && words.some(({ text }) => /^[\w.@-]+:/.test(text))) return [[literal("ssh"), ...words]];
  if (base === "git" && REBASES.test(textOfAll(words))) return [[program, literal("rebase")]];
  if (base === "mise" && /^(t|tasks?) r(un)? /.test(textOfAll(words))) return [[program, literal("run"), ...words.slice(2)]];
  if (base === "rake") return [[literal("rails"), ...words]];
  if (base === "rails" && words.some(({ text }) => /^\w+:/.test(text))) return [[literal("rake"), ...words]];
  const module = base === "coverage" ? words.findIndex(({ text }) => text === "--module") : -1;
  if (module > 0) return [[literal("python"), literal("-m"), ...words.slice(module + 1)]];
  const database = TAKES_DATABASE.test(base)
    ? words.flatMap(({ text }) => DATABASE_ADDRESS.exec(text)?.slice(1).filter(Boolean) ?? [])
    : [];
  if (database.length > 0) return [[program, literal("-h"), ...database.map(literal), ...words]];
  const handed = handedTo(base);
  if (handed !== undefined) return words.map((_, i) => [literal(handed), ...words.slice(i)]);
  const first = words[kind]?.text ?? "";
  const end = words.findIndex(({ text }) => text === "--");
  const flags = end < 0 ? [] : words.slice(end + 1).filter(({ text }) => text.startsWith("-"));
  if (flags.length > 0 && HANDS_OVER.test(`${base} ${first}`)) return [[program, ...words.slice(0, end), ...flags]];
  if (base === "deno" && (first === "run" || verbTables["deno"]?.verbs.split(" ").includes(first) === false))
    return [[program, literal(/[./]/.test(first) ? "run" : "task"), ...words.filter(({ text }) => text !== "run")]];
  const started = STARTS.find(([form]) => form.test(`${base} ${textOfAll(words)}`))?.[1];
  const inner = words.slice(kind + 1);
  if (started !== undefined)
    return [
      [...started.split(" ").map(literal), ...inner],
      ...(flags.length > 0 ? [[...started.split(" ").map(literal), ...flags]] : []),
      ...(base === "cargo" && first !== "nextest" ? [[program, ...inner]] : []),
    ];
  if (base === "bacon") return [[literal("cargo"), ...words.filter(({ text }) => text !== "--")]];
  if (base === "gotestsum") return [[literal("go"), literal("test"), ...words.filter(({ text }) => text !== "--")]];
  if (base.startsWith("cargo-")) return [[literal("cargo"), ...words]];
  if (base === "R") {
    const texts = words.map(({ text }) => text);
    const at = Math.max(texts.indexOf("BATCH"), texts.indexOf("-f")) + 1;
    const script = texts.find((text, i) => (at > 0 ? i >= at && !text.startsWith("-") : text.startsWith("--file=")));
    return script === undefined ? [] : [[literal("Rscript"), literal(script.replace("--file=", ""))]];
  }
  return /^(docker|podman)$/.test(base) && /^(container|image|builder)$/.test(words[kind]?.text ?? "")
    ? [[program, ...words.toSpliced(kind, 1)]]
    : [];
}

/** Programs that run a command from their arguments on another machine or in a container. */
const RUNS_ELSEWHERE = new Set("docker docker-compose podman podman-compose kubectl ssh mosh nix doppler".split(" "));

const MAX_POSITIONS = 200;
const ROUGH_WORD = /[^\s,[\]]+/g;

/** Returns the calls that start at each word, and those inside words. An unknown program may run any of them, so denies apply. */
function callsIn(words: readonly Word[]): Word[][] {
  const positions = words.flatMap(({ text }, i) =>
    (text.startsWith("-") ? [text.replace(/^[^=]*=?/, ""), text.replace(/^--.*|^-./s, "")] : [text]).map((each) => [
      literal(each),
      ...words.slice(i + 1),
    ]),
  );
  const plain = positions.flatMap((each) =>
    [each, ...(each.some(({ text }) => text === "--") ? [each.filter(({ text }) => text !== "--")] : [])].flatMap(namesOf),
  );
  const scripts = words.flatMap(({ text }) =>
    /[\s,]/.test(text)
      ? [...new Set([text.replace(/^[\w-]*[=:]/, ""), text.replace(/^-\w/, ""), text.replace(/^-\w\w/, "")])].flatMap(commandsIn)
      : [],
  );
  return [...plain, ...scripts];
}

/** Returns a call, also with the name of the program instead of its path, and `git push` for `git -C x push`. */
function namesOf([first, ...rest]: readonly Word[]): Word[][] {
  if (first === undefined) return [];
  return [...allNamesOf(first.text).map((name) => [literal(name), ...rest]), ...plainCalls(first.text, rest)];
}

const allNamesOf = remembered((text): readonly string[] => [...new Set(namesIn(text).flatMap((name) => [name, ...otherNames(name)]))]);

const SPLITS = [/[\s;&|<>()'"]+/, /[\s;&|<>()'"[\]{},:=@$]+/, /[\n;&|<>()'"[\]{},:=@$]+/];
/** Returns roughly the words of a text, wherever they are in it. */
export const roughWordsOf = (text: string): Word[] =>
  [...new Set(spellingsOf(text).flatMap((each) => SPLITS.flatMap((by) => each.split(by))))].map(literal);

/** Signs between two literals (`"a" + "b"`), quotes, and placeholders (`$PWD/`, `<rootDir>/`). A program may drop all of them. */
const PARTS = [/["'`]\s*(\+|\.{1,2})?\s*["'`]/g, /["']|(\$\{?\w+\}?|<\w+>)\//g];

/** Returns a text as it is, with replaced escapes (of `printf`), and without such parts, each also with quoted parts as lines. */
function spellingsOf(text: string): string[] {
  const spelled = text.includes("\\") ? [text, unescaped(text)] : [text];
  const texts = [...new Set(spelled.flatMap((each) => [each, ...PARTS.map((part) => each.replaceAll(part, ""))]))];
  return [...texts, ...texts.filter((each) => /["']/.test(each)).map((each) => each.replaceAll(/["'=]+/g, "\n"))];
}

function plainCalls(name: string, words: readonly Word[]): Word[][] {
  if (path.posix.basename(name) === "artisan") return [[literal("php artisan"), ...words]];
  if (path.posix.basename(name) !== "git") return [];
  const { plainly } = classifyProgram({ name: "git", words, fed: "nothing", upstream: [], incoming: "none" });
  const global = words.findIndex(({ text }, i) => !text.startsWith("-") && !/^-[cC]$/.test(words[i - 1]?.text ?? ""));
  return [...(plainly ? [[...plainly]] : []), [literal("git"), ...words.slice(Math.max(global, 0))]];
}

/** Returns roughly the commands of a text. Splits it at separators and removes wrappers and variable assignments at the start. */
const commandsIn = (text: string): Word[][] =>
  text
    .replaceAll(/["'\\]/g, "")
    .replaceAll(/\)\s*\.args?\(/g, " ") // `Command::new("git").arg("push")`
    .replaceAll(/\bcall_command\(/g, "\nmanage.py ") // of Django
    .split(/[;&|\n(){}`!:#<>@%~^+?*$]+|^-/)
    .flatMap((each) => [each.trim(), each.trim().replace(/^(-|(env|command|exec|nohup|time|sudo)\s+|[A-Za-z_]\w*=\S*\s+)+/, "")])
    .flatMap((each) => {
      const words = (each.match(ROUGH_WORD) ?? []).map(literal);
      const starts = words.flatMap((word, i) => [
        words.slice(i),
        ...(word.text.includes("=") ? [[literal(word.text.replace(/^.*=/, "")), ...words.slice(i + 1)]] : []),
      ]);
      return starts.flatMap(namesOf);
    });
