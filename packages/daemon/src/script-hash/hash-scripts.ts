import { hash } from "node:crypto";
import { existsSync, realpathSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { includesOf, type Includes } from "./included-files.ts";

/** A script that a hook runs: its real path and the hash of its content. */
export type ScriptHash = readonly [path: string, hash: string];

const MAX_SCRIPT_BYTES = 4 * 1024 * 1024;
/** Longer files are not searched for files that they include. */
const MAX_TEXT_BYTES = 256 * 1024;
/** Programs of the system change with every update of it. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix|System|Library|dev|proc)\//;

/** How far Baton follows the files that scripts include, and how many it reads. */
const MAX_DEPTH = 3;
const MAX_FILES = 200;

/** Where a command runs, where its project is, and what it can write for folders, such as `CLAUDE_PROJECT_DIR`. */
type ScriptFolders = { folder: string; project: string };

type Found = { file: string; hash: string; includes: Includes | undefined };

/**
 * The scripts that a command runs, and those that these include, by their content. The user approves them together with the command, so a
 * script that changes itself or a link that leads elsewhere asks again. Files that a command only reads or writes are no scripts.
 * `variables`: what the command can write for a folder. `folder`: where the command runs. A script in it has the name that it has in
 * `project`.
 */
export function hashScripts(
  words: readonly string[],
  { folder, project }: ScriptFolders,
  variables: Readonly<Record<string, string>>,
): ScriptHash[] {
  return withIncluded(scriptsIn(words, folder, variables), { folder, project }, variables);
}

/** A script that runs as a program, and the files that it includes, by their content. Empty if it cannot be read. */
export function scriptAndIncluded(file: string, folders: ScriptFolders): ScriptHash[] {
  const script = readScript(file, true);
  return script ? withIncluded([script], folders, {}) : [];
}

function withIncluded(
  scripts: readonly Found[],
  { folder, project }: ScriptFolders,
  variables: Readonly<Record<string, string>>,
): ScriptHash[] {
  const all = new Map(scripts.map((script) => [script.file, script]));
  let level = scripts;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next = level.flatMap((script) => included(script, folder, variables)).filter(({ file }) => !all.has(file));
    level = [...new Map(next.map((script) => [script.file, script])).values()].slice(0, Math.max(0, MAX_FILES - all.size));
    for (const script of level) all.set(script.file, script);
  }
  return [...all.values()]
    .map(({ file, hash: content }): ScriptHash => [nameIn(project, folder, file), content])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The files that a script includes. A line of a shell script names files in the folder of the command or in that of the script. */
function included({ file, includes }: Found, folder: string, variables: Readonly<Record<string, string>>): Found[] {
  if (!includes) return [];
  const own = path.dirname(file);
  if ("files" in includes) return includes.files.flatMap((name) => readScript(path.resolve(own, name), true) ?? []);
  const places = [...new Set([folder, own])];
  return places.flatMap((place) => includes.lines.flatMap((line) => scriptsIn([line], place, variables, IS_PATH)));
}

/** A program without a slash in its name is one of the machine. */
const IS_PATH = /\//;

/** The scripts that the words of a command name. `isProgram`: which other words may name a program. */
function scriptsIn(words: readonly string[], folder: string, variables: Readonly<Record<string, string>>, isProgram = /./): Found[] {
  const found: Found[] = [];
  const all = words.map((line) => line.replaceAll(REPOSITORY, () => folder)).flatMap(wordsIn);
  let current = folder;
  let before = "";
  for (const [i, word] of all.entries()) {
    if (WRITES.test(all[i - 1] ?? "")) continue;
    const named = OPTION_WITH_FILE.exec(word)?.[1] ?? word;
    const file = path.resolve(current, expand(named, variables));
    if (before === "cd") current = file;
    const isScript = SCRIPT.test(named) || INTERPRETER.test(before);
    const script = isScript || isProgram.test(named) ? readScript(file, isScript) : undefined;
    if (script) found.push(script);
    if (!word.startsWith("-")) before = word;
  }
  return found;
}

/** The folder of the repository. A command in a folder below it names its scripts otherwise. */
const REPOSITORY = /\$\(git rev-parse --show-toplevel(?: 2>\/dev\/null)?\)/g;
/** An option such as `--require=./rules.js`. */
const OPTION_WITH_FILE = /^-[\w-]+=(.+)$/;
const WRITES = /^\d*>{1,2}$/;
const SCRIPT = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|php|lua|ps1)$/;
const INTERPRETER = /^(?:.*\/)?(?:sh|bash|zsh|dash|python[\d.]*|node|deno|bun|ruby|perl|php|tsx|source|\.)$/;

/** A word itself, the words of the command line that it may be, and the words of the lines that it quotes. */
function wordsIn(line: string): string[] {
  const words = splitCommand(line);
  return words.length === 1 && words[0] === line ? words : [line, ...words.flatMap((word) => (/\s/.test(word) ? wordsIn(word) : [word]))];
}

/** The words of a command line, and its redirections. Operators separate words. */
const splitCommand = (line: string): string[] =>
  line.match(/\d*>{1,2}|(?:"[^"]*"|'[^']*'|\\.|[^\s;&|()<>])+/g)?.map((word) => word.replaceAll(/["']|\\(?=.)/g, "")) ?? [];

/** If a folder is a copy of the project, returns the name that its file has in the project. */
function nameIn(project: string, folder: string, file: string): string {
  const relative = path.relative(existsSync(folder) ? realpathSync(folder) : folder, file);
  return relative.startsWith("..") || path.isAbsolute(relative) ? file : path.join(project, relative);
}

const expand = (word: string, variables: Readonly<Record<string, string>>): string =>
  word
    .replaceAll(/\$(?:\{(\w+)(?::-[^}]*)?\}|(\w+))/g, (whole, braced?: string, bare?: string) => variables[braced ?? bare ?? ""] ?? whole)
    .replace(/^~(?=\/)/, variables["HOME"] ?? "~");

type Known = Found & { stamp: string };
const known = new Map<string, Known>();

/** Reads a script by its real path, again only when it has changed. A file that can be executed is a script, too. */
function readScript(file: string, isScript: boolean): Found | undefined {
  if (SYSTEM.test(file)) return undefined;
  try {
    const real = realpathSync(file);
    if (SYSTEM.test(real)) return undefined;
    const { size, mtimeMs, ctimeMs, ino, isFile, isExecutable } = toFacts(statSync(real));
    if (!isFile || !(isScript || isExecutable)) return undefined;
    if (size > MAX_SCRIPT_BYTES) return { file: real, hash: `too large, ${size} bytes at ${mtimeMs}`, includes: undefined };
    const stamp = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
    const before = known.get(real);
    if (before?.stamp === stamp) return before;
    const content = readFileSync(real);
    const includes = size <= MAX_TEXT_BYTES && !content.includes(0) ? includesOf(real, content.toString()) : undefined;
    const script = { stamp, file: real, hash: hash("sha256", content), includes };
    known.set(real, script);
    return script;
  } catch {
    return undefined; // the word is no file
  }
}

const toFacts = (stat: ReturnType<typeof statSync>) => {
  if (!stat) throw new Error("statSync found no file");
  return {
    size: Number(stat.size),
    mtimeMs: stat.mtimeMs,
    ctimeMs: stat.ctimeMs,
    ino: stat.ino,
    isFile: stat.isFile(),
    isExecutable: (Number(stat.mode) & 0o111) !== 0,
  };
};
