import path from "node:path";
import type { FilesBelow } from "@baton/core/permission/judge";
import { entriesBelow } from "./walk-folder.ts";
import { NOT_TEXT } from "./key-files.ts";
import type { ShellWorkspace } from "../shell/shell-context.ts";

/** The limit for files. Listing more of them takes too long for a verdict. */
const MAX_FILES = 20_000;
/** The limit for the entries in all lists of a text. */
const MAX_ENTRIES = 100_000;

/** What the lists of one text share. */
type Listings = Pick<ShellWorkspace, "listings" | "listed" | "gatePath" | "workspace">;

export type BelowOptions = {
  action: "read" | "edit";
  /** Returns a filter for a folder. The filter is true for files that are left out, by name and by path below the folder. */
  leavesOut?: (folder: string) => (name: string, below: string) => boolean;
};

/** Returns the files below a folder, under the names that rules use. Links are listed as files and not followed. */
export function filesBelow(folder: string, { place }: { place: Listings }, { action, leavesOut = leavesNone }: BelowOptions): FilesBelow {
  const known = place.listings.get(leavesOut) ?? new Map<string, FilesBelow>();
  place.listings.set(leavesOut, known);
  const name = `${action} ${folder}`;
  const listing = known.get(name) ?? listed(folder, place, { action, leavesOut });
  known.set(name, listing);
  return listing;
}

const leavesNone = () => () => false;

/** Returns the files below a folder. The root has too many of them, so only those of the workspace are listed. */
function listed(folder: string, place: Listings, { action, leavesOut }: Required<BelowOptions>): FilesBelow {
  const isRoot = folder === "/";
  const top = isRoot ? place.workspace : folder;
  return (enters) => {
    const isLeftOut = leavesOut(folder);
    const files: { action: string; resource: string }[] = [];
    const names = new Map<string, string>();
    const entersFolder = (below: string): boolean => {
      const gated = place.gatePath(path.join(top, below));
      if ("refused" in gated || !enters(gated.relative)) return false;
      names.set(below, gated.relative === "." ? "" : `${gated.relative}/`);
      return true;
    };
    if (!entersFolder(".")) return { files, isWhole: !isRoot };
    let count = 0;
    for (const { entry, below, file } of entriesBelow(top, { enters: (each) => each.entry.isDirectory() && entersFolder(each.below) })) {
      const resource = `${names.get(path.dirname(below)) ?? ""}${entry.name}`;
      if (!entry.isDirectory() && !isLeftOut(entry.name, isRoot ? file.slice(1) : below)) files.push({ action, resource });
      place.listed.entries++;
      if (++count > MAX_FILES || place.listed.entries > MAX_ENTRIES || entry.name.includes(NOT_TEXT)) return { files, isWhole: false };
    }
    return { files, isWhole: !isRoot };
  };
}
