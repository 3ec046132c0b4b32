import type { Place } from "../store/places.ts";
import { ApplyDialog } from "./apply-dialog.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import "./places.css";

/** `offerRemove` and `offerRestore` follow an archived session and one that is no longer archived. */
export type PlaceDialogKind = "apply" | "remove" | "offerRemove" | "offerRestore";

/** The dialogs of a place. */
export function PlaceDialog({ kind, place, onClose }: { kind: PlaceDialogKind; place: Place; onClose: () => void }) {
  switch (kind) {
    case "apply":
      return <ApplyDialog place={place} onClose={onClose} />;
    case "remove":
      return <RemoveDialog place={place} title={`Remove the place ${place.name}?`} onClose={onClose} />;
    case "offerRemove":
      return <RemoveDialog place={place} title={`Remove the place ${place.name} as well?`} onClose={onClose} />;
    case "offerRestore":
      return <RestoreDialog place={place} onClose={onClose} />;
  }
}
