import { existsSync } from "node:fs";
import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { ShellContext } from "../shell/shell-context.ts";
import { absolutePathAccesses } from "./path-accesses.ts";
import { isFolder } from "./path-on-disk.ts";
import { readers } from "../tables/readers.ts";
import { textOfAll, type Word } from "../words/word.ts";

/** Programs that run a command where a folder of the workspace may be mounted. */
const MAY_MOUNT = /^((docker|podman|nerdctl)(-compose)?|devcontainer|lima|limactl|multipass|toolbox|distrobox)$/;

/** An absolute path in a word, also behind a flag, or in a script, and a path that leads out of a folder. */
const ABSOLUTE = /(?<=^|[\s'"=(<>,]|\s-\w)(\/+|(\.\.\/)+)[\w./@-]+|(?<=:)\/(?!\/)[\w./@-]+/g;
const CHANGES = />|\s-(exec|delete|i)/;
/** The most paths of a call, and the most folders at the beginning of a path, that may be those of a mount. */
const MAX_PATHS = 50;
const MAX_MOUNT_DEPTH = 20;

/**
 * Returns the accesses of files of the workspace that the absolute paths in a call of docker may stand for: in a container, `/app/src/a.ts` may be `src/a.ts`.
 * The gate does not know what is mounted where, so only rules that limit these files apply. Without a program that only reads, each may change.
 */
export function mountedFiles(base: string, words: readonly Word[], context: ShellContext): GatedAccess[] {
  const { workspace, gatePath } = context.place;
  if (!MAY_MOUNT.test(base)) return [];
  const text = textOfAll(words);
  const paths = (text.match(ABSOLUTE) ?? []).slice(0, MAX_PATHS);
  const names = [...new Set(paths)].flatMap(tailsOf).filter((name) => mayBeIn(name, workspace));
  const files = names.flatMap((name) => {
    const gated = gatePath(path.join(workspace, name));
    const all = "refused" in gated || !gated.inside ? [name] : [name, gated.relative]; // a link leads to another name
    return isFolder(path.join(workspace, name)) ? all.flatMap((each) => [each, `${each}/a.file`]) : all;
  });
  const isReading = text.split(/[\s'";&|]+/).some((word) => Object.hasOwn(readers, word)) && !CHANGES.test(text);
  const actions = isReading ? ["read"] : ["read", "edit"];
  const whole = walksWorkspace(words, workspace)
    ? absolutePathAccesses(workspace, "mentions", context, { suspected: true, keeps: isReading })
    : [];
  return [
    ...[...new Set(files)].flatMap((resource) => actions.map((action) => ({ action, resource, suspected: true as const }))),
    ...("doubt" in whole ? [] : whole),
  ];
}

/** Commands that go through whole folders. `find` only lists files, unless it gives them to another program. */
const WALKS =
  /^(rg|ag|zip|tar|rsync|git .*\bgrep|[efz]?grep .*-(\w*[rR]|-recursive)|(cp|scp|rm|chown|chmod|chgrp) .*-(\w*[raR]|-recursive)|find .*(-exec|-ok|-delete|xargs))/;
const WALKER = /^(rg|ag|zip|tar|rsync|git|[efz]?grep|cp|scp|rm|chown|chmod|chgrp|find)$/;
/** Folders of the system in a container. No workspace is mounted there. */
const OF_SYSTEM = /^\/(etc|proc|sys|dev|run|bin|sbin|lib\w*|boot|usr\/(?!src\/)|var\/(?!www\/))/;

/** True if a call in a container, or a part of a script there, goes through a folder that may be all of the workspace. */
function walksWorkspace(words: readonly Word[], workspace: string): boolean {
  const scripts = words.filter(({ text }) => /\s/.test(text)).flatMap(({ text }) => text.split(/[;&\n]+|\|(?! *xargs)/));
  return [words.map(({ text }) => text), ...scripts.map((each) => each.split(/[\s'"()]+/))].some((call) => {
    const at = call.findIndex((text) => WALKER.test(path.posix.basename(text)));
    const [walker = "", ...operands] = at < 0 ? [] : [path.posix.basename(call[at] ?? ""), ...call.slice(at + 1)];
    if (!WALKS.test([walker, ...operands].join(" "))) return false;
    const named = operands.filter((text) => text !== "" && !text.startsWith("-"));
    const places = /^(rg|ag|[efz]?grep)$/.test(walker) ? named.slice(1) : named; // the first one is a pattern
    return (
      places.length === 0 ||
      (walker === "git" && !places.some((text) => text.startsWith("/"))) ||
      places.some((text) => isRoot(text, workspace))
    );
  });
}

/** True for a path in a container that may be the workspace itself, and not one of its files. */
const isRoot = (text: string, workspace: string): boolean =>
  /^\.{1,2}(\/\.{0,2})*$/.test(text) ||
  (text.startsWith("/") && !OF_SYSTEM.test(`${text}/`) && !tailsOf(text).some((name) => existsSync(path.join(workspace, name))));

/** Returns a path without its first folder, without its first two, and so on. One that leads out of a folder may begin in the workspace. */
function tailsOf(place: string): string[] {
  const parts = path.posix
    .normalize(place.replace(/^(\.\.\/)+/, "/_/").replace(/^\/+/, "/"))
    .split("/")
    .slice(2);
  return parts
    .slice(0, MAX_MOUNT_DEPTH)
    .map((_, i) => parts.slice(i).join("/"))
    .filter((name) => name !== "");
}

/** True if the workspace has a file of this name, or the folder with which the name begins. */
const mayBeIn = (name: string, workspace: string): boolean => existsSync(path.join(workspace, name.split("/")[0] ?? ""));
