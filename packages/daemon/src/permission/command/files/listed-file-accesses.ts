import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import { filesBelow } from "./files-below.ts";
import type { FileListing } from "../programs/program-types.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { isBelow, isFolder, isLink, realPath } from "./path-on-disk.ts";
import { trackedFiles, trackedSecrets } from "../git/git-index.ts";
import { linksBelow, mayHideKeys, secretsBelow } from "./find-secrets.ts";
import { holdsKeys, isSecretFile, NOT_TEXT } from "./key-files.ts";
import { absolutePathAccesses, defaultAllowRule, expand, readOf } from "./path-accesses.ts";
import { resolvePath } from "./physical-path.ts";

/** True if every file in a list of names may be read. None is a key file, or a symlink that leads out or to a key file. `isSearch`: for a text. */
export const mayReadAll = (listing: FileListing, context: ShellContext, isSearch = false): boolean =>
  rootsOf(listing, context).every(([root, cwd]) => {
    const tracked = trackedSecrets(root);
    if (tracked === undefined) return false;
    const isAmong = (file: string) => file.includes(NOT_TEXT) || isReached(file, listing, root, cwd);
    const isHidden = (file: string) => HIDDEN.test(path.relative(root, file));
    const isExempt = (file: string) => listing.isOrdinary && !listing.seesHidden && isHidden(file);
    const secrets = [...secretsBelow(root, false, isSearch).filter((file) => !isExempt(file)), ...[root].filter((file) => holdsKeys(file))];
    if (!isSearch && mayHideKeys(root, (file) => isAmong(file) && !isExempt(file))) return false;
    const isThrough = isLink(root) || (realPath(root) ?? root) !== root;
    const links = [...(isThrough ? [root] : []), ...linksAmong(listing, root, cwd)];
    return ![...tracked, ...secrets].some(isAmong) && !links.some((link) => leadsAway(link, context));
  });

/** A hidden file. A list of ordinary names contains one only if git tracks it. */
const HIDDEN = /(^|\/)\./;
/** A file in a hidden folder or in one of packages, such as a Python environment. Programs make many links there. */
const IN_TOOLS = /(^|\/)(\.[^/]*|node_modules)\//;
const OF_LIST = "files that another command lists";

/** Returns the links in a list of names. In the folders of tools, only those that came with the repository matter. */
function linksAmong({ admits, skipsLinks = false }: FileListing, root: string, cwd: string): string[] {
  if (skipsLinks) return [];
  const isOfTool = (file: string) => IN_TOOLS.test(file.slice(root.length + 1));
  const brought = (trackedFiles(root) ?? []).filter((file) => file.startsWith(`${root}/`) && isOfTool(file) && isLink(file));
  return [...linksBelow(root).filter((link) => !isOfTool(link)), ...brought].filter((link) => admits(link, cwd));
}

const leadsAway = (link: string, context: ShellContext): boolean =>
  readOf(link, context).some(({ action, resource }) => action !== "read" || isSecretFile(resource));

/** Returns the accesses of files whose names come in as arguments. Rules about these files apply, and those about the targets of links. */
export const listedBelow = (listing: FileListing, context: ShellContext): GatedAccess[] =>
  rootsOf(listing, context).flatMap((place) => {
    const [root, cwd] = place;
    const links = linksAmong(listing, root, cwd);
    return [
      ...below("read", place, listing, context).map((access) => ({ ...access, gateRule: defaultAllowRule(access, OF_LIST) })),
      ...links.flatMap((link) => readOf(link, context).filter(({ action }) => action === "read" || !isFolder(link))),
    ];
  });

/** A place of a listing, with the folder to which its names are relative. */
type Place = readonly [root: string, cwd: string];
const rootsOf = ({ roots, globs = [] }: FileListing, { cwds }: ShellContext): Place[] =>
  cwds.flatMap((cwd) => {
    const linked = globs.flatMap((glob) => expand(glob.replace(/\/+\.?$/, ""), [cwd]) ?? []).filter((name) => isThroughLink(cwd, name));
    return [...roots, ...linked].map((root) => [resolvePath(cwd, root), cwd] as const);
  });

const isThroughLink = (cwd: string, name: string): boolean => {
  const real = realPath(resolvePath(cwd, name));
  return real !== undefined && real !== path.resolve(realPath(cwd) ?? cwd, name);
};

/** True if a file is in a list of names, or in a folder of the list, because a program may take all files of a folder. */
const isReached = (file: string, listing: FileListing, root: string, cwd: string): boolean =>
  listing.admits(file, cwd) || (file.length > root.length + 1 && isReached(path.dirname(file), listing, root, cwd));

function below(action: "read" | "edit", [root, cwd]: Place, listing: FileListing, context: ShellContext): GatedAccess[] {
  const { workspace, gatePath } = context.place;
  // A search that begins at a symlink prints the names as they follow from it.
  const files = action === "edit" || listing.isTracked !== true ? undefined : trackedFiles(root);
  const tracked = files && new Set(files);
  const leavesOut = (folder: string) => (_: string, file: string) =>
    tracked?.has(path.join(folder, file)) === false ||
    (!isReached(path.join(folder, file), listing, folder, cwd) && !isReached(path.join(root, file), listing, root, cwd));
  return (isBelow(workspace, root) ? [...new Set([workspace, root])] : [root]).flatMap((top) => {
    const gated = gatePath(top);
    if ("refused" in gated || (action === "edit" && !gated.inside)) return [];
    return [{ action, resource: gated.relative, below: filesBelow(gated.real, context, { action, leavesOut }) }];
  });
}

/** Returns the edits of files whose names come in, and undefined if they are too many. `isCovered`: a grant for the program covers them. */
export function editedBelow(listing: FileListing, context: ShellContext, isCovered: boolean): GatedAccess[] | undefined {
  const accesses: GatedAccess[] = [];
  for (const place of rootsOf(listing, context)) {
    const [whole] = below("edit", place, listing, context);
    const listed = whole?.below?.(
      () => true,
      () => true,
    );
    if (!whole || !listed?.isWhole || listed.files.length > MAX_EDITED) return undefined;
    const own = absolutePathAccesses(place[0], "edits", context); // the place itself, which may be a symlink
    if ("doubt" in own) return undefined;
    accesses.push({ ...whole, ...(isCovered ? { gateRule: defaultAllowRule(whole, OF_LIST) } : {}) }, ...own);
    for (const { resource } of listed.files) {
      const edited = absolutePathAccesses(path.resolve(context.place.workspace, resource), "edits", context);
      if ("doubt" in edited) return undefined;
      accesses.push(...edited.filter((each) => each.floor !== undefined || each.action !== "edit" || each.resource !== resource));
    }
  }
  return accesses;
}

const MAX_EDITED = 2_000;
