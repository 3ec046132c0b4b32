import type { SessionRow } from "@baton/core/session/session-list";
import type { AppServices } from "../store/app-context.ts";
import { placeOf, type Place } from "../store/data/place-folders.ts";
import type { PlaceDialogKind } from "./place-dialog-kind.ts";

/**
 * The offer that follows when a session was archived or taken out of the archive: to remove its place, unless another session works there,
 * or to restore a removed place.
 */
export async function placeOffer(
  { lists, link }: Pick<AppServices, "lists" | "link">,
  place: Place,
  { id, archived }: { id: string; archived: boolean },
): Promise<PlaceDialogKind | undefined> {
  if (archived) return place.status === "ready" && !isPlaceShared(lists.sessions.get() ?? [], place, id) ? "offerRemove" : undefined;
  // The list on the page may not show a removal that has just ended.
  const places = await link.api.place.list.query({}).catch(() => [place]);
  return places.find((each) => each.id === place.id)?.status === "removed" ? "offerRestore" : undefined;
}

/** Whether another session works in a place, apart from subtasks. */
const isPlaceShared = (rows: readonly SessionRow[], place: Place, id: string): boolean =>
  rows.some((row) => row.id !== id && row.parentId === null && !row.archived && placeOf([place], row.workspace) !== undefined);
