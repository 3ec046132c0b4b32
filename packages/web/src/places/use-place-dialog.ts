import { useEffect, useRef, useState } from "react";
import type { SessionState } from "@baton/core/session/state";
import { useApp } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import type { PlaceDialogKind } from "./place-dialog-kind.ts";
import { placeOffer } from "./place-offer.ts";

/** The open dialog of a session's place. It opens by itself when the session is archived or taken out of the archive. */
export function usePlaceDialog(
  id: string,
  { archived }: Pick<SessionState, "archived">,
  place: Place | undefined,
): { dialog: PlaceDialogKind | undefined; setDialog: (dialog: PlaceDialogKind | undefined) => void } {
  const { lists, link, tell } = useApp();
  const [dialog, setDialog] = useState<PlaceDialogKind>();
  const before = useRef(archived);
  useEffect(() => {
    if (before.current === archived) return;
    before.current = archived;
    if (!place) return setDialog(undefined);
    const show = (offer: PlaceDialogKind | undefined) => {
      if (offer && before.current === archived) setDialog(offer);
    };
    placeOffer({ lists, link }, place, { id, archived }).then(show, tell);
  }, [id, archived, place, lists, link, tell]);
  return { dialog, setDialog };
}
