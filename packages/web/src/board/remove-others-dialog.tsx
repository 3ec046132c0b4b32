import { errorMessage } from "@baton/core/client/rpc-errors";
import { formatCount } from "@baton/core/text/format";
import { oneLine, sanitize } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../store/app-context.ts";
import { Dialog } from "../components/dialog.tsx";
import { TextWithCode } from "../components/text/text-with-code.tsx";
import type { PromptVersion } from "./prompt-versions.ts";

/** Archives the sessions of the versions that the user did not choose, and removes their places after a snapshot. */
export function RemoveOthersDialog({ versions, onClose }: { versions: readonly PromptVersion[]; onClose: () => void }) {
  const { link, commands, tell } = useApp();
  const connected = useConnected();
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const chosen = versions.filter(({ place }) => !kept.has(place.id));
  const toggle = (id: string) => setKept(kept.has(id) ? new Set([...kept].filter((each) => each !== id)) : new Set([...kept, id]));
  const remove = async () => {
    setBusy(true);
    const failed: string[] = [];
    for (const { place, row } of chosen) {
      try {
        await link.api.place.remove.mutate({ place: place.id });
        if (row && !row.archived) await commands.send(row.id, { type: "archive", archived: true });
      } catch (error) {
        failed.push(errorMessage(error));
      }
    }
    setBusy(false);
    setProblems(failed);
    if (failed.length > 0) return;
    tell(`${formatCount(chosen.length, "version")} removed. Each has a snapshot, so you can restore it.`);
    onClose();
  };
  return (
    <Dialog title="Remove the other versions?" onClose={onClose}>
      <p>Baton archives their sessions, saves everything in snapshots and removes the folders. The branches stay.</p>
      <ul className="plain-list">
        {versions.map(({ place }) => (
          <li key={place.id}>
            <label className="row">
              <input type="checkbox" checked={!kept.has(place.id)} onChange={() => toggle(place.id)} />
              {oneLine(place.name)}
            </label>
          </li>
        ))}
      </ul>
      {problems.map((problem) => (
        <p key={problem} role="alert" className="fail-ink">
          <TextWithCode text={sanitize(problem)} />
        </p>
      ))}
      <p className="row">
        <button type="button" className="btn solid" disabled={!connected || busy || chosen.length === 0} onClick={() => void remove()}>
          Remove {formatCount(chosen.length, "version")}
        </button>
        <button type="button" className="btn quiet" onClick={onClose}>
          Keep them
        </button>
      </p>
    </Dialog>
  );
}
