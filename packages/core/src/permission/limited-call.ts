import { matchesWildcard } from "./wildcard.ts";

/**
 * A command as words, under one of its names. A word that is known only when it runs ends with `UNKNOWN`. `hasVerb`: its first word that is no
 * flag says what it does, as in `git push`. `isInside`: it is only a part of the words of a program that may run them.
 */
export type Call = { words: readonly string[]; hasVerb: boolean; isInside?: true };

export const UNKNOWN = "\0";

/**
 * True if a rule that limits `pattern` is about this call: the same program, each flag of the pattern at any place and under any of its names,
 * and the other words in the same order with any words between them. `git push origin main*` is about `git push -u origin x main`.
 */
export function limitsCall(pattern: string, { words: [name = "", ...all], hasVerb }: Call): boolean {
  const [program = "", ...rest] = pattern.replaceAll(/\*(?=-)/g, "* ").split(/\s+/);
  if (!matchesWildcard(program, name)) return false;
  const { flags, operands } = partsOf(rest);
  const base = name.slice(name.lastIndexOf("/") + 1);
  const isTask = NEXT_WORD.test(`${base} ${operands[0]}`);
  const own = all.filter((_, i) => !TEXT_FLAG.test(`${base} ${all[i - 1]}`));
  const words = rest.includes("--") ? own : ownWords(own, isTask || HANDS_ON.test(base));
  let at = 0;
  for (const [i, operand] of operands.entries()) {
    const isNext = i === 0 ? hasVerb : i === 1 && isTask;
    const mayBeValue = (j: number) => isFlag(words[j - 1]) && words[j]?.endsWith(UNKNOWN) === true;
    const isPlace = (j: number) =>
      j >= at && (!(isNext || mayBeValue(j)) || words.slice(at, j).every((_, k) => isFlagOrValue(words, at + k)));
    const found = words.findIndex((word, j) => !isFlag(word) && isPlace(j) && isSameWord(base, operand, word, hasVerb));
    if (found < 0) return false;
    at = found + 1;
  }
  return flags.length + operands.length > 0 && flags.every((flag) => hasFlag(base, flag, words));
}

type Flag = { flag: string; value?: string | undefined };

/** Sorts the words of a pattern. A word behind a flag may be its value, and `-Pprod` has its value attached. */
function partsOf(rest: readonly string[]): { flags: Flag[]; operands: string[] } {
  const spelled = rest.flatMap((word) => /^(--[\w-]+)=(.+)|^(-[A-Z])([^*].*)/.exec(word)?.slice(1).filter(Boolean) ?? [word]);
  const words = spelled.filter((word) => !/^(\*|--|)$/.test(word));
  const flags = words.flatMap((flag, i) => (isFlag(flag) ? [{ flag, value: isFlag(words[i + 1]) ? undefined : words[i + 1] }] : []));
  return { flags, operands: words.filter((_, i) => !isFlagOrValue(words, i)) };
}

/** Returns the words of a program without those that it hands on. Behind `--`, no other word is a flag. */
function ownWords(words: readonly string[], handsOn: boolean): readonly string[] {
  const end = words.indexOf("--");
  if (end < 0) return words;
  return [...words.slice(0, end), ...(handsOn ? [] : words.slice(end).map((word) => word.replace(/^-+/, "")))];
}

/** True if a call has the flag of a pattern, with its value. If the flag has none in the call, the value may be any other word. */
function hasFlag(base: string, { flag, value }: Flag, words: readonly string[]): boolean {
  const isFound = (wanted: string) => words.some((word) => isFlag(word) && isSameFlag(base, wanted, word));
  if (value === undefined) return isFound(flag) || (CLUSTER.test(flag) && lettersOf(flag.replace("*", "")).every(isFound));
  const isValue = (text: string) => [text, ...text.split(",")].some((each) => matchesWord(value, each.replace(/^[+?=]/, "")));
  return words.some((word, i) => {
    if (!isFlag(word) || !isSameFlag(base, flag, word)) return false;
    const [attached] = /(?<==).*|(?<=^-\w).+/s.exec(word) ?? [];
    if (attached !== undefined && (word.includes("=") || isValue(attached))) return isValue(attached);
    return words.some((each, j) => !isFlag(each) && (j === i + 1 || !isFlag(words[j - 1])) && isValue(each));
  });
}

const CLUSTER = /^-\w{2,4}\*?$/;
const lettersOf = (flag: string): string[] => (flag.startsWith("--") ? [] : flag.slice(1).split("")).map((letter) => `-${letter}`);
const isFlag = (word: string | undefined): boolean => /^-./.test(word ?? "");
const isFlagOrValue = (words: readonly string[], i: number): boolean => isFlag(words[i]) || isFlag(words[i - 1]);

/** Verbs, scripts and consoles for which only the next word is what they run. */
const NEXT_WORD =
  /^((npm|pnpm|yarn|bun|composer) (run|run-script|exec|x|dlx)|(go|deno|uv|poetry|pdm) run|\w+ (\S*\/)?(artisan|console|manage\.py|rails))$/;
/** Programs whose words behind `--` are those of another program. */
const HANDS_ON = /^(cargo|dotnet|deno|task|just|npx|bunx|pnpx)$/;
/** Flags whose value is text, or a task that does not run. */
const TEXT_FLAG =
  /^(git (-\w*m|--message)|gradlew? (-x|--exclude-task|--task|--tests)|(php|artisan) --filter|rspec (-e|--example)|pytest -k|(jest|vitest) -t|mocha -g)$/;

/** Matches a word. One that is known only when it runs may be any that begins like it. */
const matchesWord = (wanted: string, word: string): boolean =>
  word.endsWith(UNKNOWN) ? wanted.startsWith(word.slice(0, -1)) || matchesWildcard(wanted, word) : matchesWildcard(wanted, word);

/** True if a word of a call is that of a pattern: under another name, as a branch in `HEAD:main`, as one of several tasks, or shortened. */
function isSameWord(base: string, operand: string, text: string, hasVerb: boolean): boolean {
  const plain = (each: string) => each.replace(/^(\.\/)+|^\.DEFAULT_GOAL:?=|^:/, "");
  const last = (each: string) => each.replace(/^.*:/, "");
  const wanted = plain(operand);
  return [text, ...(hasVerb ? [] : text.split(/[,;+\s]+/))].map(plain).some((word) => {
    const texts = [word, ...otherNames(base, (name) => name === word)];
    if (base === "go") texts.push(word.replace(/^\w[\w.-]*\.\w+\/[^/]+\//, "")); // a package by its module
    if (base === "git") texts.push(word.replace(/^\+?(.*:)?((refs\/)?heads\/)?/, ""));
    if (texts.some((each) => matchesWord(wanted, each))) return true;
    const isTask = /^(gradle|just)$/.test(base) && !(wanted.includes(":") && word.includes(":"));
    const [whole, task] = isTask ? [last(wanted), last(word)] : [wanted, word];
    return (isTask && matchesWildcard(whole, task)) || (ABBREVIATES.test(base) && isShortFor(task, whole));
  });
}

/** Programs for which `a:b` stands for `alpha:beta`, or `bR` for `bootRun`. */
const ABBREVIATES = /^(gradle|hg|composer|console|artisan|php)$/;

/** True if each part of a word is the beginning of a part of the other. */
function isShortFor(word: string, whole: string): boolean {
  if (word.split(":").length !== whole.split(":").length) return false;
  const [parts = [], wanted = []] = [word, whole.replace(/\*$/, "")].map((each) => each.match(/[A-Z]?[a-z\d]+|:/g) ?? []);
  return parts.length > 0 && parts.every((part, i) => wanted[i]?.startsWith(part) === true);
}

/** True if a word of a call has the flag of a pattern: under another name, shortened, or in a cluster. */
function isSameFlag(base: string, flag: string, word: string): boolean {
  const [name = ""] = word.split("=");
  const flags = [word, name, ...lettersOf(word)];
  const isShort = (full: string, each = name) => SHORTENS.test(base) && each.length > 3 && full.startsWith(each);
  const others = otherNames(base, (other) => flags.some((each) => each === other || isShort(other, each)));
  return [...flags, ...others].some((each) => matchesWildcard(flag, each)) || isShort(flag);
}

/** Programs with long flags that may be shortened. */
const SHORTENS = /^(git|curl|rsync|tar|gpg2?|make|rm|cp|mv|sed|mypy|ansible\S*)$/;

/** Names of the same verb or flag, with the programs that have them. Source: the help of each program. */
const SAME_NAMES = `npm,pnpm,bun:install,i,add,a,it,in,isntall npm,pnpm,yarn,bun:uninstall,un,remove,rm,r npm,pnpm:test,t,tst
  npm:ci,clean-install,ic,install-clean,cit npm,pnpm,bun:run,run-script,rum,urn npm,pnpm,yarn,bun:update,up,upgrade cargo:build,b cargo:run,r
  cargo:test,t cargo:check,c cargo:remove,rm helm:uninstall,un,del,delete npm,pnpm,bun:exec,x bundle:install,i git:checkout,switch svn:commit,ci
  rails,ng:generate,g rails:destroy,d rails,ng:server,serve,s,dev rails:console,c rails:runner,r ng:build,b ng:test,t ng:e2e,e
  git:-n,--no-verify git:-f,--force git:-d,--delete git:-i,--interactive git:-A,-a,--all git:-p,--patch git:-u,--set-upstream
  docker:-v,--volume,--volumes docker:-d,--detach docker:-p,--publish curl:-k,--insecure curl:-X,--request curl:-d,--data curl:-L,--location
  rm:-r,-R,--recursive rm:-f,--force npm,pnpm:-D,--save-dev npm,pnpm:-g,--global cargo:-r,--release cargo:-p,--package prettier:-w,--write
  pytest:--lf,--last-failed playwright:-u,--update-snapshots jest,vitest:-u,--updateSnapshot,--update mvn:-P,--activate-profiles mvn:-pl,--projects ctest:-R,--tests-regex flask,celery:-A,--app ng:-c,--configuration vite:-m,--mode kubectl,helm:-n,--namespace
  kubectl,docker:-f,--filename,--file ansible-playbook:-l,--limit ansible-playbook:-t,--tags make:-C,--directory`
  .split(/\s+/)
  .map((row) => row.split(":").map((names) => names.split(",")));

/** Returns all names of the verbs and flags of a program for one of whose names `isMeant` is true. */
const otherNames = (base: string, isMeant: (name: string) => boolean): readonly string[] =>
  SAME_NAMES.flatMap(([programs = [], names = []]) => (programs.includes(base) && names.some(isMeant) ? names : []));
