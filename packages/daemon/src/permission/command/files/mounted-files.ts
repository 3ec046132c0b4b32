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

/** An absolute path in a word, also behind a flag, or in a script. */
const ABSOLUTE = /(?<=^|[\s'"=:(<>,]|\s-\w)\/(?!\/)[\w./@-]+/g;
const CHANGES = />|\s-(exec|delete|i)/;
/** The most paths of a call, and the most folders at the beginning of a path, that may be those of a mount. */
const MAX_PATHS = 50;
const MAX_MOUNT_DEPTH = 6;

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
  const whole =
    WALKS.test(text) && !namesPart(text, workspace)
      ? absolutePathAccesses(workspace, "mentions", context, { suspected: true, keeps: isReading })
      : [];
  return [
    ...[...new Set(files)].flatMap((resource) => actions.map((action) => ({ action, resource, suspected: true as const }))),
    ...("doubt" in whole ? [] : whole),
  ];
}

/** A command in a container that goes through a whole folder. */
const WALKS =
  /(^|[\s'"/;&|(])(rg|ag|find|zip|tar|rsync|grep .*-(\w*[rR]|-recursive)|(cp|rm|chown|chmod|chgrp|ls|scp) .*-(\w*[raR]|-recursive))/;
/** Folders of the system in a container. No workspace is mounted there. */
const OF_SYSTEM = /^\/(etc|proc|sys|dev|run|bin|sbin|lib\w*|boot|usr\/(?!src\/)|var\/(?!www\/))/;

/** True if a text names a folder of the system, or a file of the workspace under its name there or here. */
const namesPart = (text: string, workspace: string): boolean =>
  text
    .split(/[\s'";&|()]+/)
    .some((word) =>
      word.startsWith("/")
        ? OF_SYSTEM.test(`${word}/`) || tailsOf(word).some((name) => existsSync(path.join(workspace, name)))
        : /[^./]/.test(word) && existsSync(path.join(workspace, word)),
    );

/** Returns a path without its first folder, without its first two, and so on. */
const tailsOf = (place: string): string[] =>
  place
    .split("/")
    .slice(2)
    .map((_, i, parts) => (i < MAX_MOUNT_DEPTH ? parts.slice(i).join("/") : ""))
    .filter((name) => name !== "");

/** True if the workspace has a file of this name, or the folder with which the name begins. */
const mayBeIn = (name: string, workspace: string): boolean => existsSync(path.join(workspace, name.split("/")[0] ?? ""));
