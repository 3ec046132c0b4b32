import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { ShellContext } from "../shell/shell-context.ts";
import { commandsInContainer } from "./commands-in-container.ts";
import { absolutePathAccesses } from "./path-accesses.ts";
import { exists, isFolder } from "./path-on-disk.ts";
import { readers } from "../tables/readers.ts";
import { textOfAll, type Word } from "../words/word.ts";

/** Programs that run a command where a folder of the workspace may be mounted. */
const MAY_MOUNT = /^((docker|podman|nerdctl)(-compose)?|devcontainer|lima|limactl|multipass|toolbox|distrobox)$/;

/** An absolute path in a word, also behind a flag, or in a script, and a path that leads out of a folder. */
const ABSOLUTE = /(?<=^|[\s'"=(<>,@]|\s-\w)(\/+|([\w.-]+\/)*\.\.\/)[\w./@-]+|(?<=:)\/(?!\/)[\w./@-]+/g;
/** Outputs, and flags with which a program that reads writes a file. */
const CHANGES = />|\s-(exec|ok|delete|i|o|-output|-in-?place)/;
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
  const commands = commandsInContainer(words);
  const isReading = !CHANGES.test(text) && commands?.every(([program = ""]) => onlyReads(program)) === true;
  const actions = isReading ? ["read"] : ["read", "edit"];
  const whole = walksWorkspace(commands ?? anyCommands(words), text, workspace)
    ? absolutePathAccesses(workspace, "mentions", context, { suspected: true, keeps: isReading })
    : [];
  return [
    ...readsInMount(words, context),
    ...[...new Set(files)].flatMap((resource) => actions.map((action) => ({ action, resource, suspected: true as const }))),
    ...("doubt" in whole ? [] : whole),
  ];
}

/** Returns the reads of files that relative paths in a call mean if its command runs in a folder that the call mounts: `docker run -v .:/w -w /w x cat .env`. */
function readsInMount(words: readonly Word[], context: ShellContext): GatedAccess[] {
  const named = words.flatMap(({ text }) => text.split(/[\s'"=;&|<>()]+/)).filter((each) => /^[^-/]/.test(each));
  const mounts = words.flatMap(({ text }, i) => {
    const before = words[i - 1]?.text ?? "";
    const value = /^(-v|--volume)$/.test(before) ? text : /^(?:-v|--volume=)(.*:.*)/.exec(text)?.[1];
    const bound = /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1];
    return [...(value === undefined ? [] : [value.split(":")[0] ?? ""]), ...(bound === undefined ? [] : [bound])];
  });
  const files = mounts.flatMap((mount) => context.cwds.flatMap((cwd) => named.map((each) => path.resolve(cwd, mount, each))));
  return files.filter(exists).flatMap((file) => {
    const read = absolutePathAccesses(file, "reads", context);
    return "doubt" in read ? [] : read;
  });
}

/** True for a program that changes files only through flags and outputs. `uniq` and `xxd` write their second argument. */
const onlyReads = (program: string): boolean =>
  (/^(cd|ls|echo|pwd|true|test|find|export|set)$/.test(program) || Object.hasOwn(readers, program)) && !/^(uniq|xxd)$/.test(program);

/** Commands that go through whole folders. `find` only lists files, unless it gives them to another program. */
const WALKS =
  /^(rg|ag|zip|tar|rsync|git (-\S+ ([^-\s]\S* )?)*grep\b|[efz]?grep .*-(\w*[rR]|-recursive|d ?recurse)|(cp|scp|rm|chown|chmod|chgrp) .*-(\w*[raR]|-recursive)|find .*-(exec|ok|delete))/;
/** Signs that a script gives the names that one command prints to another one. */
const FEEDS = /\$\(|`|\b(while|xargs)\b/;
const WALKER = /^(rg|ag|zip|tar|rsync|git|[efz]?grep|cp|scp|rm|chown|chmod|chgrp|find)$/;
/** Folders of the system in a container. No workspace is mounted there. */
const OF_SYSTEM = /^\/(tmp|etc|proc|sys|dev|run|bin|sbin|lib\w*|boot|usr\/(?!src\/)|var\/(?!www\/))/;

/** Returns what the commands in a call may be if it is not certain where they begin. */
function anyCommands(words: readonly Word[]): string[][] {
  const scripts = words.filter(({ text }) => /\s/.test(text)).flatMap(({ text }) => text.split(/[;&|\n]+/));
  const calls = [words.map(({ text }) => text), ...scripts.map((each) => each.split(/[\s'"()]+/))];
  return calls.flatMap((call) => {
    const at = call.findIndex((text) => WALKER.test(path.posix.basename(text)));
    return at < 0 ? [] : [call.slice(at)];
  });
}

/** True if a command in a container goes through a folder that may be all of the workspace. */
const walksWorkspace = (commands: readonly (readonly string[])[], text: string, workspace: string): boolean =>
  commands.some(([program = "", ...operands]) => {
    const walker = path.posix.basename(program);
    if (!WALKS.test([walker, ...operands].join(" ")) && !(walker === "find" && FEEDS.test(text))) return false;
    const named = operands.filter((each) => each !== "" && !each.startsWith("-"));
    const places = /^(rg|ag|[efz]?grep)$/.test(walker) ? named.slice(1) : named; // the first one is a pattern
    const isHere = places.length === 0 || (walker === "git" && !places.some((each) => each.startsWith("/")));
    return (isHere && !ONLY_PRINTS.test(operands.join(" "))) || places.some((each) => isRoot(each, workspace));
  });

/** Arguments with which a program only prints something about itself. */
const ONLY_PRINTS = /^(--version|-V|--help)$/;

/** True for a path in a container that may be the workspace itself, and not one of its files. */
const isRoot = (text: string, workspace: string): boolean =>
  /^\.{1,2}(\/\.{0,2})*$/.test(text) ||
  (text.startsWith("/") && !OF_SYSTEM.test(`${text}/`) && !tailsOf(text).some((name) => exists(path.join(workspace, name))));

/** Returns a path without its first folder, without its first two, and so on. One that leads out of a folder may begin in the workspace. */
function tailsOf(place: string): string[] {
  const leadsOut = /(^|\/)\.\.\//.test(place);
  const names = path.posix
    .normalize(place)
    .split("/")
    .filter((name) => name !== "" && name !== "..");
  const parts = leadsOut ? names : names.slice(1);
  return parts.slice(0, MAX_MOUNT_DEPTH).map((_, i) => parts.slice(i).join("/"));
}

/** True if the workspace has a file of this name, or the folder with which the name begins. */
const mayBeIn = (name: string, workspace: string): boolean => exists(path.join(workspace, name.split("/")[0] ?? ""));
