import path from "node:path";
import type { ProgramEffects } from "./program-types.ts";
import { parseArguments } from "./parse-arguments.ts";
import { unescaped } from "./printed-text.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { verbTables } from "../tables/verb-tables.ts";
import { writers } from "../tables/writers.ts";
import { isShell, readsCode } from "./shell-program.ts";
import { classifyProgram, isKnownProgram } from "./classify-program.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";

/**
 * Returns other texts of a call that rules may match, and undefined if it has too many words. `byName`: the call runs the program of that name,
 * not a file of the workspace. `fed`: the text of its input, if that is known.
 */
export function ruleTexts(base: string, words: readonly Word[], effects: ProgramEffects, byName: boolean, fed = ""): string[] | undefined {
  const isUnknown = !byName || !isKnownProgram(base) || RUNS_ELSEWHERE.has(base);
  const isOther = effects.like?.some(([program]) => program && !isKnownProgram(program.text)) === true;
  const isOpaque = isUnknown || isOther || handsOn(base, words, effects);
  const count = words.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const lines = isUnknown || isShell(base) ? spellingsOf(fed).flatMap((each) => each.split("\n")) : [];
  if ((isOpaque && count > MAX_POSITIONS) || lines.some((line) => line.split(/\s+/).length > MAX_POSITIONS)) return undefined;
  const own = [base, ...otherNames(base)].map((name) => [literal(name), ...words]);
  const others = [...(effects.plainly ? [effects.plainly] : []), ...(effects.like ?? []), ...own.slice(1)];
  const inside = [...(isOpaque ? textsIn(words) : []), ...lines.flatMap(commandsIn)];
  const moved = effects.reads ? [] : [...own.slice(0, 1), ...others].flatMap(partsFirst);
  const calls = [...others, ...moved].flatMap((call) => [textOfAll(call), ...sameCalls(call[0]?.text ?? "", call.slice(1))]);
  return [...calls, ...otherCalls(base, words), ...inside.filter((text) => text !== "")];
}

/**
 * Returns other calls that a call amounts to, which rules must allow as well: paths without `..`, addresses without a user in front of the
 * host, and a call for each of several addresses.
 */
export function meantCalls(base: string, typed: readonly Word[]): (readonly Word[])[] {
  const words = typed.map((word) => (word.kind === "literal" ? { ...word, text: meant(word.text) } : word));
  const addresses = /^(curl|wget)$/.test(base) ? parseArguments(writers[base], words).operands : [];
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

/** Returns other names of a program: of a part of git (`git-NAME`), a version, a wrapper, or another shell that runs the same script. */
export function otherNames(base: string): string[] {
  const [, version, wrapped, make] = /^(pip|node|ruby|perl|php)[\d.]+$|^(?:(gradle|mvn)w|[gb](make))$/.exec(base) ?? [];
  const name = base.startsWith("git-") ? `git ${base.slice(4)}` : base === "inv" ? "invoke" : (version ?? wrapped ?? make);
  if (name !== undefined || /^(pnpm|yarn|bun|composer|turbo)$/.test(base)) return [name ?? `${base} run`];
  const same = /^python[\d.]*$/.test(base) ? ["python", "python3"] : /^(ba|da)?sh$/.test(base) ? ["sh", "bash"] : [];
  return same.filter((each) => each !== base);
}

/** Returns the calls of the script of an interpreter, and values that make may run. */
function otherCalls(base: string, words: readonly Word[]): string[] {
  const script = readsCode(base) ? words.slice(words.findIndex(({ text }) => !text.startsWith("-"))) : [];
  const values = base === "make" ? words.flatMap(({ text }) => /^[^=]+=(.+)$/s.exec(text)?.[1] ?? []) : [];
  return [...namesOf(base === "artisan" ? [literal(base), ...words] : script), ...values, ...sameCalls(base, words)];
}

/** Programs with a table that run each of their words as a task, and programs that run the first one. */
const RUNS_TASKS = wordSet("make gmake bmake cmake just rake gradle gradlew mvn mvnw mix task turbo nx bazel npm-run-all tox nox ninja");
const RUNS_TASK = wordSet("npm pnpm yarn bun composer");

/** Returns a call with each of its flags behind the program and behind its verb, and without the words in front of each task or verb. */
export function partsFirst(call: readonly Word[]): Word[][] {
  const spelled = call.flatMap((word) =>
    (/^(--[\w-]+)=(.+)|^(-\w)(.+)/s.exec(word.text)?.slice(1).filter(Boolean) ?? [word.text]).map(literal),
  );
  return [call, ...(spelled.length > call.length ? [spelled] : [])].flatMap(movedParts);
}

function movedParts([program = literal(""), ...words]: readonly Word[]): Word[][] {
  const [lead = 0, end] = [/^-/, /^--$/].map((form) => words.findIndex(({ text }) => form.test(text)));
  const [base = ""] = path.posix.basename(program.text).split(" ");
  const isRunner = RUNS_TASKS.has(base) || !(isKnownProgram(base) || Object.hasOwn(verbTables, base));
  const places = [0, 1, 2, 3].filter((at) => at <= lead);
  return words.flatMap(({ text }, i) => {
    const others = words.toSpliced(i, 1).slice(0, 40);
    const [rest, next] = words[i + 1] ? [others.toSpliced(i, 1), words.slice(i + 1, i + 2)] : [others, []];
    const flags = end === -1 || i < (end ?? 0) ? flagsIn(text, base).map(literal) : [];
    const front = (...moved: Word[]) => places.map((at) => [program, ...(moved.length > 1 ? rest : others).toSpliced(at, 0, ...moved)]);
    const byFlag = flags.flatMap((flag) => [...front(flag), ...front(flag, ...next)]);
    const isTask = isRunner || (i > 0 && RUNS_TASK.has(base) && words.slice(1, i).every((word) => word.text.startsWith("-")));
    const tasks = isTask ? text.replace(base.startsWith("gradle") ? /^.*:/ : /^(\.DEFAULT_GOAL:?=)?(\.\/+)*/, "").split(/[,;+\s]+/) : [];
    const starts = base === "npm" && !/^(test|start)$/.test(text) ? [words.slice(0, 1)] : [[], words.slice(0, 1)];
    return [...byFlag, ...tasks.flatMap((task) => starts.map((start) => [program, ...start, literal(task), ...others.slice(i)]))];
  });
}

/** Returns the flags that a word has, under all of their names. A cluster has one for each letter. */
function flagsIn(text: string, base: string): string[] {
  if (!/^-./.test(text)) return [];
  const letters = text.slice(1).replaceAll(/./gs, " -$&").split(" ").slice(1);
  const flags = text.startsWith("--") ? [text] : [...new Set([text, ...letters])];
  const isMeant = (name: string) => flags.some((flag) => name === flag || (flag.length > 3 && name.startsWith(flag)));
  const meant = SAME_NAMES.filter(([programs = [], names = []]) => programs.includes(base) && names.some(isMeant));
  return [...flags, ...meant.flatMap(([, names = []]) => names)];
}

/** Names of the same verb or flag, with the programs that have them. A flag of git may be shortened. Source: the help of each program. */
const SAME_NAMES = `npm,pnpm,bun:install,i,add,a,it,in,isntall npm,pnpm,yarn,bun:uninstall,un,remove,rm,r npm,pnpm:test,t,tst
  npm,pnpm,bun:run,run-script npm,pnpm,yarn,bun:update,up,upgrade cargo:build,b cargo:run,r cargo:test,t cargo:check,c cargo:remove,rm
  helm:uninstall,un,del,delete npm,pnpm,bun:exec,x git:-n,--no-verify git:-f,--force git:-d,--delete git:-i,--interactive git:--amend
  git:--no-edit git:--allow-empty git:--prune git:--squash git:--rebase git:--hard git:--mirror git:--tags git:--no-ff git:-A,-a,--all git:-p,--patch git:-u,--set-upstream docker:-v,--volume docker:-d,--detach docker:-p,--publish
  curl:-k,--insecure curl:-X,--request curl:-d,--data curl:-L,--location rm:-r,-R,--recursive rm:-f,--force npm,pnpm:-D,--save-dev npm,pnpm:-g,--global cargo:-r,--release prettier:-w,--write`
  .split(/\s+/)
  .map((row) => row.split(":").map((names) => names.split(",")));

/** Returns the call with the other names of its verb, so that a rule about one of them counts for all. */
function sameCalls(base: string, words: readonly Word[]): string[] {
  const call = `${textOfAll(words)} `;
  if (/^g?sed$/.test(base) && / (-[a-zA-Z]*i|--in-place)/.test(` ${call}`)) return [`sed -i ${call.trim()}`];
  if (base === "docker-compose") return [`docker compose ${call.trim()}`];
  if (/^(docker|podman)$/.test(base)) return [`${base} ${call.replace(/^(-\S+ )*((container|image|builder) )?/, "").trim()}`];
  return SAME_NAMES.flatMap(([programs = [], names = []]) => {
    const own = programs.includes(base) ? names.find((name) => call.startsWith(`${name} `)) : undefined;
    return own === undefined ? [] : names.map((name) => `${base} ${name}${call.slice(own.length)}`.trim());
  });
}

/** Programs that run a command from their arguments on another machine or in a container. */
const RUNS_ELSEWHERE = new Set("docker docker-compose podman kubectl ssh mosh nix doppler".split(" "));

const MAX_POSITIONS = 200;

/** Returns the texts that start at each word, and those inside words. An unknown program may run any of them, so denies apply. */
function textsIn(words: readonly Word[]): string[] {
  const positions = words.flatMap(({ text }, i) =>
    (text.startsWith("-") ? [text.replace(/^[^=]*=?/, ""), text.replace(/^--.*|^-./s, "")] : [text]).map((each) => [
      literal(each),
      ...words.slice(i + 1),
    ]),
  );
  const plain = positions.flatMap((each) => [each, each.filter(({ text }) => text !== "--"), each.slice(0, 1)].flatMap(namesOf));
  const scripts = words.flatMap(({ text }) =>
    /[\s,]/.test(text)
      ? [...new Set([text.replace(/^[\w-]*[=:]/, ""), text.replace(/^-\w/, ""), text.replace(/^-\w\w/, "")])].flatMap(commandsIn)
      : [],
  );
  return [...new Set([...plain, ...scripts])].filter((text) => text !== "");
}

/** Returns the text of a call, also with the name of the program instead of its path, and `git push` for `git -C x push`. */
function namesOf([first, ...rest]: readonly Word[]): string[] {
  if (first === undefined) return [];
  const names = [...new Set(namesIn(first.text))];
  return [...names.map((name) => textOfAll([literal(name), ...rest])), ...plainText(first.text, rest)];
}

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

/** Returns the names of a program at a path, or in a package (`nixpkgs#git`). Its script may have an ending: `npm-cli.js`. */
function namesIn(file: string): string[] {
  const name = path.posix.basename(file.replace(/^.*#/, ""));
  return [file, name, name.replace(/(-cli)?\.[cm]?js$|-cli$/, "")];
}

function plainText(name: string, words: readonly Word[]): string[] {
  if (path.posix.basename(name) === "artisan") return [textOfAll([literal("php artisan"), ...words])];
  if (path.posix.basename(name) !== "git") return [];
  const { plainly } = classifyProgram({ name: "git", words, fed: "nothing", upstream: [], incoming: "none" });
  const global = words.findIndex(({ text }, i) => !text.startsWith("-") && !/^-[cC]$/.test(words[i - 1]?.text ?? ""));
  return [...(plainly ? [textOfAll(plainly)] : []), textOfAll([literal("git"), ...words.slice(Math.max(global, 0))])];
}

/** Returns roughly the commands of a text. Splits it at separators and removes wrappers and variable assignments at the start. */
const commandsIn = (text: string): string[] =>
  text
    .replaceAll(/["'\\]/g, "")
    .replaceAll(/\)\s*\.args?\(/g, " ") // `Command::new("git").arg("push")`
    .split(/[;&|\n(){}`!:#<>@%~^+?*$]+|^-/)
    .flatMap((each) => [each.trim(), each.trim().replace(/^(-|(env|command|exec|nohup|time|sudo)\s+|[A-Za-z_]\w*=\S*\s+)+/, "")])
    .flatMap((each) => {
      const words = (each.match(/[^\s,[\]]+/g) ?? []).map(literal);
      const starts = words.flatMap((word, i) => [
        words.slice(i),
        ...(word.text.includes("=") ? [[literal(word.text.replace(/^.*=/, "")), ...words.slice(i + 1)]] : []),
      ]);
      return starts.flatMap(namesOf);
    });
