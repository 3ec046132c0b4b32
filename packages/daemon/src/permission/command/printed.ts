import { existsSync } from "node:fs";
import path from "node:path";
import type { Script } from "./parse.ts";
import type { Scene } from "./scene.ts";

/** What `cat <<'END' ...` prints for sure: the way in which long texts are handed over. */
export function printedBy(script: Script): string | undefined {
  const [only, ...more] = script.commands;
  const command = only?.command;
  if (more.length > 0 || only?.background || command?.type !== "Command" || command.name?.text !== "cat") return undefined;
  const [doc, ...rest] = [...command.prefix, ...command.suffix];
  if (rest.length > 0 || doc?.type !== "HereDoc" || doc.closing === undefined) return undefined;
  if (doc.delimiter?.quoted) return doc.body.text;
  return doc.body.parts === undefined && !doc.body.text.includes("\\") ? doc.body.text : undefined;
}

/** The folder that `pwd` and `git rev-parse --show-toplevel` print, where it is sure in which folder they run. */
export function folderToldBy(script: Script, { cwds, assigned }: Scene): string | undefined {
  const [only, ...more] = script.commands;
  const command = only?.command;
  const [cwd, ...others] = cwds;
  if (more.length > 0 || only?.background || command?.type !== "Command" || command.prefix.length > 0) return undefined;
  if (cwd === undefined || others.length > 0 || assigned.has("PWD")) return undefined;
  const words = [command.name, ...command.suffix].map((word) => (word?.type === "Word" && word.parts === undefined ? word.value : "$"));
  switch (words.join(" ")) {
    case "pwd":
      return cwd;
    case "git rev-parse --show-toplevel":
      return repositoryOf(cwd);
    default:
      return undefined;
  }
}

/** The nearest folder with a `.git`, as git finds it. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(path.join(folder, ".git"))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}
