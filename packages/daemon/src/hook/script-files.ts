import { hash } from "node:crypto";
import { realpathSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** A script that a hook runs: its real path and the hash of its content. */
export type ScriptStamp = readonly [path: string, hash: string];

const MAX_SCRIPT_BYTES = 4 * 1024 * 1024;
/** Programs of the system change with every update of it. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix|System|Library|dev|proc)\//;

type Known = { stamp: string; hash: string };
const known = new Map<string, Known>();

/**
 * The scripts that a command runs, by their content. The user approves them together with the command, so a script that changes itself or a
 * link that leads elsewhere asks again. Files that a command only reads or writes are no scripts. `variables`: what the command can write for
 * a folder, such as `CLAUDE_PROJECT_DIR`.
 */
export function scriptFiles(words: readonly string[], folder: string, variables: Readonly<Record<string, string>>): ScriptStamp[] {
  const found = new Map<string, string>();
  const all = words.flatMap(splitCommand);
  for (const [i, word] of all.entries()) {
    if (WRITES.test(all[i - 1] ?? "")) continue;
    const stamp = stampOf(path.resolve(folder, expand(word, variables)), SCRIPT.test(word) || INTERPRETER.test(all[i - 1] ?? ""));
    if (stamp) found.set(...stamp);
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const WRITES = /^\d*>{1,2}$/;
const SCRIPT = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|php|lua|ps1)$/;
const INTERPRETER = /^(?:.*\/)?(?:sh|bash|zsh|dash|python[\d.]*|node|deno|bun|ruby|perl|php|tsx|source|\.)$/;

/** The words of a command line, and its redirections. Quotes and operators separate words. */
const splitCommand = (line: string): string[] =>
  line.match(/\d*>{1,2}|(?:"[^"]*"|'[^']*'|[^\s;&|()<>])+/g)?.map((word) => word.replaceAll(/["']/g, "")) ?? [];

const expand = (word: string, variables: Readonly<Record<string, string>>): string =>
  word
    .replaceAll(/\$(?:\{(\w+)(?::-[^}]*)?\}|(\w+))/g, (whole, braced?: string, bare?: string) => variables[braced ?? bare ?? ""] ?? whole)
    .replace(/^~(?=\/)/, variables["HOME"] ?? "~");

/** A file that can be executed is a script, too. */
function stampOf(file: string, isScript: boolean): [path: string, hash: string] | undefined {
  if (SYSTEM.test(file)) return undefined;
  try {
    const real = realpathSync(file);
    if (SYSTEM.test(real)) return undefined;
    const { size, mtimeMs, ctimeMs, ino, isFile, isExecutable } = toFacts(statSync(real));
    if (!isFile || !(isScript || isExecutable)) return undefined;
    if (size > MAX_SCRIPT_BYTES) return [real, `too large, ${size} bytes at ${mtimeMs}`];
    const stamp = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
    const before = known.get(real);
    if (before?.stamp === stamp) return [real, before.hash];
    const content = hash("sha256", readFileSync(real));
    known.set(real, { stamp, hash: content });
    return [real, content];
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
