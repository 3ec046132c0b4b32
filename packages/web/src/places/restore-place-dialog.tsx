import { useApp } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import { PlaceDialogFrame, useDialogWork } from "./place-dialog-frame.tsx";

/** Offers to restore the removed place of a session that the user works in again. */
export function RestorePlaceDialog({ place: { id, name }, onClose }: { place: Place; onClose: () => void }) {
  const { link, tell } = useApp();
  const { busy, problem, during } = useDialogWork();
  const restore = () =>
    during(async () => {
      await link.api.place.restore.mutate({ place: id });
      tell(`The place ${name} is back as it was.`);
      onClose();
    });
  return (
    <PlaceDialogFrame
      title={`Restore the place ${name}?`}
      progress={busy ? "Restoring the place …" : undefined}
      problem={problem}
      action={{ label: "Restore the place", disabled: busy, run: () => void restore() }}
      closeLabel="Not now"
      onClose={onClose}
    >
      <p>The place of this session is removed, so the session cannot work. Baton can restore it from its snapshot.</p>
    </PlaceDialogFrame>
  );
}
