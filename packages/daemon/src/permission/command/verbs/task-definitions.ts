import path from "node:path";
import { readText } from "../files/path-on-disk.ts";
import type { Places } from "../shell/shell-context.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";
import { isForPackages, packagesBelow } from "./packages.ts";
import { scriptsOf } from "./project-tasks.ts";

/** Returns what the files of the project say that a call of a task runs: the script with the words of the call, and the task behind another name. */
export const callsOfDefinitions = (base: string, words: readonly Word[], places: Places): Word[][] => [
  ...(base === "just"
    ? recipeCalls(words, places.cwds)
    : /^(tox|nox)$/.test(base)
      ? positionalCalls(words, places.cwds)
      : extendedScripts(base, words, places)),
  ...aliasedCalls(base, words, places.cwds),
  ...(isKnownProgram(base) ? [] : entryPointCalls(base, words, places.cwds)),
];

/** Returns the module that a command of a Python project runs. Source: "Entry points specification" of PyPA. */
function entryPointCalls(base: string, words: readonly Word[], cwds: readonly string[]): Word[][] {
  const texts = cwds.flatMap((cwd) => readText(path.join(cwd, "pyproject.toml")) ?? []);
  const modules = texts
    .flatMap((text) => pairs(text, /^["']?([\w.-]+)["']?\s*=\s*["']([\w.]+):\w+["']/gm))
    .filter(([name]) => name === base);
  return modules.flatMap(([, module]) =>
    ["python", "python3"].map((python) => [literal(python), literal("-m"), literal(module), ...words]),
  );
}

/** Returns the lines of a recipe that take words, with those of the call: `pytest tests` for `just test tests`. Source: "Recipe parameters" in the manual of just. */
function recipeCalls(words: readonly Word[], cwds: readonly string[]): Word[][] {
  const texts = cwds.flatMap((cwd) => JUSTFILES.flatMap((file) => readText(path.join(cwd, file)) ?? []));
  return words.flatMap(({ text: name }, at) => {
    const added = words.slice(at + 1).map(({ text }) => text);
    if (!/^[\w-]+$/.test(name) || added.length === 0) return [];
    const recipe = new RegExp(`^@?${name}\\b[^\\n:=]*:(?!=).*\\n((?:[ \\t]+.*\\n?)+)`, "m");
    const lines = texts.flatMap((text) => recipe.exec(text)?.[1]?.split("\n") ?? []);
    const taking = lines.map((line) => line.trim().replace(/^[@-]+/, "")).filter((line) => TAKES_WORDS.test(line));
    return taking.map((line) => line.replaceAll(TAKES_WORDS, added.join(" ")).split(/\s+/).map(literal));
  });
}

/**
 * Returns the commands of tox or nox that take words, with those of the call. Source: "Substitutions for positional arguments" in the documentation of
 * tox, and "Passing positional arguments" in that of nox.
 */
function positionalCalls(words: readonly Word[], cwds: readonly string[]): Word[][] {
  const at = words.findIndex(({ text }) => text === "--");
  const added = at < 0 ? "" : textOfAll(words.slice(at + 1));
  const texts = cwds.flatMap((cwd) =>
    ["tox.ini", "setup.cfg", "pyproject.toml", "noxfile.py"].flatMap((file) => readText(path.join(cwd, file)) ?? []),
  );
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => added !== "" && POSITIONAL.test(line));
  return lines.map((line) =>
    (
      line
        .replace(/^.*session\.run\(/, "")
        .replace(POSITIONAL, added)
        .match(/[^\s"',=()[\]]+/g) ?? []
    )
      .filter((word) => word !== "commands")
      .map(literal),
  );
}

const POSITIONAL = /\{posargs[^}]*\}|\*?session\.posargs/;

const JUSTFILES = ["justfile", "Justfile", ".justfile"];
const TAKES_WORDS = /["']?(\{\{.*?\}\}|\$[@*\d])["']?/g;

/** Returns the last command of a script of the project with the words that a call adds to it: `vite build -w` for `npm run build -- -w`. */
function extendedScripts(base: string, words: readonly Word[], { cwds, place }: Places): Word[][] {
  if (base === "yarn" && words[0]?.text === "workspace") return extendedScripts("npm", [literal("-w"), ...words.slice(1)], { cwds, place });
  const isName = ({ text }: Word, i: number) =>
    !text.startsWith("-") && !/^(-[CwF]|--(prefix|cwd|dir|filter|workspace))$/.test(words[i - 1]?.text ?? "");
  const at = words.findIndex((word, i) => isName(word, i) && !/^run(-script)?$/.test(word.text));
  const added = words.slice(at + 1).filter(({ text }) => text !== "--");
  const called = words[at]?.text.replace(/^t(st)?$/, "test");
  if (RUNS_LINES.test(base))
    return words.flatMap(({ text }) => {
      const [task = "", ...more] = text.replace(/^npm:/, "").split(/\s+/);
      const call = [literal("run"), literal(task), ...more.map(literal)];
      return more.length === 0 ? [] : [[literal("npm"), ...call], ...extendedScripts("npm", call, { cwds, place })];
    });
  if (!/^(npm|pnpm|yarn|bun|composer|turbo|lerna)$/.test(base) || at < 0 || added.length === 0) return [];
  const folders = isForPackages(base, words) ? packagesBelow(place.workspace) : [];
  const named = [...new Set([...cwds, ...folders])].flatMap(scriptsOf).filter(([name]) => name === called);
  const scripts = named.map(([, script]) => script).filter((script) => typeof script === "string");
  return scripts.map((script) => [
    ...(
      script
        .split(/[;&|]+/)
        .at(-1)
        ?.trim()
        .split(/\s+/) ?? []
    ).map(literal),
    ...added,
  ]);
}

/** Programs that take a task and its words as one word: `run-p 'build -- --watch'`. */
const RUNS_LINES = /^(npm-run-all2?|run-[ps]|concurrently)$/;

/** Files in which a project gives its tasks or commands further names, and how to find these: each with what it stands for. */
const ALIASES: Readonly<Record<string, { files: readonly string[]; find: (text: string) => [alias: string, task: string][] }>> = {
  just: { files: JUSTFILES, find: (text) => pairs(text, /^alias\s+([\w-]+)\s*:=\s*([\w:-]+)/gm) },
  cargo: { files: [".cargo/config.toml", ".cargo/config"], find: (text) => pairs(text, /^([\w-]+)\s*=\s*(\[?".*)$/gm) },
  task: { files: ["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml", "taskfile.yml"], find: taskAliases },
};

const pairs = (text: string, form: RegExp): [string, string][] =>
  [...text.matchAll(form)].map(([, alias = "", task = ""]) => [alias, task]);

/** Returns the `aliases` of the tasks in a Taskfile. Source: taskfile.dev/reference/schema. */
function taskAliases(text: string): [string, string][] {
  const blocks = text.matchAll(/^ {2}["']?([\w:.-]+)["']?:.*\n((?: {3,}.*\n?|\s*\n)*)/gm);
  return [...blocks].flatMap(([, task = "", block = ""]) => {
    const [, list = ""] = /^ +aliases:((?: *\[[^\]]*\])|(?:\s*\n\s*- .*)+)/m.exec(block) ?? [];
    return (list.match(/[\w:.][\w:.-]*/g) ?? []).map((alias): [string, string] => [alias, task]);
  });
}

/** Returns a call in which each further name of a task stands for the task: `just deploy` for `just d`. */
function aliasedCalls(base: string, words: readonly Word[], cwds: readonly string[]): Word[][] {
  const name = base.replace(/^go-/, "");
  const { files, find } = (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined) ?? {};
  const texts = cwds.flatMap((cwd) => files?.flatMap((file) => readText(path.join(cwd, file)) ?? []) ?? []);
  const meanings = new Map(texts.flatMap((text) => find?.(text) ?? []));
  if (!words.some(({ text }) => meanings.has(text))) return [];
  const meant = words.flatMap(
    (word) =>
      meanings
        .get(word.text)
        ?.match(/[^\s,"[\]]+/g)
        ?.map(literal) ?? [word],
  );
  return [[literal(name), ...meant]];
}
