import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { byTable } from "./by-table.ts";
import { doubtful, type Deeds, type Program } from "./program.ts";
import { ALIASES, packages } from "./table/tools.ts";
import { writers } from "./table/writers.ts";
import { literal, type Word } from "./word.ts";

/** Sub-commands of package managers that run the program named after them. */
const RUN: Record<string, RegExp> = {
  npm: /^(exec|x)$/,
  pnpm: /^(exec|dlx)$/,
  yarn: /^(exec|dlx)$/,
  bun: /^x$/,
};
/** Sub-commands that change what later calls run, or where they send. */
const SETTING =
  /^(config|c|set|set-script|pkg|login|logout|adduser|token|publish|unpublish|deprecate|undeprecate|dist-tag|owner|access|team|org|profile|star|unstar|hook|explore|edit|setup|self-update|plugin|npm|author|dist-tags|add-user|get)$/;
/** Sub-commands that run a package's program as soon as it is named: `npm create evil` runs `create-evil`. */
const CREATING = /^(init|innit|create|dlx)$/;
/** Flags whose value is the next word, before the sub-command. */
const VALUED = /^(--filter|-F|--filter-prod|--dir|-C|--prefix|--cwd|--workspace|--reporter|--loglevel|--registry|--config)$/;
/** Flags without a value, before the sub-command. Behind another one it is not clear which word is the sub-command. */
const PLAIN =
  /^(-[sdgyqDEOrwPv]|-ws|--(silent|quiet|yes|json|global|prod|production|dev|recursive|offline|prefer-offline|workspaces|workspace-root|include-workspace-root|ignore-scripts|legacy-peer-deps|frozen-lockfile|if-present|parallel|stream|verbose|no-[a-z-]+|audit|fund|progress|color|bail|aggregate-output|bun|hot|watch))$/;
/** Sub-commands that install, with words that name something else than a package of the registry. */
const INSTALLING = /^(i|in|ins|install|isntall|it|cit|install-test|add|link|ln|global|update|udpate|upgrade|up)$/;
const ELSEWHERE =
  /^(-g|--global|global|--registry(=.*)?|--location=global)$|^(@?[\w./-]+@)?(git\+|git:|git@|https?:|file:|github:|gitlab:|gist:|bitbucket:|ssh:)|^([\w.-]+@)?[\w-]+\/[\w.-]+(#.*)?$/;

/** The sub-commands of npm as they are. It takes each beginning of one for it. Source: `npm help npm`, cmd-list.js of npm 11. */
const NPM = new Set(
  (
    "access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund get help help-search hook init " +
    "install install-ci-test install-test link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run run-script sbom " +
    "search set set-script shrinkwrap star stars start stop team test token undeprecate uninstall unpublish unstar update version view whoami add c create ddp i in innit ic it cit clean-install clean-install-test " +
    "la list ln r remove rb rm s se show t tst un unlink up upgrade v why x info home issues find author dist-tags add-user isntall install-clean ins udpate"
  ).split(" "),
);

/** `npm`, `pnpm`, `yarn`, `bun`: scripts of the project run as its person allowed; named programs are judged. */
export const packageManager: Program = ({ name, words }) => {
  const table = writers[name];
  const isValued = (text: string) => VALUED.test(text) || (name === "npm" && text === "-w");
  const at = words.findIndex((word, i) => !isFlag(word) && !(isFlag(words[i - 1]) && isValued(words[i - 1]?.text ?? "")));
  const sub = at < 0 ? undefined : words[at];
  const rest = at < 0 ? [] : words.slice(at + 1);
  if ((words.length === 1 && isVersion(words[0])) || ((name === "npm" || name === "pnpm") && (lists(words) || getsSetting(words))))
    return { reads: true, paths: [], doubts: [] };
  const end = words.findIndex((word) => word.kind === "literal" && word.text === "--");
  const deeds = table ? byTable(table, end < 0 ? words : words.slice(0, end)) : { reads: false, paths: [], doubts: [] };
  if (sub?.kind === "open") return doubtful("a sub-command is known only when it runs");
  if (sub && name === "npm" && !NPM.has(sub.text)) return doubtful(`npm ${sub.text.slice(0, 40)} may be short for any sub-command`);
  const odd = words
    .slice(0, Math.max(at, 0))
    .find((word) => isFlag(word) && !word.text.includes("=") && !PLAIN.test(word.text) && !VALUED.test(word.text));
  if (odd)
    return {
      ...deeds,
      doubts: [...deeds.doubts, `${odd.text} is no flag that is known here`],
      like: words.slice(at).map((_, i) => [literal(name), ...words.slice(at + i)]),
    };
  if (sub && RUN[name]?.test(sub.text)) return { ...deeds, ...executing(rest) };
  const doubts = sub === undefined ? [] : doubtsOf(name, sub.text, rest);
  if (name === "yarn" && /^workspaces?$/.test(sub?.text ?? "")) {
    const from = rest.findIndex((word, i) => !isFlag(word) && (sub?.text === "workspaces" ? word.text !== "foreach" : i > 0));
    return from < 0 ? deeds : { ...deeds, like: [[literal(name), ...rest.slice(from)]], plainly: [literal(name), ...rest.slice(from)] };
  }
  const like = sub?.text === "run" ? rest : [sub, ...rest];
  return {
    ...deeds,
    doubts: [...deeds.doubts, ...doubts],
    ...(at > 0 ? { plainly: [literal(name), ...words.slice(at)] } : {}),
    ...(sub && name !== "npm" && (isRunner(like[0]) || !NPM.has(like[0]?.text ?? "")) ? { like: [like.filter(isWord)] } : {}),
  };
};

/** `npm ls`, `npm run` without a script: what is installed, and which scripts there are. */
const lists = ([first, ...rest]: readonly Word[]): boolean =>
  first?.kind === "literal" &&
  (/^(run|run-script)$/.test(first.text) ? rest.length === 0 : /^(ls|list|ll)$/.test(first.text) && rest.every(isListed));
/** `npm config get registry`: one setting, unless it is a secret. */
const getsSetting = ([first, second, third, ...more]: readonly Word[]): boolean =>
  first?.text === "config" &&
  second?.text === "get" &&
  third?.kind === "literal" &&
  /^[a-z][a-z-]*$/.test(third.text) &&
  !/auth|token|password|key/.test(third.text) &&
  more.length === 0;
const isListed = ({ kind, text }: Word): boolean =>
  kind === "literal" && /^(--all|-a|--depth(=\d+)?|\d+|--json|--long|-l|--prod|--dev|--omit=\w+|@?[\w.-]+(\/[\w.-]+)?)$/.test(text);

const isFlag = (word: Word | undefined): boolean => word?.kind === "literal" && word.text.startsWith("-");
const isWord = (word: Word | undefined): word is Word => word !== undefined;
/** Where there is no script of that name, the program itself is run. */
const isRunner = (word: Word | undefined): boolean =>
  word?.kind === "literal" && /^(node|tsx|ts-node|zx|deno|bun|sh|bash|dash|zsh)$/.test(word.text);

function doubtsOf(name: string, sub: string, rest: readonly Word[]): string[] {
  const [first] = rest;
  if (SETTING.test(sub) && !isLooking(rest)) return [`${name} ${sub} changes settings or accounts`];
  if (CREATING.test(sub) && first !== undefined && !isFlag(first)) return [`${name} ${sub} runs a program of a package`];
  if ((INSTALLING.test(sub) || /^global$/.test(sub)) && (sub === "global" || rest.some(({ text }) => ELSEWHERE.test(text))))
    return [`${name} ${sub} installs for the whole machine, or from elsewhere than usual`];
  return [];
}

const isLooking = (rest: readonly Word[]): boolean => /^(get|list|ls|-l)$/.test(rest[0]?.text ?? "");

/** `npm exec -- eslint .` runs `eslint .`; `-c` gives shell text. */
function executing(words: readonly Word[]): Pick<Deeds, "runs" | "scripts" | "doubts" | "reads" | "isWrapper"> {
  const rest = words.filter(
    (word, i) =>
      !(
        word.kind === "literal" &&
        /^(--|-y|--yes|--no|-q|--silent|--no-install|--offline)$/.test(word.text) &&
        words.slice(0, i).every(({ text }) => text.startsWith("-"))
      ),
  );
  const [first, second] = rest;
  if (!first) return { reads: false, doubts: [] };
  if (first.kind === "literal" && /^(-c|--call)$/.test(first.text))
    return second?.kind === "literal"
      ? { reads: true, doubts: [], scripts: [second.text], isWrapper: true }
      : { reads: false, doubts: ["runs code that is known only when it runs"] };
  if (first.text.startsWith("-")) return { reads: false, doubts: [`${first.text} chooses what is run`] };
  return { reads: false, doubts: [], runs: [{ words: rest, more: "none" }] };
}

/** `npx eslint .`: a package by its name, which the person allowed; but not shell text or another package's program. */
export const npx: Program = ({ name, words }) => {
  const first = words.findIndex((word) => !(word.kind === "literal" && /^(-y|--yes|--no|-q|--quiet|--no-install|--bun)$/.test(word.text)));
  const word = words[first];
  if (word?.kind !== "literal" || word.text.startsWith("-"))
    return word && words.length === 1 && isVersion(word)
      ? { reads: true, paths: [], doubts: [] }
      : doubtful(`${word?.text ?? "nothing"} chooses what is run`);
  if (/:|^@?[\w.-]+\/[\w.-]+\/|^[\w-][\w.-]*\/|^\.{0,2}\//.test(word.text))
    return doubtful(`${word.text.slice(0, 60)} is no package of the registry`);
  const called = word.text.replace(/(?<=.)@[^/]*$/, "");
  return {
    ...(packages.has(called)
      ? {}
      : { beyond: { verb: `${name} ${word.text}`, why: "a grant for the whole program does not cover this package" } }),
    reads: false,
    paths: [],
    doubts: [],
    like: [[literal(ALIASES[called] ?? called.replace(/^@[^/]+\//, "")), ...words.slice(first + 1)]],
  };
};

const isVersion = (word: Word | undefined): boolean => word?.kind === "literal" && /^(--version|-v|-V)$/.test(word.text);

/** Programs that tell their version and nothing else when asked. */
export const TELLS_VERSION =
  /^(node|nodejs|npm|npx|pnpm|yarn|bun|deno|tsc|python[\d.]*|pip[\d.]*|ruby|perl|php|go|cargo|rustc|rustup|java|javac|gcc|g\+\+|clang|make|cmake|docker|docker-compose|kubectl|git|gh|bash|curl|wget|jq|rg|eslint|prettier|vitest|jest|uv|poetry|terraform|helm|mvn|gradle|dotnet|swift|aws|az|gcloud|glab|fd|bat|bundle|gem|code|ffmpeg|sqlite3|psql|oxlint|oxfmt|tmux|rsync|ssh|openssl|tar|zip|unzip|sed|awk|grep|find)$/;

type Choosing = readonly [program: RegExp, files: readonly string[], chooses?: (text: string) => boolean];

/** Files of a workspace that decide which program answers: shims and wrappers run what they name. */
const CHOOSING: readonly Choosing[] = [
  [/^(cargo|rustc|rustup)$/, ["rust-toolchain", "rust-toolchain.toml"]],
  [/^yarn$/, [".yarnrc", ".yarnrc.yml"]],
  [/^(mvn|java|javac)$/, [".mvn"]],
  [/^dotnet$/, ["global.json"]],
  [/^gradle$/, ["gradle.properties"]],
  [/^pnpm$/, [".npmrc", ".pnpmfile.cjs", ".pnpmfile.mjs"]],
  [/^pnpm$/, ["package.json"], (text) => !text.startsWith("{") || /"(packageManager|devEngines)"/.test(text)],
  [/^go$/, ["go.mod", "go.work"], (text) => /^\s*toolchain\s/m.test(text) || !/^(module|go)\s/m.test(text)],
];

/** Whether a file in one of these folders, or above it, may choose the program that answers. */
export const isChosenHere = (name: string, folders: readonly string[]): boolean =>
  CHOOSING.some(
    ([program, files, chooses]) =>
      program.test(name) && folders.some((folder) => files.some((file) => nearest(folder, file).some((each) => isChoosing(each, chooses)))),
  );

/** The file of that name in a folder or in the nearest one above it. */
function nearest(folder: string, name: string): string[] {
  const file = path.join(folder, name);
  if (existsSync(file)) return [file];
  const parent = path.dirname(folder);
  return parent === folder ? [] : nearest(parent, name);
}

function isChoosing(file: string, chooses: (text: string) => boolean = () => true): boolean {
  try {
    return chooses(statSync(file).isDirectory() ? "" : readFileSync(file, "utf8"));
  } catch {
    return true; // it cannot be read, so nobody knows
  }
}

export const asksVersion = (name: string, words: readonly Word[]): boolean =>
  TELLS_VERSION.test(name) &&
  words.length === 1 &&
  words[0]?.kind === "literal" &&
  (words[0].text === "--version" ||
    (words[0].text === "-version" && /^javac?$/.test(name)) ||
    (words[0].text === "version" && /^(go|kubectl|docker|helm|terraform)$/.test(name)) ||
    (/^-[vV]$/.test(words[0].text) &&
      /^(node|npm|pnpm|tsc|python[\d.]*|pip|java|ruby|php|perl|bun|ssh|tmux)$/.test(name) &&
      !(name.startsWith("python") && words[0].text === "-v")));
