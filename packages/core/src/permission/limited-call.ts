import { remembered } from "../text/remembered.ts";
import { matchesWildcard } from "./wildcard.ts";

/**
 * A command as words, under one of its names. A word that is known only when it runs ends with `UNKNOWN`. `verbs`: how many of its first words,
 * flags left out, say what it does: one in `git push`, and none if each word may be a task. `isInside`: it is only a part of the words of a program
 * that may run them. `settings`: assignments of variables in the text around it.
 */
export type Call = { words: readonly string[]; verbs: number; isInside?: true; settings?: readonly string[] };

export const UNKNOWN = "\0";

/** Stands for a number, or for the name of a commit, that is known only when the command runs. */
export const UNKNOWN_NUMBER = "8460219375";

/**
 * True if a rule that limits `pattern` is about this call: the same program, each flag of the pattern at any place and under any of its names,
 * and the other words in the same order with any words between them. `git push origin main*` is about `git push -u origin x main`.
 */
export function limitsCall(pattern: string, { words: [name = "", ...all], verbs }: Call): boolean {
  const { program, flags, operands, namesEnd, endsWithEnd, adds } = partsOf(pattern);
  if (flags.length + operands.length === 0 || (endsWithEnd && !all.includes("--"))) return false;
  if (adds && addsNothing(all)) return false;
  const isOther = program !== name && !matchesWildcard(program, name);
  if (isOther && !addsSame(program, name, operands)) return false;
  const base = isOther ? program : name.slice(name.lastIndexOf("/") + 1);
  const words = wordsOf(base, namesEnd ? all : ownWords(base, all), flags, verbs);
  let at = 0;
  for (const [i, operand] of operands.entries()) {
    const mayBeValue = (j: number) => isFlag(words[j - 1]) && words[j]?.endsWith(UNKNOWN) === true;
    const isPlace = (j: number) =>
      j >= at && (!(i < verbs || mayBeValue(j)) || words.slice(at, j).every((_, k) => isFlagOrValue(words, at + k)));
    const found = words.findIndex(
      (word, j) => !isFlag(word) && !/\s/.test(plain(word)) && isPlace(j) && isSameWord(base, operand, word, verbs),
    );
    if (found < 0) return false;
    at = found + 1;
  }
  return flags.every((flag) => hasFlag(base, flag, words));
}

/** True if a rule names a package that one manager may not add. The others may not add it either. */
const addsSame = (program: string, name: string, [verb = "", ...packages]: readonly string[]): boolean =>
  packages.length > 0 && MANAGER.test(program) && MANAGER.test(name) && /^(install|i|add)$/.test(verb);
const MANAGER = /^(npm|pnpm|yarn|bun)$/;

/** True for `pnpm install` without a package, which adds nothing. */
const addsNothing = (words: readonly string[]): boolean =>
  words.filter((word, i) => !isFlag(word) && !CHOOSES.test(words[i - 1] ?? "")).every((word) => /^(run|install|i|ci)$/.test(word));
/** Flags that choose where a package manager works. */
const CHOOSES = /^(-[FCw]|--(filter|dir|prefix|cwd|workspace))$/;

type Flag = { flag: string; value?: string | undefined };
type Parts = { program: string; flags: Flag[]; operands: string[]; namesEnd: boolean; endsWithEnd: boolean; adds: boolean };

/** Sorts the words of a pattern. A word behind a flag may be its value, and `-Pprod` has its value attached. */
const partsOf = remembered((pattern): Parts => {
  const [program = "", ...rest] = pattern.replaceAll(/\*(?=-)/g, "* ").split(/\s+/);
  const spelled = rest.flatMap((word) => /^(--?[a-z][\w-]+)=(.+)|^(-[A-Z])([^*].*)/.exec(word)?.slice(1).filter(Boolean) ?? [word]);
  const words = spelled.filter((word) => !/^(\*|--|)$/.test(word));
  const flags = words.flatMap((flag, i) => (isFlag(flag) ? [{ flag, value: isFlag(words[i + 1]) ? undefined : words[i + 1] }] : []));
  return {
    program,
    flags,
    operands: words.filter((_, i) => !isFlagOrValue(words, i)),
    namesEnd: rest.includes("--"),
    endsWithEnd: / -- ?\*?$/.test(pattern),
    adds: MANAGER.test(program) && / add\*?( |$)/.test(pattern),
  };
});

/** Returns the words of a program without those that it hands on. Behind `--`, no other word is a flag. */
function ownWords(base: string, words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  if (end < 0) return words;
  // `run` needs a task, which may be behind `--`.
  const isTask = (word: string, i: number) =>
    TASK.test(word) && (!word.startsWith("run") || words.slice(i + 1, end).some((each) => !isFlag(each)));
  const handsOn = HANDS_ON.test(base) || (RUNS.test(base) && words.slice(0, end).some(isTask));
  return [...words.slice(0, end), ...(handsOn ? [] : words.slice(end).map((word) => word.replace(/^-+/, "")))];
}

/** Programs whose words behind `--` are those of another program, and those with verbs of this kind. */
const HANDS_ON = /^(cargo|dotnet|deno|task|just|turbo|tox|nox|npx|bunx|pnpx|uvx)$/;
const RUNS = /^(npm|pnpm|yarn|bun|composer)$/;
const TASK = /^(run|run-script|exec|x|dlx|t|test|start)$/;

/** Returns words with attached values behind their flags, and without values that are text, unless the pattern names their flag. */
function wordsOf(base: string, words: readonly string[], flags: readonly Flag[], verbs: number): string[] {
  const verb = base === "git" ? `git ${words.find((word) => NAMES_NEW.test(word))}` : base;
  const isText = (flag = "") => TEXT_FLAG.test(`${verb} ${flag}`) && !flags.some((own) => isSameFlag(base, own.flag, flag));
  return words.flatMap((word, i) => {
    if (isFlag(words[i - 1]) && isText(words[i - 1])) return [];
    const [, flag = "", attached = ""] =
      (verbs > 0 ? /^(--[\w-]+)=(.+)/s : /^(--?[\w-]+)=(.+)|^(-\w)(.+)/s).exec(word)?.filter(Boolean) ?? [];
    return attached === "" || isText(flag) ? [word] : [word, attached];
  });
}

/** Verbs of git with such flags. */
const NAMES_NEW = /^(commit|tag|merge|stash|notes|revert|checkout|switch|worktree)$/;
/** Flags whose value is text, the name of something new, or what is left out. */
const TEXT_FLAG =
  /^(git (commit|tag|merge|stash|notes|revert) (-[a-zA-Z]*m|--message)|git (checkout|switch|worktree) (-[bBcC]|--create|--orphan)|gradlew? (-x|--(exclude-task|task|tests))|(php|artisan) --filter|rspec (-e|--example)|pytest (-[kcpno]|--(ignore|deselect|ignore-glob))|(jest|vitest) -t|mocha -g|\S+ --(grep|testNamePattern)|pip (-[rcti]|--(requirement|constraint|target))|g?make (-[CfIW])|mvnw? (-pl|-f)|mix --only|turbo (-F|--filter)|just (-s|--show|--usage))$/;

/** True if a call has the flag of a pattern, with its value. If the flag has none in the call, the value may be any other word. */
function hasFlag(base: string, { flag, value }: Flag, words: readonly string[]): boolean {
  const isFound = (wanted: string) => words.some((word) => isFlag(word) && isSameFlag(base, wanted, word));
  if (value === undefined) return isFound(flag) || (CLUSTER.test(flag) && lettersOf(base, flag.replace("*", "")).every(isFound));
  const isValue = (text = "") =>
    [text, ...text.split(/[,;]/), ...termsOf(text)]
      .map((each) => plain(each.replace(/^[+?=]/, "")))
      .some((each) => matchesWord(plain(value), each) || isPatternOf(base, each, plain(value)));
  return words.some((word, i) => {
    if (!isFlag(word) || !isSameFlag(base, flag, word)) return false;
    const attached = word.includes("=") ? word.slice(word.indexOf("=") + 1) : attachedTo(base, flag, word);
    if (attached !== "") return isValue(attached);
    if (base === "cmake") return words.slice(i + 1).some((each, j, rest) => isValue(each) && !rest.slice(0, j).some(isFlag)); // several targets
    const next = words[/^-\w{2}/.test(word) && words[i + 1] === word.slice(2) ? i + 2 : i + 1]; // the letters of a cluster are also behind it
    if (!isFlag(next) && (VALUED.test(flag) || isValue(next))) return isValue(next);
    return words.some((each, j) => !isFlag(each) && !isFlag(words[j - 1]) && isValue(each));
  });
}

/** Returns the names in an expression such as `fast or (slow and not old)`, without those behind `not`. */
const termsOf = (text: string): string[] =>
  /[\s()^$]/.test(text) ? (text.replaceAll(/\bnot\s+\(?[\w-]+/g, "").match(/[\w-]+/g) ?? []) : [];

/** Flags that always have a value. */
const VALUED =
  /^(-[pmlXnkCPFLTjw]|--(package|bin|test|example|limit|mode|config|filter|request|project|namespace|context|profile|target|tags))$/;

/** Returns the value behind a flag of one letter in the same word: `DELETE` for `-X` in `-sXDELETE`. */
function attachedTo(base: string, flag: string, word: string): string {
  const letters = [flag, ...namesOf(base, (name) => name === flag), ...initialOf(base, flag)]
    .filter((name) => /^-\w$/.test(name))
    .map((name) => name.slice(1));
  const at = word.startsWith("--")
    ? -1
    : Math.min(...letters.map((letter) => word.indexOf(letter, 1)).filter((index) => index > 0), word.length);
  return at < 0 ? "" : word.slice(at + 1);
}

const CLUSTER = /^-\w{2,4}\*?$/;
/** Programs whose flags of several letters have one dash, and flags of others behind which a cluster has a value. */
const LONG_FLAGS = /^(go|terraform|tofu|java|javac|mvn|mvnw|gradle|gradlew|find)$/;
const ENDS_CLUSTER =
  /(?<=^(git:(-\w*?[mFCcStX]|-u(?=(no|normal|all)$))|curl:-\w*?[XHdoFAeubmTKw]|(docker|podman):-\w*?[epuvwlfm]|(psql|mysql):-\w*?[dhUcfpueP]|pytest:-\w*?[kmcpno]|(jest|vitest):-\w*?t)).*/s;

/** Returns the flags in a cluster of letters. */
function lettersOf(base: string, word: string): string[] {
  if (!/^-\w/.test(word)) return [];
  const cluster = `${base}:${word}`.replace(ENDS_CLUSTER, "").slice(base.length + 2);
  const letters = LONG_FLAGS.test(base) || !/^\w{1,6}$/.test(cluster) ? [cluster[0] ?? ""] : cluster.split("");
  return letters.map((letter) => `-${letter}`);
}

const isFlag = (word: string | undefined): boolean => /^-./.test(word ?? "");
const isFlagOrValue = (words: readonly string[], i: number): boolean => isFlag(words[i]) || isFlag(words[i - 1]);
const plain = (text: string): string => text.replace(/^(\.\/)+|^\.DEFAULT_GOAL ?[:+?!]*=|^:|^@*\/\//, "");

/** Matches a word. One that is known only when it runs may be any that begins like it, and a number may be any that the pattern has. */
export function matchesWord(wanted: string, word: string): boolean {
  if (word.includes(UNKNOWN_NUMBER))
    return [UNKNOWN_NUMBER, ...(wanted.match(/\d+/g) ?? []), ...(wanted.match(/[\da-f]{4,}/g) ?? [])].some((number) =>
      matchesWildcard(wanted, word.replaceAll(UNKNOWN_NUMBER, number)),
    );
  return (word.endsWith(UNKNOWN) && wanted.startsWith(word.slice(0, -1))) || matchesWildcard(wanted, word);
}

/** Programs that take patterns of tasks and packages, and true if a pattern in a word matches the one that a rule names. */
const TAKES_PATTERNS = /^(npm|deno|pnpm|yarn|turbo|lerna|nx|cargo|go|wireit|concurrently)$/;
const isPatternOf = (base: string, word: string, wanted: string): boolean =>
  TAKES_PATTERNS.test(base) && /[*?]/.test(word) && matchesWildcard(word, wanted.replace(/\*+$/, ""));

/** True if a word of a call is that of a pattern: under another name, as a branch in `HEAD:main`, as one of several tasks, or shortened. */
function isSameWord(base: string, operand: string, text: string, verbs: number): boolean {
  const last = (each: string) => each.replace(base === "just" ? /^.*[:/]/ : /^.*:/, "");
  const wanted = plain(operand);
  return [text, ...(verbs > 0 ? [] : text.split(/[,;+]+/))].map(plain).some((word) => {
    const texts = [word];
    if (base === "go" && /^(\.\/\.\.\.|all)$/.test(text) && /[./]/.test(operand)) texts.push("*"); // all packages
    if (/^(go|bazel)$/.test(base) && operand.endsWith("/...") && endsOf(word).some((each) => isBelowTarget(wanted.slice(0, -4), each)))
      return true;
    if (base === "git" && operand === "." && /^(\.\/+|:\/|\*)$/.test(text)) return true;
    if (TAKES_HOST.test(base) && matchesWord(wanted.toLowerCase(), hostIn(word))) return true;
    if (base === "bazel" && /^\/\/.*\.\.\.$/.test(text) && wanted.startsWith(word.slice(0, -3))) return true;
    if (base === "go" && word.endsWith("/...")) texts.push(`${word.slice(0, -3)}*`); // all packages below a folder
    if (base === "go") texts.push(...endsOf(word)); // a package by its module
    if (base === "turbo") texts.push(word.replace(/^.*#/, "")); // the task of a package
    if (base === "git") texts.push(word.replace(/^\+?(.*:)?((refs\/)?heads\/)?/, ""));
    if (texts.some((each) => matchesWord(wanted, each) || isPatternOf(base, each, wanted))) return true;
    if (NORMALIZES.test(base) && matchesWord(normalized(wanted), normalized(word))) return true;
    if (namesOf(base, (name) => name === word).includes(wanted.replace(/\*$/, ""))) return true;
    const isTask = /^(gradle|just|nx|hatch)$/.test(base) && !(wanted.includes(":") && word.includes(":"));
    const [whole, task] = isTask ? [last(wanted), last(word)] : [wanted, word];
    return (isTask && matchesWildcard(whole, task)) || (ABBREVIATES.test(base) && isShortFor(task, whole));
  });
}

/** Programs that take a host, perhaps behind a user. */
const TAKES_HOST = /^(ssh|scp|sftp|rsync|mosh)$/;

/** Returns the host, and what is behind it, of a word such as `ssh://user@host`. Names of hosts do not distinguish cases. */
const hostIn = (word: string): string =>
  word
    .replace(/^\w+:\/\//, "")
    .replace(/^[^@\s]*@/, "")
    .toLowerCase();

/** Returns a path without the folders at its start, as often as possible. */
const endsOf = (word: string): string[] => word.split("/").map((_, i, parts) => parts.slice(i).join("/"));

/** True for a package or a target that is this one, in it or below it: `e2e:all` and `e2e/login`. */
const isBelowTarget = (target: string, word: string): boolean => word.startsWith(target) && /^([:/]|$)/.test(word.slice(target.length));

/** Programs that do not distinguish cases, `-`, `_` and `.` in names of packages. Source: PEP 503, and the registry of cargo. */
const NORMALIZES = /^(pip|uv|poetry|pipenv|pdm|rye|hatch|cargo)$/;
const normalized = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

/** Programs for which `a:b` stands for `alpha:beta`, or `bR` for `bootRun`. */
const ABBREVIATES = /^(gradle|hg|composer|console|artisan|php)$/;

/** True if each part of a word is the beginning of a part of the other. */
function isShortFor(word: string, whole: string): boolean {
  if (word.split(":").length !== whole.split(":").length) return false;
  if (word.toLowerCase().replaceAll("-", "") === whole.replace(/\*$/, "").toLowerCase()) return true; // gradle ignores the case
  const [parts = [], wanted = []] = [word, whole.replace(/\*$/, "")].map((each) => each.match(/[A-Z]?[a-z\d]+|[A-Z]|:/g) ?? []);
  return parts.length > 0 && word.length > 1 && parts.every((part, i) => wanted[i]?.startsWith(part) === true);
}

/** True if a word of a call has the flag of a pattern: under another name, shortened, with another number of dashes, or in a cluster. */
function isSameFlag(base: string, flag: string, word: string): boolean {
  const [name = ""] = word.split("=");
  const flags = [
    word,
    name,
    ...(/[A-Z]|\w-\w/.test(flag) ? spellingsOf(name) : []),
    ...lettersOf(base, word),
    ...(/^--\w{2}/.test(name) ? [name.slice(1)] : []),
  ];
  const isShort = (full: string, each = name) =>
    (SHORTENS.test(base) || !BY_PROGRAM.has(base)) && /^--\w[\w-]/.test(each) && full.startsWith(each);
  const isInitial = (each: string) => initialOf(base, flag).includes(each) || initialOf(base, each).includes(flag.replace(/\*$/, ""));
  const others = namesOf(base, (other) => flags.some((each) => each === other || isShort(other, each)));
  return flags.some((each) => matchesWildcard(flag, each) || isInitial(each)) || others.includes(flag.replace(/\*$/, "")) || isShort(flag);
}

/** Returns a long flag in the other spelling that parsers of JavaScript take for the same: `--updateSnapshot` and `--update-snapshot`. */
const spellingsOf = (flag: string): string[] =>
  /^--\w/.test(flag)
    ? [
        flag.replaceAll(/(?<=\w)-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      ]
    : [];

/** Returns the short flag that a long one probably has, unless the table has another name of either flag: `-t` for `--target`. */
function initialOf(base: string, flag: string): string[] {
  if (LONG_FLAGS.test(base) || !/^--\w{2}/.test(flag)) return [];
  const short = `-${flag[2]}`;
  const isKnown = namesOf(base, (name) => name === short || name === flag.replace(/\*$/, "")).length > 0;
  return isKnown ? [] : [short];
}

/** Programs with long flags that may be shortened. Others do so as well if their names of flags are not in the table. */
const SHORTENS = /^(git|curl|rsync|tar|gpg2?|make|rm|cp|mv|sed|psql|mysql|ansible\S*)$/;

/** Names of the same verb or flag, with the programs that have them. Source: the help of each program. */
const SAME_NAMES = `ansible-playbook:-l,--limit ansible-playbook:-t,--tags bundle:install,i cargo:build,b cargo:run,r cargo:test,t
  cargo:check,c cargo:remove,rm cargo:-r,--release cargo:-p,--package cdk:-c,--context cdk:synth,synthesize cdk:ls,list
  composer:update,upgrade ctest:-R,--tests-regex ctest:-L,--label-regex curl:-k,--insecure curl:-X,--request curl:-d,--data
  curl:-L,--location deno:-A,--allow-all docker:-v,--volume,--volumes docker:-d,--detach docker:-p,--publish docker:-i,--interactive
  docker:-t,--tty docker:-f,--force docker:-u,--user dotnet:-c,--configuration dotnet:-f,--framework eas:-e,--profile eslint:-f,--format
  fastlane:scan,run_tests fastlane:gym,build_app,build_ios_app docker,podman:run,create npm,pnpm:test,it,install-test,cit,clean-install-test
  flask,celery:-A,--app git:checkout,switch git:-n,--no-verify git:-f,--force git:-d,--delete git:-i,--interactive git:-A,-a,--all
  git:-p,--patch git:-u,--set-upstream git:-u,--include-untracked git:-b,-c,--create git:-b,--branch git:-p,--prune
  gradle,gradlew:-x,--exclude-task helm:uninstall,un,del,delete helm:dependency,dependencies,dep helm:update,up helm:-i,--install
  jest,vitest:-u,--updateSnapshot,--update jest,vitest:-t,--testNamePattern jest,vitest,playwright:-c,--config kubectl,helm:-n,--namespace
  kubectl,docker:-f,--filename,--file make:-C,--directory make:-B,--always-make pytest:-x,--exitfirst jest:-i,--runInBand tsc:-b,--build
  kubectl:-A,--all-namespaces ctest:-E,--exclude-regex cargo:-F,--features npm:-w,--workspace mvn:-f,--file mvn:-P,--activate-profiles
  mvn:-pl,--projects mysql:-u,--user mysql:-e,--execute ng:build,b ng:test,t ng:e2e,e ng:-c,--configuration nox:-s,--session,--sessions,-k,-e tox:-e,-f
  npm,pnpm,bun:install,i,add,a,it,in,isntall,install-test npm,pnpm,yarn,bun:uninstall,un,remove,rm,r npm,pnpm:test,t,tst
  npm:ci,clean-install,ic,install-clean,cit npm,pnpm,bun,composer:run,run-script,rum,urn npm,pnpm,yarn,bun:update,up,upgrade
  npm,pnpm,bun:exec,x npm,pnpm:-D,--save-dev npm,pnpm:-g,--global npm:-C,--prefix pio:-t,--target pio:-e,--environment pip:-U,--upgrade
  pip:-r,--requirement pip:-e,--editable playwright:-u,--update-snapshots pnpm:-F,--filter pnpm:-w,--workspace-root
  poetry,composer:-n,--no-interaction prettier:-w,--write psql:-d,--dbname psql:-f,--file psql,mysql:-h,--host psql:-U,--username
  psql:-c,--command pytest:--lf,--last-failed pytest:-n,--numprocesses rails,ng:generate,g rails:destroy,d rails,ng:server,serve,s,dev
  rails:console,c rails:runner,r rm,cp,chown,chmod:-r,-R,--recursive rm:-f,--force rspec:-f,--format ruff,uv:-n,--no-cache sed:-i,--in-place
  svn:commit,ci tsc:-w,--watch tsc:-p,--project vite:-m,--mode`;

const BY_PROGRAM = new Map<string, string[][]>();
for (const row of SAME_NAMES.split(/\s+/)) {
  const [programs = "", names = ""] = row.split(":");
  for (const program of programs.split(",")) BY_PROGRAM.set(program, [...(BY_PROGRAM.get(program) ?? []), names.split(",")]);
}

/** Returns all names of the verbs and flags of a program for one of whose names `isMeant` is true. */
const namesOf = (base: string, isMeant: (name: string) => boolean): readonly string[] =>
  BY_PROGRAM.get(base)?.flatMap((names) => (names.some(isMeant) ? names : [])) ?? [];
