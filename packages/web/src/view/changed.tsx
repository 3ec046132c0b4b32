import { oneLine } from "@baton/core/text/clean";
import type { Entry } from "@baton/core/session/transcript";
import { useMemo } from "react";
import type { Sight } from "../store/session-store.ts";
import { DiffCounts } from "./diff.tsx";

export type Changed = { path: string; added: number; removed: number };

/** Files that calls have changed and nobody has taken back, in the part of the transcript that is loaded. */
function changedFiles(entries: readonly Entry[], known: Map<string, Changed> = new Map()): Changed[] {
  for (const entry of entries) {
    if (entry.kind === "prompt") for (const path of entry.restored ?? []) known.delete(path);
    const view = entry.kind === "call" && entry.phase === "ok" ? entry.result?.view : undefined;
    if (view?.type !== "diff") continue;
    const { added, removed } = known.get(view.path) ?? { added: 0, removed: 0 };
    known.set(view.path, { path: view.path, added: added + view.added, removed: removed + view.removed });
  }
  return [...known.values()];
}

export function useChanged({ parts, version }: Sight): Changed[] {
  return useMemo(() => {
    const known = new Map<string, Changed>();
    for (const { entries } of parts) changedFiles(entries, known);
    return [...known.values()];
    // the newest part changes in place: `version` says so
  }, [parts.length, version]);
}

export const ChangedList = ({ changed }: { changed: readonly Changed[] }) => (
  <ul className="changed">
    {changed.slice(0, 40).map((file) => (
      <li key={file.path}>
        <span className="cut" title={file.path} data-path={file.path}>
          {oneLine(file.path)}
        </span>
        <span className="nowrap">
          <DiffCounts view={file} />
        </span>
      </li>
    ))}
    {changed.length > 40 ? <li className="dim">and {changed.length - 40} more</li> : undefined}
  </ul>
);
