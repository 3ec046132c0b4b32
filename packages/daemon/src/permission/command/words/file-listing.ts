import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { isBelow } from "../files/path-on-disk.ts";
import type { FileListing } from "../programs/program-types.ts";

/** Returns a listing of everything in these places, which may be patterns. Without places it lists the working directory. */
export function listingIn(places: readonly string[], isOrdinary: boolean, fits: (name: string) => boolean = () => true): FileListing {
  const named = places.length === 0 ? ["."] : places;
  const roots = named.map((place) => place.replace(/[^/]*[*?[].*$/s, "") || (place.startsWith("/") ? "/" : "."));
  const isIn = (file: string, whole: string) => isBelow(file, whole) || matchesWildcard(whole, file);
  return {
    isOrdinary,
    roots,
    admits: (file, cwd) => fits(path.basename(file)) && named.some((place) => isIn(file, path.resolve(cwd, place))),
  };
}

/** Combines several listings into one. */
export function mergeListings(listings: readonly FileListing[]): FileListing {
  const [only, ...more] = listings;
  if (only && more.length === 0) return only;
  return {
    isOrdinary: listings.every(({ isOrdinary }) => isOrdinary),
    seesHidden: listings.some(({ seesHidden }) => seesHidden),
    isGlobbed: listings.some(({ isGlobbed }) => isGlobbed),
    noFolders: listings.flatMap(({ noFolders = [] }) => noFolders),
    roots: [...new Set(listings.flatMap(({ roots }) => roots))],
    admits: (file, cwd) => listings.some(({ admits }) => admits(file, cwd)),
  };
}
