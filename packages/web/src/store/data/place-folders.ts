import { placeOf, sourceFolder } from "@baton/core/place/source-folder";
import type { Api } from "../../connection/connection-types.ts";

/** A place as the daemon describes it, with the folder in which its sessions work. */
export type Place = Awaited<ReturnType<Api["place"]["list"]["query"]>>[number];

export { placeOf, sourceFolder };

/** The folders of sessions, most recently used first. A place counts as its source folder. */
export function recentFolders(rows: readonly { workspace: string; updatedAt: number }[], places: readonly Place[]): string[] {
  return [...new Set(rows.toSorted((a, b) => b.updatedAt - a.updatedAt).map(({ workspace }) => sourceFolder(places, workspace)))];
}
