import { hash } from "node:crypto";
import { globSync } from "node:fs";
import path from "node:path";
import { isFile, MISE_FILES, readSmallFile } from "./detect-environment-tools.ts";
import type { FoundTool } from "./environment.ts";

/** A file that the user approves: its path relative to the folder, and its text. */
type CoveredFile = { name: string; text: string };

/** The files of a tool that the user approves together. `hash`: of the tool, and of the names and the texts of the files. */
export type FilesToApprove = { files: readonly CoveredFile[]; hash: string };

const MAX_FILES = 50;
const MAX_DEPTH = 3;

/** Words of direnv that read files under names that they do not write. */
const USUAL: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bdotenv/, [".env"]],
  [/\buse[ _]flake/, ["flake.nix", "flake.lock"]],
  [/\buse[ _]nix/, ["shell.nix", "default.nix"]],
  [/\buse[ _]node/, [".nvmrc", ".node-version"]],
  [/\buse[ _](mise|asdf)/, MISE_FILES],
  [/\blayout[ _]ruby/, ["Gemfile", ".ruby-version"]],
];

/**
 * The files of direnv or mise that act when they are read: the deciding files, and all files of the folder that their texts name. Undefined for
 * tools whose files only name a version or a folder.
 */
export function filesToApprove({ tool, source }: FoundTool, folder: string): FilesToApprove | undefined {
  if (tool !== "direnv" && tool !== "mise") return undefined;
  const found = new Map<string, string>();
  let level = tool === "mise" ? MISE_FILES.filter((name) => isFile(path.join(folder, name))) : [source];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next = new Set<string>();
    for (const name of level) {
      const text = readSmallFile(path.join(folder, name));
      if (text === undefined || found.has(name) || found.size >= MAX_FILES) continue;
      found.set(name, text);
      for (const each of filesNamedIn(text, folder, name)) next.add(each);
    }
    level = [...next];
  }
  const files = [...found].map(([name, text]): CoveredFile => ({ name, text }));
  return { files, hash: hash("sha256", JSON.stringify([tool, files])) };
}

/** The files of the folder that the words of a text name, from the folder or from that of the text. */
function filesNamedIn(text: string, folder: string, name: string): string[] {
  const own = path.dirname(name);
  const usual = USUAL.flatMap(([word, names]) => (word.test(text) ? names : []));
  const words = [...new Set([...text.split(WORD_ENDS), ...usual])].filter((word) => word !== "" && word.length <= MAX_WORD);
  const patterns = DATA.test(name) ? [] : words.filter((word) => PATTERN.test(word) && !word.includes("**"));
  const named = words.flatMap((word) => [word, ...behindVariable(word)]);
  const below = named.flatMap((word) =>
    [...new Set([path.normalize(word), path.join(own, word)])].map((file) => (path.isAbsolute(file) ? path.relative(folder, file) : file)),
  );
  return [...below, ...patterns.slice(0, MAX_PATTERNS).flatMap((pattern) => matching(pattern, folder))].filter(
    (file) => !file.startsWith("..") && isFile(path.join(folder, file)),
  );
}

const WORD_ENDS = /[\s"'`()[\]{},;=|&<>]+/;
const MAX_WORD = 500;
const MAX_PATTERNS = 10;

/** A pattern of a shell with some fixed text, such as `env/*.sh`, and at most two wildcards. Only `*` is a branch of `case`. */
const PATTERN = /^(?=.*[\w-])[\w./-]*[*?][\w./-]*[*?]?[\w./-]*$/;
/** Files whose patterns name sources to build, and not files to read. */
const DATA = /\.(toml|nix|lock)$/;

/** The endings of a path that begins with a folder which only a shell knows, such as `$PWD/env.sh`. */
function behindVariable(word: string): string[] {
  if (!/^[$/]/.test(word)) return [];
  const parts = word.split("/").slice(1);
  return parts.map((_, i) => parts.slice(i).join("/")).filter((ending) => ending !== "");
}

const matching = (pattern: string, folder: string): string[] =>
  path.isAbsolute(pattern) ? [] : globSync(pattern, { cwd: folder }).toSorted();
