import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { isBelow } from "../files/path-on-disk.ts";
import type { FileListing } from "../programs/program-types.ts";
import { resolvePath } from "../files/physical-path.ts";

/** Returns a listing of everything in these places, which may be patterns. Without places it lists the working directory. */
export function listingIn(places: readonly string[], isOrdinary: boolean, fits: (name: string) => boolean = () => true): FileListing {
  const named = (places.length === 0 ? ["."] : places).map((place) => place.replaceAll(/\[[^/]*/g, "*")); // brackets may match any name
  const roots = named.map((place) => place.replace(/[^/]*[*?].*$/s, "") || (place.startsWith("/") ? "/" : "."));
  const isIn = (file: string, whole: string) => isBelow(file, whole) || matchesWildcard(whole, file);
  const admits = (file: string, cwd: string) => fits(path.basename(file)) && named.some((place) => isIn(file, resolvePath(cwd, place)));
  return { isOrdinary, roots, globs: named.filter((place) => /[*?]/.test(place)), admits };
}
