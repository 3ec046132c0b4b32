import type { EndEntry } from "@baton/core/session/transcript/entry";
import { formatCount, formatDuration, formatMoney } from "@baton/core/text/format";
import { Suspense, useState } from "react";
import { useConnected } from "../../store/app-context.ts";
import { routeHref } from "../../store/route.ts";
import { useSession, useSessionSnapshot } from "../../store/session/session-context.ts";
import { DiffCounts } from "../diff/diff.tsx";
import type { TurnSummary } from "./turn-summary.ts";
import { lazyComponent } from "../lazy-component.tsx";

/** Rarely used, so it is not part of the first load. */
const RewindDialog = lazyComponent(async () => (await import("./rewind-dialog.tsx")).RewindDialog);

/** The line below a turn: its time, cost and changed files, with the way to review and to undo them. */
export function TurnEnd({ entry, turn }: { entry: EndEntry; turn: TurnSummary }) {
  const { id } = useSession();
  const connected = useConnected();
  const [undoing, setUndoing] = useState(false);
  const isNewest = useSessionSnapshot(({ state, parts }) => state.turn === undefined && parts.at(-1)?.entries.at(-1)?.id === entry.id);
  const { prompt, tookMs, cost, files } = turn;
  const changed = files.reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), {
    added: 0,
    removed: 0,
  });
  return (
    <div className="turnend" role="group" aria-label="The turn">
      <span>{formatDuration(tookMs)}</span>
      {cost > 0 ? <span>{formatMoney(cost)}</span> : undefined}
      {files.length === 0 ? undefined : (
        <>
          <span>
            {formatCount(files.length, "file")} <DiffCounts view={changed} />
          </span>
          <span className="row">
            <a className="btn quiet small" href={routeHref({ page: "review", id, ...(prompt ? { turn: prompt.id } : {}) })}>
              Review
            </a>
            {prompt && isNewest ? (
              <button type="button" className="btn quiet small" disabled={!connected} onClick={() => setUndoing(true)}>
                Undo …
              </button>
            ) : undefined}
          </span>
        </>
      )}
      <Suspense>{undoing && prompt ? <RewindDialog entry={prompt} onClose={() => setUndoing(false)} /> : undefined}</Suspense>
    </div>
  );
}
