import type { Place } from "../store/data/place-folders.ts";
import { ApplyDialog } from "./apply-dialog.tsx";
import type { PlaceDialogKind } from "./place-dialog-kind.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RestorePlaceDialog } from "./restore-place-dialog.tsx";
import { SetupDialog } from "./setup-dialog.tsx";
import "./places.css";

/** The dialogs of a place. */
export function PlaceDialog({ kind, place, onClose }: { kind: PlaceDialogKind; place: Place; onClose: () => void }) {
  switch (kind) {
    case "apply":
      return <ApplyDialog place={place} onClose={onClose} />;
    case "setup":
      return <SetupDialog place={place} onClose={onClose} />;
    case "remove":
      return <RemoveDialog place={place} title={`Remove the place ${place.name}?`} onClose={onClose} />;
    case "offerRemove":
      return <RemoveDialog place={place} title={`Remove the place ${place.name} as well?`} onClose={onClose} />;
    case "offerRestore":
      return <RestorePlaceDialog place={place} onClose={onClose} />;
  }
}
