import path from "node:path";
import type { PlaceState } from "@baton/core/place/place-state";
import { placeOf, sourceFolder } from "@baton/core/place/source-folder";

/** The place that a folder belongs to. The folder of a place that could not be created is not Baton's. */
export const createdPlaceOf = (places: readonly PlaceState[], folder: string): PlaceState | undefined => placeOf(created(places), folder);

/** The folder of the source checkout that corresponds to a folder of a place. Any other folder is its own source. */
export const sourceOfCreatedPlace = (places: readonly PlaceState[], folder: string): string => sourceFolder(created(places), folder);

const created = (places: readonly PlaceState[]): PlaceState[] => places.filter(({ status }) => status !== "failed");

/** Finds a place by its name. Without a folder, the name must be unique. */
export function placeNamed(places: readonly PlaceState[], name: string, folder: string | undefined): PlaceState | undefined {
  const named = places.filter((place) => place.name === name);
  const usable = created(named);
  const matching = usable.length > 0 ? usable : named; // the name of a failed place is free
  if (folder === undefined) return matching.length === 1 ? matching[0] : undefined;
  return matching.find(({ root, checkout }) => containsFolder(checkout, folder) || containsFolder(root, folder));
}

/** Whether a folder is another one or below it. */
export const containsFolder = (root: string, folder: string): boolean => folder === root || folder.startsWith(root + path.sep);
