import { hash } from "node:crypto";
import path from "node:path";
import { isFile, MISE_FILES, readText } from "./find-tools.ts";
import type { FoundTool } from "./environment.ts";

/** A file that the user approves: its path relative to the folder, and its text. */
export type CoveredFile = { name: string; text: string };

/** The files of a tool that the user approves together. `hash`: of the tool, and of the names and the texts of the files. */
export type Coverage = { files: readonly CoveredFile[]; hash: string };

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
export function coverageOf({ tool, source }: FoundTool, folder: string): Coverage | undefined {
  if (tool !== "direnv" && tool !== "mise") return undefined;
  const found = new Map<string, string>();
  let level = tool === "mise" ? MISE_FILES.filter((name) => isFile(path.join(folder, name))) : [source];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next = new Set<string>();
    for (const name of level) {
      const text = readText(path.join(folder, name));
      if (text === undefined || found.has(name) || found.size >= MAX_FILES) continue;
      found.set(name, text);
      for (const each of filesNamedIn(text, folder, path.dirname(name))) next.add(each);
    }
    level = [...next];
  }
  const files = [...found].map(([name, text]): CoveredFile => ({ name, text }));
  return { files, hash: hash("sha256", JSON.stringify([tool, files])) };
}

/** The files of the folder that the words of a text name, from the folder or from that of the text. */
function filesNamedIn(text: string, folder: string, own: string): string[] {
  const usual = USUAL.flatMap(([word, names]) => (word.test(text) ? names : []));
  const words = new Set([...text.split(/[\s"'`()[\]{},;=|&<>]+/), ...usual]);
  return [...words].flatMap((word) => {
    if (word === "" || word.length > 500) return [];
    const names = [...new Set([path.normalize(word), path.join(own, word)])].map((name) =>
      path.isAbsolute(name) ? path.relative(folder, name) : name,
    );
    return names.filter((name) => !name.startsWith("..") && isFile(path.join(folder, name)));
  });
}
