import { accessSync, constants } from "node:fs";
import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { GateFindings } from "../gate-findings.ts";
import type { ShellContext } from "./shell-context.ts";
import { namesOfPattern, pathWordAccesses } from "../files/path-accesses.ts";
import { attempt, finalPath, isFolder } from "../files/path-on-disk.ts";
import type { Word } from "../words/word.ts";
import { turnsBack } from "../files/new-links.ts";
import { resolvePath } from "../files/physical-path.ts";

export type Moved = { cwds: readonly string[]; accesses: GatedAccess[] } | { doubt: string };

/**
 * Returns the folders to which a `cd` or `pushd` leads, and undefined for any other command. If the folder does not exist yet,
 * the command may fail, so both folders are returned. The same holds if an earlier command may have removed the folder. `cd -` and `popd`
 * may lead to any folder that the text has visited.
 */
export function changeDirectory(all: readonly Word[], context: ShellContext, findings: GateFindings): Moved | undefined {
  const { visited, accesses: before } = findings;
  const [name, ...words] = withoutWrapper(all);
  if (name?.kind !== "literal" || !/^(cd|pushd|popd)$/.test(name.text)) return undefined;
  if (name.text !== "cd" && words.length === 1 && /^[-+]\d+$/.test(words[0]?.text ?? ""))
    return { cwds: [...new Set([...context.cwds, ...visited])], accesses: [] }; // a place of the stack
  const isBack = name.text === "popd" ? words.length === 0 : words.length === 1 && name.text === "cd" && words[0]?.text === "-";
  if (isBack && visited.size > 0) return { cwds: [...new Set([...context.cwds, ...visited])], accesses: [] }; // there may be none
  if (name.text === "popd" || (name.text !== "cd" && words.length !== 1))
    return { doubt: "changes to a folder that is known only when it runs" };
  const [first, second] = words;
  const target = first?.kind === "literal" && /^(-[LP]|--)$/.test(first.text) ? second : first;
  if (words.length > 2 || (second && target !== second)) return { doubt: "changes to a folder that is not clear" };
  const to: Word = target ?? { kind: "literal", text: context.place.home };
  if (to.kind === "open" || (to.kind === "literal" && (to.written !== undefined || to.text.startsWith("-"))))
    return { doubt: "changes to a folder that is known only when it runs" };
  const accesses = pathWordAccesses({ word: to, use: "names" }, context);
  if ("doubt" in accesses) return accesses;
  const isPhysical = first?.text === "-P";
  const isSure = to.kind === "literal" && before.every(({ action, reads }) => action !== "command" || reads);
  // In a loop over folders, the shell may change to any folder that matches.
  const names = to.kind === "literal" ? [to.text] : (namesOfPattern(to, context.cwds) ?? []);
  // Through a symlink and `..`, the shell may come back to where it is.
  const mayReturn = (cwd: string) => names.some((name) => resolvePath(cwd, name) === cwd && path.resolve(cwd, name) !== cwd);
  if (context.cwds.some((cwd) => names.some((each) => turnsBack(each, cwd, findings.links))))
    return { doubt: "goes through a link that the text itself makes" };
  if (context.cwds.some(mayReturn)) return { doubt: "changes to a folder that is not clear" };
  const cwds = context.cwds.flatMap((cwd) =>
    names.flatMap((name) => {
      const written = path.resolve(cwd, name);
      const next = isPhysical || !isFolder(written) ? resolvePath(cwd, name) : written; // bash falls back to the other one
      const reached = [written, next, finalPath(next, context.place.realFolders)]; // `cd ..` is about the first, and programs are in the second
      return isSure && mayEnter(next) && isThere(cwd, name) ? reached : [cwd, ...reached];
    }),
  );
  return { cwds: [...new Set(to.kind === "literal" ? cwds : [...context.cwds, ...cwds])], accesses };
}

/** True if there is a folder in front of each `..`. The shell looks at all of them. */
const isThere = (cwd: string, name: string): boolean =>
  name.split("/").every((_, i, parts) => parts[i + 1] !== ".." || isFolder(path.resolve(cwd, parts.slice(0, i + 1).join("/"))));

/** True if a shell can change to this folder now. */
const mayEnter = (at: string): boolean => isFolder(at) && attempt(() => accessSync(at, constants.X_OK) ?? true) === true;

/** Removes `command` and `builtin`: `command cd x` and `builtin cd x` change the folder of the shell as well. */
function withoutWrapper([first, ...rest]: readonly Word[]): readonly Word[] {
  if (first?.kind !== "literal" || !/^(command|builtin)$/.test(first.text)) return first ? [first, ...rest] : [];
  return withoutWrapper((rest[0]?.text === "-p" && first.text === "command") || rest[0]?.text === "--" ? rest.slice(1) : rest);
}
