import { useEffect, useRef, useState } from "react";
import type { SessionRow } from "@baton/core/session/session-list";
import type { SessionState } from "@baton/core/session/state";
import { useApp } from "../store/app-context.ts";
import { placeOf, type Place } from "../store/data/place-folders.ts";
import type { PlaceDialogKind } from "./place-dialog-kind.ts";

/**
 * The open dialog of a session's place. When the session is archived, it offers to remove the place unless another session works there.
 * When the session is no longer archived, it offers to restore a removed place.
 */
export function usePlaceDialog(
  id: string,
  { archived }: Pick<SessionState, "archived">,
  place: Place | undefined,
): { dialog: PlaceDialogKind | undefined; setDialog: (dialog: PlaceDialogKind | undefined) => void } {
  const { lists, link } = useApp();
  const [dialog, setDialog] = useState<PlaceDialogKind>();
  const before = useRef(archived);
  useEffect(() => {
    if (before.current === archived) return;
    before.current = archived;
    if (!place) return setDialog(undefined);
    if (archived) {
      if (place.status === "ready" && !isPlaceShared(lists.sessions.get() ?? [], place, id)) setDialog("offerRemove");
      return;
    }
    // The list on the page may not show a removal that has just ended.
    const offer = (places: readonly Place[]) => {
      const now = places.find((each) => each.id === place.id);
      if (now?.status === "removed" && !before.current) setDialog("offerRestore");
    };
    link.api.place.list.query({}).then(offer, () => offer([place]));
  }, [id, archived, place, lists, link]);
  return { dialog, setDialog };
}

/** Whether another session works in a place, apart from subtasks. */
export const isPlaceShared = (rows: readonly SessionRow[], place: Place, id: string): boolean =>
  rows.some((row) => row.id !== id && row.parentId === null && !row.archived && placeOf([place], row.workspace) !== undefined);
