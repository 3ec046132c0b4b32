import { readFileSync } from "node:fs";
import path from "node:path";
import { sortArguments } from "./arguments.ts";
import type { Beyond } from "./program.ts";
import { ALIASES, packages, scripts, tools, type Tool } from "./table/tools.ts";
import { literal, type Word } from "./word.ts";

export type VerbCall = {
  /** The same call with its verb in front, where flags were there: `gh pr merge 1` for `gh -R o/r pr merge 1`. */
  plainly?: readonly Word[];
  beyond?: Beyond;
};

type Tree = ReadonlyMap<string, Tree>;

/** What the verb of a call is, and whether a grant for the whole program covers it; undefined for programs without verbs. */
export function verbOf(name: string, words: readonly Word[], cwds: readonly string[]): VerbCall | undefined {
  const known = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name;
  const tool = Object.hasOwn(tools, known) ? tools[known] : undefined;
  if (!tool) return undefined;
  const own = name === "docker-compose" ? [literal("compose"), ...words] : words;
  const { verb, rest, early, isCovered, fault } = splitVerb(tool, own, cwds);
  const plainly = early.length > 0 ? { plainly: [literal(known), ...verb, ...rest] } : {};
  const why = fault ?? (isCovered ? faultBehind(tool, verb, rest) : "a grant for the whole program does not cover this verb");
  const named = isCovered || fault !== undefined ? {} : { verb: [name, ...verb.map(({ text }) => text)].join(" ") };
  return { ...plainly, ...(why === undefined ? {} : { beyond: { ...named, why } }) };
}

type Split = { verb: Word[]; rest: readonly Word[]; early: Word[]; isCovered: boolean; fault?: string };

/** Goes down the verbs of a tool word by word; flags between them have to be known, because an unknown one may take the next word. */
function splitVerb(tool: Tool, words: readonly Word[], cwds: readonly string[]): Split {
  let tree = treeOf(tool);
  const verb: Word[] = [];
  const early: Word[] = [];
  const at = (i: number, isCovered = true, fault?: string): Split => ({
    verb,
    rest: words.slice(i),
    early,
    isCovered,
    ...(fault === undefined ? {} : { fault }),
  });
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word) break;
    if (verb.length === 0 && /^\+[\w.-]+$/.test(word.text)) early.push(word);
    else if (isFlag(word)) {
      const steps = flagLength(tool, word);
      if (steps === undefined && isHelp(word)) return at(i);
      if (steps === undefined) return at(i, false, `it has ${word.text.slice(0, 40)} in front of its verb`);
      early.push(...words.slice(i, i + steps));
      i += steps - 1;
    } else {
      const next = word.kind === "literal" && word.written === undefined ? childOf(tree, word.text) : undefined;
      verb.push(word);
      if (!next) return at(i + 1, verb.length === 1 && isTask(tool, word, cwds, early.some(isDry)));
      tree = next;
      if (tree.size === 0) return at(i + 1);
    }
  }
  return tree.size === 0 || tree.has("_") ? at(words.length) : at(words.length, false, "it does not say its verb in full");
}

const isFlag = ({ kind, text }: Word): boolean => kind !== "open" && text.startsWith("-") && text !== "-";
/** `make -n`, `gradle -m`: only names what would be done. */
const isDry = ({ text }: Word): boolean => /^(-n|-m|--dry-run|--just-print)$/.test(text);
const isHelp = ({ text }: Word): boolean => /^(--help|--version|-h|-V)$/.test(text);

/** How many words a known flag takes: itself, and its value. */
function flagLength({ flags = "", valued = "", properties }: Tool, { text }: Word): number | undefined {
  const [name = ""] = text.split("=");
  if (valued.split(" ").includes(name)) return text.includes("=") ? 1 : 2;
  if (/^-\w./.test(text) && valued.split(" ").includes(text.slice(0, 2))) return 1;
  if (flags.split(" ").includes(text) || properties?.test(text)) return 1;
  return undefined;
}

/** Whether a word that is no verb is a task of the project whose name does not say that it changes something for others. */
function isTask({ tasks }: Tool, { kind, text }: Word, cwds: readonly string[], isDryRun: boolean): boolean {
  if (tasks === undefined || kind !== "literal" || (publishes(text) && !isDryRun)) return false;
  const [stem = ""] = text.split(/[:.]/);
  return tasks === "any" || scripts.has(stem) || packages.has(text) || isFile(text) || cwds.some((cwd) => scriptsOf(cwd).has(text));
}

const isFile = (text: string): boolean => /^[\w./@-]+\.(m|c)?(j|t)sx?$/.test(text);

/** Parts of names of tasks that put something where others have it, or take it away. */
const PUBLISHING =
  /^(publish\w*|un?publish|deploy\w*|release[sd]?|upload\w*|push|drop|reset|purge|wipe|destroy|truncate|rollback|promote|ship|fresh|undo|nuke|teardown|unlock|wrapper|sign|prod(uction)?)$/;
const BUILDING = /^(build|assemble|bundle|compile|lint|test|check|package|install|dev)$/;
const DATABASE =
  /^db:(migrate|migrate:(status|up|down)|seed|create|prepare|version|rollback|schema:dump|structure:dump|test:prepare|generate|push|pull|studio|start|up|lint|types)$/;

/** Whether a task is called by what it does elsewhere: `deploy`, `db:drop`, `publishAllPublications`; `assembleRelease` builds. */
export function publishes(task: string): boolean {
  if (task.startsWith("db:")) return !DATABASE.test(task);
  const parts = task
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  return parts.some(
    (part, i) =>
      PUBLISHING.test(part) && !(/^(release|prod|production)$/.test(part) && parts.slice(0, i).some((before) => BUILDING.test(before))),
  );
}

function scriptsOf(folder: string): ReadonlySet<string> {
  const own = ["package.json", "composer.json", "deno.json"].flatMap((name) => {
    try {
      const { scripts: named, tasks } = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as { scripts?: object; tasks?: object };
      return [...Object.keys(named ?? {}), ...Object.keys(tasks ?? {})];
    } catch {
      return []; // there is no such file, or it names no scripts
    }
  });
  return new Set(own);
}

/** What behind the verb of a tool the grant does not cover: an unknown flag, another verb, a setting. */
function faultBehind(tool: Tool, verb: readonly Word[], rest: readonly Word[]): string | undefined {
  const { behind, properties, several } = tool;
  const dashes = rest.findIndex(({ text }) => text === "--");
  const own = dashes < 0 ? rest : rest.slice(0, dashes);
  if (properties) {
    const odd = own.find(
      (word, i) =>
        /^(-[DP]|[-/]{1,2}\w+:)/.test(word.text) &&
        word.text.length > 2 &&
        flagLength(tool, word) === undefined &&
        flagLength(tool, own[i - 1] ?? word) !== 2,
    );
    if (odd) return `the setting ${odd.text.slice(0, 40)} may make it run something else`;
  }
  if (several) {
    const valued = own.filter(
      (word, i) => !isFlag(word) && !(isFlag(own[i - 1] ?? word) && flagLength(tool, own[i - 1] ?? word) === 2) && !word.text.includes("="),
    );
    const names = verb[0]?.text.includes(":") || tool.tasks === "any" || tool.properties ? valued : [];
    const tree = treeOf(tool);
    const odd = names.find((word) => !(tool.tasks === "any" ? !publishes(word.text) : childOf(tree, word.text) !== undefined));
    if (odd && !own.some(isDry)) return `a grant for the whole program does not cover ${odd.text.slice(0, 40)}`;
    const flag =
      tool.properties &&
      own.find((word, i) => isFlag(word) && flagLength(tool, word) === undefined && flagLength(tool, own[i - 1] ?? word) !== 2);
    if (flag) return `${flag.text.slice(0, 40)} is no flag that a grant for the whole program covers`;
  }
  const remote = tool.local ? undefined : remoteIn(verb, own);
  if (remote !== undefined) return `it may take code from ${remote.slice(0, 60)}`;
  if (!behind) return undefined;
  const texts = verb.map(({ text }) => text);
  const table = [texts.join(" "), texts[0] ?? "", ""].map((key) => behind[key]).find((each) => each !== undefined);
  if (!table) return undefined;
  const sorted = sortArguments(table, own);
  const [unknown] = sorted.unknown;
  if (unknown !== undefined) return `${unknown.slice(0, 40)} is no flag that a grant for the whole program covers`;
  const odd = table.only && sorted.operands.find(({ kind, text }) => kind !== "literal" || !table.only?.test(text));
  return odd ? `a grant for the whole program does not cover ${odd.text.slice(0, 40)}` : undefined;
}

/** Verbs that hand the words behind them to a program of the project. */
const HANDING = /^(test|t|tst|run|run-script|start|restart|exec|x|dlx|workspaces?|task|watch|view|v|info|show|search|why|explain|r|bench)$/;

/** An address among the words of a call from which the tool may take code or settings. */
function remoteIn([first]: readonly Word[], words: readonly Word[]): string | undefined {
  const program = words.findIndex((word) => !isFlag(word));
  const own = HANDING.test(first?.text ?? "") ? words.slice(0, program < 0 ? undefined : program + 1) : words;
  return own.map(({ text }) => REMOTE.exec(text)?.[0]).find((found) => found !== undefined);
}

/** `https://x`, `git+ssh://x`, `github:o/r`, `git@host:path`, `name@https://x`, also behind a flag. */
const REMOTE =
  /(^|[=@]|^-\w)((git|hg|svn|bzr)\+|(https?|ssh|git|s?ftp|file|data|npm|jsr|github|gitlab|gist|bitbucket):)\S*|^(-\w|--[\w-]+=)?[\w.-]+@[\w.-]+\.[a-z]+:.*/i;

const trees = new Map<string, Tree>();

function treeOf({ verbs }: Tool): Tree {
  const known = trees.get(verbs) ?? parseVerbs([...verbs.matchAll(/[^\s()]+|[()]/g)].map(([token]) => token));
  trees.set(verbs, known);
  return known;
}

/** Reads verbs up to the end, or to the closing bracket of their group. Takes the tokens away. */
function parseVerbs(tokens: string[]): Map<string, Map<string, Tree>> {
  const tree = new Map<string, Map<string, Tree>>();
  for (let token = tokens.shift(); token !== undefined && token !== ")"; token = tokens.shift()) {
    const isGroup = tokens[0] === "(";
    if (isGroup) tokens.shift();
    const below = isGroup ? parseVerbs(tokens) : new Map<string, Tree>();
    for (const name of token.split(",")) tree.set(name, new Map([...(tree.get(name) ?? []), ...below]));
  }
  return tree;
}

/** The verbs behind a verb; those of patterns count as well. */
function childOf(tree: Tree, text: string): Tree | undefined {
  const fits = [...tree].filter(([name]) => name === text || (name.includes("*") && matches(name, text)));
  if (fits.length === 0 || text === "_") return undefined;
  return fits.length === 1 ? fits[0]?.[1] : new Map(fits.flatMap(([, below]) => [...below]));
}

const matches = (pattern: string, text: string): boolean =>
  pattern === "*" ? /^[a-z][\w-]*$/.test(text) : text.startsWith(pattern.slice(0, -1)) && pattern.endsWith("*");
