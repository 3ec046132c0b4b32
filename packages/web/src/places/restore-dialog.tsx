import { errorMessage } from "@baton/core/client/errors";
import { sanitize } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../store/app-context.ts";
import type { Place } from "../store/places.ts";
import { Dialog } from "../components/dialog.tsx";
import { Ring } from "../components/icon.tsx";
import { InlineCode } from "../components/text/inline-code.tsx";

/** Offers to restore the removed place of a session that the user works in again. */
export function RestoreDialog({ place: { id, name }, onClose }: { place: Place; onClose: () => void }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await link.api.place.restore.mutate({ place: id });
      tell(`The place ${name} is back as it was.`);
      onClose();
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Restore the place ${name}?`} onClose={onClose}>
      <p>The place of this session is removed, so the session cannot work. Baton can restore it from its snapshot.</p>
      <div role="status">
        {busy ? (
          <span className="row">
            <Ring /> Restoring the place …
          </span>
        ) : undefined}
      </div>
      {problem === undefined ? undefined : (
        <p role="alert" className="fail-ink">
          <InlineCode text={sanitize(problem)} />
        </p>
      )}
      <p className="row">
        <button type="button" className="btn solid" disabled={!connected || busy} onClick={() => void restore()}>
          Restore the place
        </button>
        <button type="button" className="btn quiet" onClick={onClose}>
          Not now
        </button>
      </p>
    </Dialog>
  );
}
