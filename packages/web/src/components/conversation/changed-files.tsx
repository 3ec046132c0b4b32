import { sessionFileChanges, type SessionFileChange } from "@baton/core/session/changed-files";
import { oneLine } from "@baton/core/text/sanitize";
import { useMemo } from "react";
import type { SessionSnapshot } from "../../store/session/session-store.ts";
import { useApp } from "../../store/app-context.ts";
import { routeHref } from "../../store/route.ts";
import { otherEditors } from "../../store/data/edited-files.ts";
import { useEditedFiles } from "../../store/data/use-edited-files.ts";
import { DiffCounts } from "../diff/diff.tsx";
import { EditedByOthers } from "./edited-by-others.tsx";

export type ChangedFile = Omit<SessionFileChange, "changes">;

/** Files that calls have changed and that no undo restored, in the loaded parts of the transcript. */
export function useChangedFiles({ parts, version }: SessionSnapshot): ChangedFile[] {
  // the newest part changes in place, and `version` tells when
  return useMemo(() => sessionFileChanges(...parts.map(({ entries }) => entries)), [parts.length, version]);
}

/** The changed files, with other sessions that changed them. Each leads to the review of the session; in an editor it opens the file. */
export function ChangedFileList({ id, changed, most = 40 }: { id: string; changed: readonly ChangedFile[]; most?: number }) {
  const isInEditor = useApp().link.connect !== undefined;
  const left = changed.length - most;
  const edited = useEditedFiles();
  return (
    <ul className="changed">
      {changed.slice(0, most).map((file) => {
        const others = otherEditors(edited, id, file.path);
        return (
          <li key={file.path}>
            <FileLink id={id} path={file.path} />
            <span className="nowrap">
              <DiffCounts view={file} />
            </span>
            {others.length === 0 ? undefined : <EditedByOthers editors={others} />}
          </li>
        );
      })}
      {left > 0 ? (
        <li className="dim">{isInEditor ? `and ${left} more` : <a href={routeHref({ page: "review", id })}>and {left} more</a>}</li>
      ) : undefined}
    </ul>
  );
}

function FileLink({ id, path }: { id: string; path: string }) {
  const isInEditor = useApp().link.connect !== undefined;
  const name = <bdi>{oneLine(path)}</bdi>;
  if (isInEditor)
    return (
      <span className="cut" title={path} data-path={path}>
        {name}
      </span>
    );
  return (
    <a className="cut" title={path} href={routeHref({ page: "review", id })}>
      {name}
    </a>
  );
}
