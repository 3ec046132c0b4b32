import { existsSync } from "node:fs";
import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { ShellContext } from "../shell/shell-context.ts";
import { isFolder } from "./path-on-disk.ts";
import { readers } from "../tables/readers.ts";
import { textOfAll, type Word } from "../words/word.ts";

const IN_CONTAINER = /^(docker|podman)(-compose)?$/;

/** An absolute path in a word, also behind a flag, or in a script. */
const ABSOLUTE = /(?<=^|[\s'"=:(<>,]|\s-\w)\/[\w./@-]+/g;
const CHANGES = />|\s-(exec|delete|i)/;

/**
 * Returns the accesses of files of the workspace that the absolute paths in a call of docker may stand for: in a container, `/app/src/a.ts` may be `src/a.ts`.
 * The gate does not know what is mounted where, so only rules that limit these files apply. Without a program that only reads, each may change.
 */
export function mountedFiles(base: string, words: readonly Word[], { workspace }: ShellContext["place"]): GatedAccess[] {
  if (!IN_CONTAINER.test(base)) return [];
  const text = textOfAll(words);
  const names = (text.match(ABSOLUTE) ?? []).flatMap(tailsOf).filter((name) => mayBeIn(name, workspace));
  const files = names.flatMap((name) => (isFolder(path.join(workspace, name)) ? [name, `${name}/a.file`] : [name]));
  const isReading = text.split(/[\s'";&|]+/).some((word) => Object.hasOwn(readers, word)) && !CHANGES.test(text);
  const actions = isReading ? ["read"] : ["read", "edit"];
  return [...new Set(files)].flatMap((resource) => actions.map((action) => ({ action, resource, suspected: true as const })));
}

/** Returns a path without its first folder, without its first two, and so on. */
const tailsOf = (place: string): string[] =>
  place
    .split("/")
    .slice(2)
    .map((_, i, parts) => parts.slice(i).join("/"))
    .filter((name) => name !== "");

const mayBeIn = (name: string, workspace: string): boolean =>
  existsSync(path.join(workspace, name.includes("/") ? path.dirname(name) : name));
