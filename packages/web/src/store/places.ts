import type { Api } from "../connection/connection.ts";

/** A place as the daemon describes it, with the folder in which its sessions work. */
export type Place = Awaited<ReturnType<Api["place"]["list"]["query"]>>[number];

/** The place that a folder belongs to. */
export const placeOf = (places: readonly Place[], folder: string): Place | undefined =>
  places.find(({ root }) => folder === root || folder.startsWith(`${root}/`));

/** The folder with whose sessions a session is listed: the corresponding folder of the source checkout for a place, otherwise its own. */
export function sourceFolder(places: readonly Place[], folder: string): string {
  const place = placeOf(places, folder);
  return place ? sourceFolder(places, place.checkout + folder.slice(place.root.length)) : folder; // a place can have places
}

/** The folders of sessions, most recently used first. A place counts as its source folder. */
export function recentFolders(rows: readonly { workspace: string; updatedAt: number }[], places: readonly Place[]): string[] {
  return [...new Set(rows.toSorted((a, b) => b.updatedAt - a.updatedAt).map(({ workspace }) => sourceFolder(places, workspace)))];
}
