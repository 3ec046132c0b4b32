/** The place that a folder belongs to. */
export const placeOf = <P extends { root: string }>(places: readonly P[], folder: string): P | undefined =>
  places.find(({ root }) => folder === root || (folder.startsWith(root) && /[\\/]/.test(folder.charAt(root.length))));

/** The folder with whose sessions a session is listed: the corresponding folder of the source checkout for a place, otherwise its own. */
export function sourceFolder(places: readonly { root: string; checkout: string }[], folder: string): string {
  const place = placeOf(places, folder);
  return place ? sourceFolder(places, place.checkout + folder.slice(place.root.length)) : folder; // a place can have places
}
