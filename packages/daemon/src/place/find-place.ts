import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";

/** The place that a folder belongs to. The folder of a place that could not be created is not Baton's. */
export const placeOf = (places: readonly PlaceState[], folder: string): PlaceState | undefined =>
  places.find(({ root, status }) => status !== "failed" && isBelow(root, folder));

/** The folder of the source checkout that corresponds to a folder of a place. Any other folder is its own source. */
export function sourceFolder(places: readonly PlaceState[], folder: string): string {
  let at = folder;
  for (let place = placeOf(places, at); place; place = placeOf(places, at)) at = path.join(place.checkout, path.relative(place.root, at)); // a place of a place
  return at;
}

/** Finds a place by its name. Without a folder, the name must be unique. */
export function placeNamed(places: readonly PlaceState[], name: string, folder: string | undefined): PlaceState | undefined {
  const named = places.filter((place) => place.name === name);
  const created = named.filter(({ status }) => status !== "failed");
  const matching = created.length > 0 ? created : named; // the name of a failed place is free
  if (folder === undefined) return matching.length === 1 ? matching[0] : undefined;
  return matching.find(({ root, checkout }) => isBelow(checkout, folder) || isBelow(root, folder));
}

/** Whether a folder is another one or below it. */
export const isBelow = (root: string, folder: string): boolean => folder === root || folder.startsWith(root + path.sep);
