import path from "node:path";
import { classifyByTable } from "./classify-by-table.ts";
import { UNKNOWN_ARGUMENT, doubtful, type ProgramEffects, type ProgramClassifier } from "./program-types.ts";
import { ALIASES, coveredPackages, verbTables } from "../tables/verb-tables.ts";
import { writers } from "../tables/writers.ts";
import { treeOf, verbsBelow } from "../verbs/verb-tree.ts";
import { splitVerb } from "../verbs/split-verb.ts";
import { literal, partOf, type Word } from "../words/word.ts";

/** Subcommands of package managers that run the program named after them. */
const RUN: Record<string, RegExp> = { npm: /^(exec|x)$/, pnpm: /^(exec|dlx)$/, yarn: /^(exec|dlx)$/, bun: /^x$/ };

/** Classifies `npm`, `pnpm`, `yarn` and `bun`. Project scripts run as the user allowed. Baton judges programs that the call names. */
export const packageManager: ProgramClassifier = ({ name, words }) => {
  const tool = verbTables[name];
  const end = words.findIndex((word) => word.kind === "literal" && word.text === "--");
  const own = classifyByTable(writers[name], end < 0 ? words : words.slice(0, end));
  // What a script gets may be a command with an unknown name: `-- $x publish`.
  const isHidden = end >= 0 && words.some(({ kind }, i) => i > end && kind === "open" && /^([^-]|-[Cc]$)/.test(words[i + 1]?.text ?? ""));
  const effects = isHidden ? { ...own, doubts: [...own.doubts, UNKNOWN_ARGUMENT] } : own;
  if (!tool) return effects;
  const { verb, rest, early, fault } = splitVerb(tool, words, []);
  const [sub] = verb;
  if (sub?.kind === "open") return doubtful("a sub-command is known only when it runs");
  if (fault !== undefined || !sub) {
    const at = words.findIndex((word) => !isFlag(word));
    return at < 1
      ? effects
      : { ...effects, like: words.flatMap((word, i) => (i < at || isFlag(word) ? [] : [[literal(name), ...words.slice(i)]])) };
  }
  if (RUN[name]?.test(sub.text)) return { ...effects, ...executing(rest, downloads(name, sub.text) ? `${name} ${sub.text}` : undefined) };
  if (name === "yarn" && /^workspaces?$/.test(sub.text)) {
    const isName = (word: Word, i: number) =>
      sub.text === "workspaces" ? word.text === "foreach" || OF_FOREACH.test(rest[i - 1]?.text ?? "") : i === 0;
    const from = rest.findIndex((word, i) => !isFlag(word) && !isName(word, i));
    if (from < 0) return effects;
    const inner = rest.slice(from);
    const run = inner.slice(/^(run|exec)$/.test(inner[0]?.text ?? "") ? 1 : 0);
    return { ...effects, like: [[literal(name), ...inner], run], plainly: [literal(name), ...inner] };
  }
  const like = sub.text === "run" ? rest : [sub, ...rest];
  const isProgram = like[0] !== undefined && name !== "npm" && (isRunner(like[0]) || !verbsBelow(treeOf(tool.verbs), like[0].text));
  return {
    ...effects,
    ...(early.length > 0 ? { plainly: [literal(name), ...verb, ...rest] } : {}),
    ...(isProgram ? { like: [like] } : {}),
  };
};

/** Flags of `yarn workspaces foreach` with a value. */
const OF_FOREACH = /^(--(from|include|exclude|jobs)|-j)$/;

const isFlag = (word: Word | undefined): boolean => word?.kind === "literal" && word.text.startsWith("-");
/** True for a program that the package manager runs if the project has no script of that name. */
const isRunner = (word: Word | undefined): boolean =>
  word?.kind === "literal" && /^(node|tsx|ts-node|zx|deno|bun|sh|bash|dash|zsh)$/.test(word.text);

/** True if the verb downloads missing packages. `pnpm exec` and `yarn exec` run only installed programs. */
const downloads = (name: string, verb: string): boolean => verb !== "exec" || name === "npm";

/** Returns the effects of `npm exec -- eslint .`, which runs `eslint .`. `verb` is set if the call downloads a package that is not installed. */
function executing(words: readonly Word[], verb: string | undefined): Omit<ProgramEffects, "paths"> {
  const isOwn = ({ kind, text }: Word, i: number) =>
    kind === "literal" &&
    /^(--|-y|--yes|--no|-q|--silent|--no-install|--offline)$/.test(text) &&
    words.slice(0, i).every((word) => word.text.startsWith("-"));
  const rest = words.filter((word, i) => !isOwn(word, i));
  const [first] = rest;
  if (!first) return { reads: false, doubts: [] };
  const own = verb?.startsWith("npm ") && !words.some(({ text }) => text === "--") ? rest : [first]; // npm looks for its flags everywhere
  const choosing = own.find(({ text }, i) => text.startsWith("-") && (i === 0 || choosesPackage(text)));
  if (choosing) return { reads: false, doubts: [`${choosing.text.slice(0, 40)} chooses what is run`] };
  const beyond = verb === undefined ? undefined : beyondPackages(verb, first.text);
  const isCovered = !beyondPackages("", first.text) && first.kind === "literal";
  return {
    reads: false,
    doubts: [],
    ...(isCovered ? { like: [programOf(first, rest.slice(rest[1]?.text === "--" ? 2 : 1))] } : { runs: [{ words: rest, more: "none" }] }),
    ...(beyond ? { beyond } : {}),
  };
}

/** True for a flag of npm, in full or shortened, that chooses what it downloads and runs. */
const choosesPackage = (text: string): boolean =>
  /^-(c|p|C|reg)(=|$)/.test(text) ||
  "--package --call --registry --prefix --cache".split(" ").some((flag) => text.length > 2 && flag.startsWith(text.split("=")[0] ?? ""));

const packageOf = (text: string): string => text.replace(/(?<=.)@[^/]*$/, "");

/** Returns what a grant does not cover if the package is not a known development tool. */
const beyondPackages = (verb: string, text: string): ProgramEffects["beyond"] =>
  coveredPackages.has(packageOf(text))
    ? undefined
    : { verb: `${verb} ${text}`, why: "a grant for the whole program does not cover this package" };

/** Classifies `npx eslint .`, which runs a package that the user allowed by its name. Shell text or another package raises a doubt. */
export const npx: ProgramClassifier = ({ name, words }) => {
  const first = words.findIndex((word) => !(word.kind === "literal" && /^(-y|--yes|--no|-q|--quiet|--no-install|--bun)$/.test(word.text)));
  const word = words[first];
  if (word?.kind !== "literal" || word.text.startsWith("-")) return doubtful(`${word?.text ?? "nothing"} chooses what is run`);
  if (/:|^@?[\w.-]+\/[\w.-]+\/|^[\w-][\w.-]*\/|^\.{0,2}\//.test(word.text))
    return doubtful(`${word.text.slice(0, 60)} is no package of the registry`);
  const beyond = beyondPackages(name, word.text);
  return {
    ...(beyond ? { beyond } : {}),
    reads: false,
    paths: [],
    doubts: [],
    like: [programOf(word, words.slice(first + 1))],
  };
};

/** Returns a call of the program that a package contains. */
const programOf = ({ text }: Word, words: readonly Word[]): Word[] => {
  const called = packageOf(text);
  return [literal(ALIASES.get(called) ?? called.replace(/^@[^/]+\//, "")), ...words];
};

/** Returns a call for each task of `mix do a, b + c`. */
function tasksOfMix(words: readonly Word[]): (readonly Word[])[] {
  const parts = words.flatMap((word) => (/.,$/.test(word.text) ? [literal(word.text.slice(0, -1)), literal(",")] : [word]));
  const ends = [-1, ...parts.flatMap(({ text }, i) => (/^[,+]$/.test(text) ? [i] : [])), parts.length];
  return ends.slice(1).map((end, i) => [literal("mix"), ...parts.slice((ends[i] ?? 0) + 1, end)]);
}

/** Returns the calls of the build tools that `cmake --build` runs: with its targets, and with the words behind `--`. */
function buildTools(words: readonly Word[]): (readonly Word[])[] {
  const end = words.findIndex(({ text }) => text === "--");
  const own = end < 0 ? words : words.slice(0, end);
  const from = own.findIndex(({ text }) => /^(-t|--target)$/.test(text)) + 1;
  const last = own.findIndex(({ text }, i) => i >= from && text.startsWith("-"));
  const targets = own.flatMap(({ text }, i) => {
    const attached = /^(?:-t|--target=)(.+)$/.exec(text)?.[1];
    return attached !== undefined ? [literal(attached)] : from > 0 && i >= from && (last < 0 || i < last) ? [literal(text)] : [];
  });
  const handed = [...targets, ...(end < 0 ? [] : words.slice(end + 1))];
  return handed.length === 0 ? [] : ["make", "ninja"].map((tool) => [literal(tool), ...handed]);
}

/** Programs with a subcommand that runs the program named after it. */
const RUNNING =
  /^(uv|poetry|pipenv|hatch|conda|mamba|pdm|rye|volta|doppler|op|dotenvx|infisical|uvx|pipx) run$|^(bundle|asdf|rbenv|pyenv|stack|cabal|dune|tox|mise|opam|fnm|nvm|aws-vault|direnv|sops|docker|podman) exec$|^mise x$|^mix cmd$/;

/** Returns the possible inner commands of a call such as `poetry run pytest`. Each begins at a word that may be the program. */
export function runBehind(name: string, words: readonly Word[]): (readonly Word[])[] {
  if (name === "xcrun" && words[0]?.text.startsWith("-") === false) return [words];
  if (name === "cmake" && words[0]?.text === "--build") return buildTools(words);
  if (name === "mix" && words[0]?.text === "do") return tasksOfMix(words.slice(words[1]?.text === "--app" ? 3 : 1));
  const go = name === "go" && words[0]?.text === "run" ? words.findIndex(({ text }, i) => i > 0 && /^[\w-]+\.\w+[/]/.test(text)) : -1;
  if (go > 0) return [[literal(path.basename(packageOf(words[go]?.text ?? ""))), ...words.slice(go + 1)]];
  if (name.startsWith("git-")) return [[literal("git"), literal(name.slice(4)), ...words]];
  const verb = /^(docker|podman)(-compose)?$/.test(name) ? words.findIndex(({ text }) => /^(exec|run)$/.test(text)) : 0;
  if (verb > 0) return runBehind("docker", [literal("exec"), ...words.slice(verb + 1)]);
  if (words[0]?.kind !== "literal" || !RUNNING.test(`${name} ${words[0].text}`)) return [];
  const dashes = words.findIndex(({ text }) => text === "--");
  if (dashes > 0) return [words.slice(dashes + 1)].filter(({ length }) => length > 0);
  // `hatch run ENVIRONMENT:PROGRAM`
  const plain = name === "hatch" ? words.map((word) => partOf(word, word.text.replace(/^[\w.+-]+:/, ""))) : words;
  const at = plain.flatMap(({ text }, i) => (i > 0 && !text.startsWith("-") ? [i] : []));
  // The value of a flag, or the name of an environment, may come before the program.
  const isFirst = at[0] === 1 && /^(poetry|pipenv|uv|pdm|rye|bundle)$/.test(name);
  return at.slice(0, isFirst ? 1 : 2).map((i) => plain.slice(i));
}
