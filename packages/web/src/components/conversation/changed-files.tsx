import { changedFiles, type Change } from "@baton/core/session/changed-files";
import { oneLine } from "@baton/core/text/sanitize";
import { useMemo } from "react";
import type { SessionSnapshot } from "../../store/session-store.ts";
import { routeHref } from "../../store/route.ts";
import { DiffCounts } from "./diff.tsx";

export type ChangedFile = Omit<Change, "changes">;

/** Files that calls have changed and that no undo restored, in the loaded parts of the transcript. */
export function useChangedFiles({ parts, version }: SessionSnapshot): ChangedFile[] {
  return useMemo(() => {
    const known = new Map<string, Change>();
    for (const { entries } of parts) changedFiles(entries, known);
    return [...known.values()];
    // the newest part changes in place, and `version` tells when
  }, [parts.length, version]);
}

/** The changed files. Each leads to the review of the session. */
export const ChangedFileList = ({ id, changed }: { id: string; changed: readonly ChangedFile[] }) => (
  <ul className="changed">
    {changed.slice(0, 40).map((file) => (
      <li key={file.path}>
        <a className="cut" title={file.path} href={routeHref({ page: "review", id })}>
          <bdi>{oneLine(file.path)}</bdi>
        </a>
        <span className="nowrap">
          <DiffCounts view={file} />
        </span>
      </li>
    ))}
    {changed.length > 40 ? <li className="dim">and {changed.length - 40} more</li> : undefined}
  </ul>
);
