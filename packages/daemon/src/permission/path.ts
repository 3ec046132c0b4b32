import { existsSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { Access } from "@baton/core/protocol/rule";
import { lstatOf, realPathOf, statOf } from "./disk-view.ts";
import type { LocatedPath } from "./located-path.ts";
import { floorOf, isWithin } from "./protected-paths.ts";
import { windowsFault } from "./windows-name.ts";

export type PathRefusal = { refused: string };
type RealPath = string | { fault: string };
type KnownPaths = Map<string, RealPath>;
export type PathGate = (named: string) => LocatedPath | PathRefusal;

const MOST_BYTES = 4096;
const MOST_LINKS = 40;

/**
 * Returns a function that resolves a path from a model to its real location. A missing path is placed below its nearest existing
 * ancestor, or below the target of a dangling symlink. The function looks at the disk, but opens and changes nothing. With `known`, it
 * resolves each path only once.
 */
export function pathGate(workspaceReal: string, platform: NodeJS.Platform = process.platform, known?: KnownPaths): PathGate {
  const isGone = !existsSync(workspaceReal);
  return (named) => {
    const fault = faultOf(named) ?? (platform === "win32" ? windowsFault(named) : undefined);
    if (fault !== undefined) return { refused: fault };
    if (isGone) return { refused: `The workspace ${workspaceReal} no longer exists. Ask the user what happened to it.` };
    const absolute = path.resolve(workspaceReal, withHome(named));
    const real = realOf(absolute, 0, known);
    if (typeof real !== "string") return { refused: `${quoted(named)} ${real.fault}` };
    const written = (real === absolute ? [] : pathsThroughLinks(absolute)).map((each) => placed(workspaceReal, each));
    const names = written.flatMap(({ inside, relative }) => (inside ? [relative] : []));
    return { ...placed(workspaceReal, real), ...(names.length > 0 ? { written: names } : {}) };
  };
}

/**
 * Makes the access of a file tool exact. Inside the workspace it uses the relative path. Outside it uses the real path and adds
 * the parent folder, which has to be allowed too. A floor holds what no rule may loosen.
 */
export function gateAccess({ action, resource }: Access, gatePath: PathGate, ownRoots: readonly string[]): GatedAccess[] | PathRefusal {
  const gated = gatePath(resource);
  if ("refused" in gated) return gated;
  const floor = floorOf(action, gated, ownRoots, resource);
  const also = gated.written === undefined ? {} : { also: gated.written };
  const exact: GatedAccess = { action, resource: gated.relative, ...also, ...(floor ? { floor } : {}) };
  return gated.inside ? [exact] : [{ action: "external_directory", resource: folderOf(gated.real) }, exact];
}

/** Returns a path that is not a real one, and each path that comes of it when its first link is followed, without the last one. */
function pathsThroughLinks(absolute: string): string[] {
  const paths: string[] = [];
  for (let at = absolute; paths.length < MOST_LINKS;) {
    const parts = at.split(path.sep);
    const ends = parts.flatMap((_, i) => (i > 0 ? [parts.slice(0, i + 1).join(path.sep)] : []));
    const link = ends.find((each) => linkTarget(each) !== undefined);
    if (link === undefined) break;
    paths.push(at);
    at = path.join(path.resolve(path.dirname(link), linkTarget(link) ?? ""), at.slice(link.length));
  }
  return paths.length > 0 ? paths : [absolute]; // only the letter case differs
}

function placed(workspace: string, real: string): LocatedPath {
  if (!isWithin(workspace, real)) return { real, relative: real, inside: false };
  return { real, relative: path.relative(workspace, real).replaceAll(path.sep, "/") || ".", inside: true };
}

function faultOf(named: string): string | undefined {
  if (named.trim() === "") return "The path is empty. Name a file or a folder; `.` is the workspace.";
  if (named.includes("\0")) return "The path holds a NUL character. Leave it out.";
  if (Buffer.byteLength(named) > MOST_BYTES) return `The path is longer than ${MOST_BYTES} bytes. Name a shorter one.`;
  return undefined;
}

/** Expands `~` to the home folder, as a shell does. Otherwise it would count as a folder of the workspace. */
function withHome(named: string): string {
  return named === "~" || named.startsWith("~/") ? path.join(homedir(), named.slice(1)) : named;
}

function realOf(absolute: string, links: number, known?: KnownPaths): RealPath {
  const found = known?.get(absolute) ?? findReal(absolute, links, known);
  known?.set(absolute, found);
  return found;
}

function findReal(absolute: string, links: number, known?: KnownPaths): RealPath {
  try {
    if (!lstatOf(absolute)) return realOfMissing(absolute, links, known); // faster than an exception
    return realPathOf(absolute);
  } catch (error) {
    const fault = faultOfError(error);
    return fault === "missing" ? realOfMissing(absolute, links, known) : { fault };
  }
}

function realOfMissing(absolute: string, links: number, known?: KnownPaths): RealPath {
  const parent = path.dirname(absolute);
  if (parent === absolute) return absolute;
  const realParent = realOf(parent, links, known);
  if (typeof realParent !== "string") return realParent;
  const place = path.join(realParent, path.basename(absolute));
  const target = linkTarget(place);
  if (target === undefined) return place;
  if (links >= MOST_LINKS) return { fault: LOOP };
  return realOf(path.resolve(realParent, target), links + 1, known);
}

function linkTarget(place: string): string | undefined {
  try {
    return lstatOf(place)?.isSymbolicLink() ? readlinkSync(place) : undefined;
  } catch (error) {
    if (faultOfError(error) === "missing") return undefined;
    throw error;
  }
}

const LOOP = "leads through links in a circle.";

function faultOfError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ESRCH") return "missing"; // ESRCH: a process in /proc has just ended
  if (code === "ELOOP") return LOOP;
  if (code === "EACCES" || code === "EPERM") return "cannot be looked at: permission denied.";
  if (code === "ENAMETOOLONG") return "has a part that is too long for a file name.";
  throw error;
}

const folderOf = (real: string): string => (statOf(real)?.isDirectory() ? real : path.dirname(real));

const quoted = (named: string): string => (named.length > 200 ? `${named.slice(0, 200)}…` : named);
