import { readdirSync } from "node:fs";
import path from "node:path";
import type { FilesBelow, GatedAccess } from "@baton/core/permission/judge";
import type { Access, SourcedRule } from "@baton/core/protocol/rule";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { gateAccess, type PathRefusal } from "../../path.ts";
import { OWN_FOLDERS, SYSTEM_PLACES, isProtectedNamePrefix } from "../../protected-paths.ts";
import { copiedBelow, copiedTo } from "./copied-files.ts";
import { trackedFiles } from "../git/git-index.ts";
import { filesBelow } from "./files-below.ts";
import type { NamedPath, FolderTraversal, PathUse } from "../programs/program-types.ts";
import type { ShellContext, ShellWorkspace } from "../shell/shell-context.ts";
import { attempt, isFolder, isLink, pathKind } from "./path-on-disk.ts";
import { isScratch } from "./scratch-files.ts";
import { linksBelow, secretsBelow } from "./find-secrets.ts";
import { isSecretFile, NOT_TEXT } from "./key-files.ts";
import { isOfProcess, leadsThroughProcess } from "./process-folders.ts";
import { literal, PIPE, type Word } from "../words/word.ts";
import { isOverTime } from "../time-limit.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { physical, resolvePath } from "./physical-path.ts";

/** Returns a rule of the gate that allows an access, unless the user has a rule about it. `source`: the reason. */
export const defaultAllowRule = ({ action, resource }: Access, source: string): SourcedRule => ({
  action,
  resource,
  effect: "allow",
  layer: "defaults",
  source,
});

/** The accesses of a path, or the reason why its target is unknown. */
type Accesses = GatedAccess[] | { doubt: string };

/** The limit for copies in one text: of each of several files to each of several places. */
const MAX_COPIES = 1_000;
/** The limit for the files in all copied folders. */
const MAX_COPIED_FILES = 10_000;

/** True if a text copies more files than can be judged. */
export const copiesTooMany = (targets: readonly string[], sources: readonly string[], { place }: ShellContext): boolean =>
  targets.length * sources.length > MAX_COPIES || place.copies.count > MAX_COPIES || place.copies.files > MAX_COPIED_FILES;

/** Returns the copies of one round each, if source and target contain the same name of a loop: `cp "$f" "$f.bak"`. */
export function copiesOfRounds(path: NamedPath): NamedPath[] {
  const { word, from = [] } = path;
  const { names = [], loop } = word.kind === "pattern" ? word : {};
  const isPlain = (name: string) => !/^-|[*?]/.test(name);
  const ofRound = (source: Word, i: number) =>
    source.kind === "pattern" && source.loop === loop && source.names?.every(isPlain) ? literal(source.names[i] ?? "") : source;
  const isPaired = loop !== undefined && names.length > 0 && names.every(isPlain) && from.some((each) => ofRound(each, 0) !== each);
  return isPaired ? names.map((name, i) => ({ ...path, word: literal(name), from: from.map((each) => ofRound(each, i)) })) : [path];
}

/** Returns the accesses of one path word. */
export function pathWordAccesses(path: NamedPath, context: ShellContext): Accesses {
  const accesses: GatedAccess[] = [];
  for (const each of copiesOfRounds(path)) {
    const found = wordAccesses(each, context);
    if ("doubt" in found) return found;
    accesses.push(...found);
  }
  return accesses;
}

function wordAccesses({ word, use, search = {}, from }: NamedPath, context: ShellContext): Accesses {
  switch (word.kind) {
    case "open":
      if (word.prefix === PIPE && word.text.startsWith("<(") && (use === "reads" || use === "searches" || use === "names")) return [];
      return { doubt: "names a path that is known only when it runs" };
    case "literal":
      if (word.written !== undefined && !isScratch(path.normalize(word.text), use, new Set()))
        return { doubt: "names a path that is known only when it runs" };
      return isFree(word.text, use, context.place.text) ? [] : gateAll([word.text], use, context, search, from);
    case "pattern": {
      const names = namesOfPattern(word, context.cwds);
      if (!names) return { doubt: TOO_MANY };
      if (TAKES_ADDRESSES.has(context.upstream.at(-1) ?? "") && names.some((name) => /^[^/]*:/.test(name)))
        return { doubt: "matches a file whose name is an address" };
      const isTaken = (name: string) =>
        !(use === "names" && DOTS.test(name)) && !(search.onlyFiles && context.cwds.every((cwd) => isFolder(resolvePath(cwd, name))));
      if (names.some((name) => name.includes(NOT_TEXT))) return { doubt: "matches a file whose name cannot be read" };
      return names.some((name) => name.startsWith("-"))
        ? { doubt: "matches a file whose name is a flag" }
        : gateAll(names.filter(isTaken), use, context, search, from);
    }
  }
}

/** Programs that take `host:x` for a file on another machine. */
const TAKES_ADDRESSES = new Set("tar scp rsync cpio sftp git".split(" "));

const TOO_MANY = "names more files than can be judged";
const OF_PROCESS = "names a folder by the process that looks at it";
/** A path that ends at the folder itself or at its parent. */
const DOTS = /(^|\/)\.\.?$/;
const FREE = /^(-|\/dev\/(null|zero|stdin|stdout|stderr|full|random|urandom|fd\/\d+))$/;
/** Where a program may write, unless a redirect has opened a file there for its input. */
const OUTPUT = /^\/dev\/(null|zero|full|random|urandom|(stdout|stderr|fd\/[12]))$/;
/** Redirects that may open a file for reading as an output, or make another descriptor one. */
const OPENS_INPUT = /\d<[^&]|<&(?!-)|>&(?!\s*[12-](?![\w"'$\\]))/;
/** True if a path needs no access. The path `-` names a file if the command changes it. */
function isFree(text: string, use: PathUse, whole: string): boolean {
  if (!CHANGING.has(use)) return FREE.test(text);
  const [, , isStream] = OUTPUT.exec(text) ?? [];
  return OUTPUT.test(text) && !(isStream !== undefined && OPENS_INPUT.test(whole));
}

function gateAll(names: readonly string[], use: PathUse, context: ShellContext, search: FolderTraversal, from?: readonly Word[]): Accesses {
  const accesses: GatedAccess[] = [];
  for (const cwd of context.cwds)
    for (const name of names) {
      if (isOverTime()) return { doubt: TOO_MANY };
      if (/^\/+dev\/+(tcp|udp)(\/|$)/.test(path.resolve(cwd, name))) return { doubt: "opens a network connection" };
      const place = physical(cwd, name);
      if (isOfProcess(path.resolve(cwd, name)) || isOfProcess(place)) return { doubt: OF_PROCESS };
      if (CHANGING.has(use) && /^\/+(dev|proc|sys)\//.test(path.resolve(cwd, name)))
        return { doubt: "writes to a device or into the system" };
      const gated = absolutePathAccesses(place, use, context, search);
      if ("doubt" in gated) return gated;
      const sources = sourcesOf(from ?? [], cwd, context);
      context.place.copies.count += sources.length;
      if (copiesTooMany(names, sources, context)) return { doubt: TOO_MANY };
      accesses.push(...gated, ...copies(place, sources, gated, context));
    }
  return accesses;
}

/** Returns the files that git tracks below the root of a repository. They matter only if a rule is about one of them. */
export function trackedBelow(root: string, chooses: (file: string) => boolean, { place }: ShellContext): GatedAccess[] {
  const gated = place.gatePath(root);
  if ("refused" in gated || !gated.inside) return [];
  const access: Access = { action: "read", resource: gated.relative };
  const gateRule = defaultAllowRule(access, "what git tracks");
  const below: FilesBelow = (_, concerns) => {
    const tracked = trackedFiles(root);
    const prefix = gated.relative === "." ? "" : `${gated.relative}/`;
    const readOfFile = (file: string): Access => ({ action: "read", resource: prefix + file.slice(root.length + 1) });
    // To find out whether git prints a file takes longer than the rules.
    const files = (tracked ?? []).filter((file) => concerns(readOfFile(file)) && chooses(file)).map(readOfFile);
    return { files, isWhole: tracked !== undefined };
  };
  return [{ ...access, gateRule, below }];
}

/** Returns the accesses of files that are copied into a folder: one for each file with a floor, and one for all files together. */
function copies(target: string, sources: readonly string[], gated: readonly GatedAccess[], context: ShellContext): GatedAccess[] {
  const own = gated.find((access) => access.action === "edit") ?? gated[0];
  if (sources.length === 0 || !own) return [];
  const floored = copiedTo(target, sources, context.place.made).files.flatMap((file) => {
    const edited = absolutePathAccesses(file, "edits", context);
    return "doubt" in edited ? [] : edited.filter(({ floor, action }) => floor !== undefined || action === "external_directory");
  });
  // A file such as `.git/config` is no longer known as a file of keys under its new path.
  const secrets = sources
    .map((each) => path.resolve(each))
    .flatMap((source) => secretsBelow(source).filter((file) => !isSecretFile(path.relative(source, file))));
  const { action, resource, gateRule } = own;
  const whole: GatedAccess = { action, resource, ...(gateRule ? { gateRule } : {}), below: copiedBelow(target, sources, context) };
  return [...floored, ...secrets.flatMap((file) => readOf(file, context)), whole];
}

/** Returns the files that these words name, as absolute paths, and those that the text makes. A slash at the end stays. */
export const sourcesOf = (words: readonly Word[], cwd: string, context: ShellContext): string[] =>
  words
    .flatMap((word) => {
      if (word.kind !== "pattern") return word.kind === "literal" ? [word.text] : [];
      const pattern = resolvePath(cwd, word.text);
      const isInSameFolder = (file: string) => file.split("/").length === pattern.split("/").length;
      const made = [...context.place.made].filter((file) => isInSameFolder(file) && matchesWildcard(pattern, file));
      return [...(namesOfPattern(word, [cwd]) ?? []), ...made];
    })
    .map((name) => `${physical(cwd, name)}${/\/\.?$/.test(name) ? "/" : ""}`);

export function absolutePathAccesses(absolute: string, use: PathUse, context: ShellContext, search: FolderTraversal = {}): Accesses {
  if (use !== "mentions") return accessesOf(absolute, use, context, search);
  if (search.leavesOut) return isNothing(absolute, context) ? [] : accessesOf(absolute, use, context, search);
  const key = `${search.suspected} ${search.keeps} ${absolute} ${context.cwds.join(" ")}`;
  const known = context.place.mentioned.get(key) ?? (isNothing(absolute, context) ? [] : accessesOf(absolute, use, context, search));
  context.place.mentioned.set(key, known);
  return known;
}

/** True if a path from this folder has neither a dot nor a slash. It is fast, because a text may make many folders. */
const isPlainName = (absolute: string, cwd: string): boolean =>
  absolute === cwd || (path.dirname(absolute) === cwd && !path.basename(absolute).includes("."));

/** True if a word names no file, does not look like a path, and does not begin a protected name. */
const isNothing = (absolute: string, { cwds }: ShellContext): boolean =>
  cwds.every((cwd) => isPlainName(absolute, cwd)) && !isProtectedNamePrefix(path.basename(absolute)) && pathKind(absolute) === "nothing";

/** Gates a path once for all words of a text that name it. */
function exactAccesses(
  action: "read" | "edit",
  absolute: string,
  { gated, gatePath, ownRoots }: ShellWorkspace,
): GatedAccess[] | PathRefusal {
  const key = `${action} ${absolute}`;
  const known = gated.get(key) ?? gateAccess({ action, resource: absolute }, gatePath, ownRoots);
  gated.set(key, known);
  return known;
}

function accessesOf(absolute: string, use: PathUse, context: ShellContext, search: FolderTraversal): Accesses {
  const { place } = context;
  const action = CHANGING.has(use) ? "edit" : "read";
  const exact = exactAccesses(action, absolute, place);
  if ("refused" in exact) return { doubt: exact.refused };
  const isLinked = exact.at(-1)?.resource !== absolute && path.resolve(place.workspace, exact.at(-1)?.resource ?? "") !== absolute;
  if (isLinked && leadsThroughProcess(absolute)) return { doubt: OF_PROCESS };
  const isTree = (use === "reads" || use === "searches" || search.tree === true) && isFolder(absolute);
  const link = (use === "edits" || use === "moves") && action === "edit" ? ownPathOf(absolute, context) : [];
  const isFilled = (use === "writes" || search.fills === true) && isFolder(absolute);
  const below = isTree ? { below: filesBelow(absolute, context, { action, ...search }) } : isFilled ? { below: anythingBelow } : {};
  const isFact = action === "read" && SYSTEM_FACTS.has(absolute);
  const gated = exact.map((access): GatedAccess => {
    if (isFact) return { ...access, gateRule: defaultAllowRule(access, "facts about the system") };
    return access.action === action ? { ...access, ...below } : access;
  });
  switch (use) {
    case "names": {
      const led = search.follows ? linksBelow(absolute).flatMap((link) => readOf(link, context, {}, "names")) : [];
      return [...gated.filter((access) => access.action !== action || access.floor?.effect === "deny"), ...led];
    }
    case "identifies":
      return gated.filter((each) => each.action === action).map((each) => (each.floor?.source === OWN_FOLDERS ? each : keyOf(each)));
    case "edits":
      return [
        ...[...gated, ...link].map((access) =>
          access.action === action && place.trusted ? { ...access, gateRule: defaultAllowRule(access, OF_COMMAND) } : access,
        ),
        ...(isFilled && action === "edit" ? filledThroughLinks(absolute, context) : []),
      ];
    case "moves": {
      const read = absolutePathAccesses(absolute, "reads", context, search);
      const edited = absolutePathAccesses(absolute, "edits", context, { ...search, tree: true });
      return "doubt" in read ? read : "doubt" in edited ? edited : [...read, ...edited];
    }
    case "mentions": {
      const kind = pathKind(absolute);
      const changed = changedBy(absolute, context, search);
      const isOutside = gated.some((access) => access.action !== action);
      if (isOutside)
        return kind !== "nothing" || (path.dirname(absolute) !== "/" && isFolder(path.dirname(absolute)))
          ? [...gated.filter((access) => access.action !== action || access.floor?.source === OWN_FOLDERS), ...changed]
          : changed.filter(({ floor }) => floor?.effect === "deny");
      const below = filesBelow(absolute, context, { action: "read", ...search }); // only rules about these files apply
      const folders =
        kind === "folder" && search.suspected === true ? gated.map((each) => ({ ...each, suspected: true as const, below })) : [];
      const keys = search.namesKeys && kind === "folder" ? secretsIn(absolute, search) : [];
      return [...(kind === "file" ? gated : folders), ...changed, ...keys.flatMap((file) => readOf(file, context))];
    }
    case "searches":
      return [...gated, ...secretsIn(absolute, search).flatMap((file) => readOf(file, context, search))];
    case "writes":
      return search.fills && isFilled ? [...gated, ...filledThroughLinks(absolute, context)] : gated;
    case "reads":
      return gated;
  }
}

/** A key that a program uses and does not show. Only rules about it apply. */
const keyOf = ({ action, resource }: GatedAccess): GatedAccess => ({ action, resource, suspected: true });

/**
 * Returns the edits of a path in the arguments of an unknown program, which may change or create it. Denies of the user and
 * protected names apply. Without one of them the gate does not ask.
 */
function changedBy(absolute: string, context: ShellContext, { suspected, keeps, leavesOut }: FolderTraversal): GatedAccess[] {
  if (suspected !== true || keeps) return [];
  const { place, cwds } = context;
  const edited = exactAccesses("edit", absolute, place);
  if ("refused" in edited) return [];
  const kind = pathKind(absolute);
  const isPath = kind !== "nothing" || !cwds.some((cwd) => isPlainName(absolute, cwd));
  const below = kind === "folder" ? { below: filesBelow(absolute, context, { action: "edit", ...(leavesOut ? { leavesOut } : {}) }) } : {};
  const made = kind === "folder" && !leavesOut ? changedBy(path.join(absolute, "a.file"), context, { suspected }) : [];
  return [
    ...edited.flatMap((access) =>
      access.action === "edit" && (isPath || access.floor) && access.floor?.source !== SYSTEM_PLACES
        ? [{ ...access, ...below, suspected: true as const }]
        : [],
    ),
    ...made,
  ];
}

/** An incomplete listing, because a program that writes into a folder may write any file there. */
const anythingBelow: FilesBelow = () => ({ files: [], isWhole: false });

/** Returns the edits in folders to which symlinks below a folder lead. A program that unpacks files may write through such a link. */
const filledThroughLinks = (folder: string, context: ShellContext): GatedAccess[] =>
  linksBelow(folder)
    .filter(isFolder)
    .flatMap((link) => readOf(link, context, {}, "writes"))
    .filter(({ action, resource }) => action === "edit" && !path.isAbsolute(resource)) // such a link out of the workspace is rarely in an archive
    .map((access) => ({ ...access, suspected: true }));

/** Returns the edit of a symlink itself, which a command may remove, rename or replace. */
function ownPathOf(absolute: string, { place }: ShellContext): GatedAccess[] {
  if (!isLink(absolute)) return [];
  const folder = place.gatePath(path.dirname(absolute));
  if ("refused" in folder || !folder.inside) return [];
  return [{ action: "edit", resource: path.posix.join(folder.relative, path.basename(absolute)) }];
}

/** True if a path is a symlink, or a folder with symlinks below it. */
export const holdsLinks = (file: string): boolean => isLink(file) || (isFolder(file) && linksBelow(file).length > 0);

/** Returns the files that a search of a folder reads and that the gate judges separately. */
function secretsIn(folder: string, { follows, leavesOut }: FolderTraversal): string[] {
  const isLeftOut = leavesOut?.(folder);
  // A search that follows links goes into a folder behind a link, whatever the name of the link is.
  return secretsBelow(folder, follows).filter(
    (file) => (isLink(file) && isFolder(file)) || !isLeftOut?.(path.basename(file), path.relative(folder, file)),
  );
}

export function readOf(file: string, context: ShellContext, search: FolderTraversal = {}, use: PathUse = "reads"): GatedAccess[] {
  const read = absolutePathAccesses(file, use, context, search);
  return "doubt" in read ? [] : read;
}

/** Files with facts about the system that are public. Source: os-release(5), proc(5). */
const SYSTEM_FACTS = wordSet(`/etc/os-release /usr/lib/os-release /etc/lsb-release /etc/debian_version /proc/cpuinfo /proc/meminfo
  /proc/version /proc/loadavg /proc/uptime /proc/stat`);

/** The user allowed the command that names the file, so the gate does not ask again for the file. */
const OF_COMMAND = "path of a command that is judged itself";

export const CHANGING: ReadonlySet<PathUse> = new Set(["edits", "moves", "writes"]);

/** Reads a pattern that looks like a flag as a flag, unless it matches names. If one of them is a flag, the word is open. */
export function asFlag(word: Word, { cwds }: ShellContext, isMade = false): Word {
  if (word.kind !== "pattern" || !/^[-*?]/.test(word.text)) return word;
  const matches = isMade ? ["-"] : (word.names ?? cwds.flatMap((cwd) => matching(cwd, word.text) ?? ["-"]));
  if (matches.some((name) => name.startsWith("-"))) return { kind: "open", text: word.text, prefix: "", single: false };
  return word.text.startsWith("-") ? { kind: "literal", text: word.text } : word;
}

const MAX_NAMES = 200;

/** Returns the names that a pattern stands for. Undefined if they are too many. */
export function namesOfPattern({ text, names }: Extract<Word, { kind: "pattern" }>, cwds: readonly string[]): string[] | undefined {
  const found = (names ?? [text]).map((name) => (/[*?]/.test(name) ? expand(name, cwds) : [name])); // `"$d"/*` is still a pattern
  if (names?.length === 0 || found.includes(undefined)) return undefined;
  return [...new Set([...(names ?? []), ...found.flatMap((each) => each ?? [])])]; // a loop over `y*` without a match has the name `y*`
}

/** Returns the names for which a word may stand in a folder: those that a pattern matches, or its text. */
export const namesOfWord = (word: Word, cwd: string): readonly string[] =>
  word.kind === "pattern" ? (namesOfPattern(word, [cwd]) ?? []) : word.text === "" ? [] : [word.text];

/** Returns the names that a pattern matches now, as the shell finds them. Without a match it returns the pattern itself. */
export function expand(pattern: string, cwds: readonly string[]): string[] | undefined {
  const found = cwds.flatMap((cwd) => matching(cwd, pattern) ?? Array.from({ length: MAX_NAMES + 1 }, () => ""));
  if (found.length > MAX_NAMES) return undefined;
  return found.length === 0 ? [pattern] : found;
}

function matching(cwd: string, pattern: string): string[] | undefined {
  let places = [pattern.startsWith("/") ? "/" : ""];
  for (const part of pattern.split("/").filter((each) => each !== "")) {
    places = /[*?]/.test(part) ? places.flatMap((base) => entries(cwd, base, part)) : places.map((base) => join(base, part));
    if (places.length > MAX_NAMES) return undefined;
  }
  return pattern.endsWith("/") ? places.map((place) => `${place}/`) : places;
}

const join = (base: string, name: string): string => (base === "" || base === "/" ? `${base}${name}` : `${base}/${name}`);

function entries(cwd: string, base: string, part: string): string[] {
  const names = attempt(() => readdirSync(resolvePath(cwd, base))); // in the shell, too, a folder that cannot be listed matches nothing
  // Up to version 5.1 of bash, `.*` also matches `.` and `..`.
  return [...(names && part.startsWith(".") ? [".", ".."] : []), ...(names ?? [])]
    .filter((name) => (part.startsWith(".") || !name.startsWith(".")) && matchesWildcard(part, name))
    .map((name) => join(base, name));
}
