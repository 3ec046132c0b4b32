import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { useState } from "react";
import { useApp } from "../store/app-context.ts";
import { useQuery } from "../store/data/use-query.ts";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";
import { moveWithArrows } from "./sidebar/arrow-keys.ts";

type Props = { start: string | undefined; onChoose: (folder: string) => void; onClose: () => void };

/** Lets the user walk through the folders of the daemon's machine and choose one. */
export function FolderDialog({ start, onChoose, onClose }: Props) {
  const { link } = useApp();
  const [path, setPath] = useState(start);
  const [problem, setProblem] = useState<string>();
  const load = (signal: AbortSignal) => link.api.workspace.folders.query(path === undefined ? {} : { path }, { signal });
  const { data } = useQuery(load, [link, path], {
    onError: (error) => (path === undefined ? setProblem(errorMessage(error)) : setPath(undefined)),
  });
  return (
    <Dialog title="Choose a folder" onClose={onClose}>
      <p className="row">
        <button
          type="button"
          className="btn icon"
          aria-label="Up"
          title="Up"
          disabled={!data?.parent}
          onClick={() => setPath(data?.parent ?? undefined)}
        >
          <Icon name="arrow-up" />
        </button>
        <code className="mono">{escapeInvisible(data?.path ?? "")}</code>
        {data?.project ? <span className="tag">git</span> : undefined}
      </p>
      {problem === undefined ? undefined : <p role="alert">{problem}</p>}
      <div className="folders" role="group" aria-label="Folders" tabIndex={0} onKeyDown={moveWithArrows}>
        {data?.folders.map((name, i) => (
          <button
            key={name}
            type="button"
            className="item"
            tabIndex={i === 0 ? 0 : -1}
            onClick={() => setPath(`${data.path.replace(/\/$/, "")}/${name}`)}
          >
            <Icon name="folder" />
            <span className="cut">{oneLine(name)}</span>
          </button>
        ))}
        {data?.folders.length === 0 ? <p className="nothing">No folders in here.</p> : undefined}
        {data && data.more > 0 ? <p className="nothing">and {data.more} more. Type the path to reach them.</p> : undefined}
      </div>
      <p className="row">
        <button
          type="button"
          className="btn solid"
          disabled={!data}
          onClick={() => {
            if (data) onChoose(data.path);
            onClose();
          }}
        >
          Choose this folder
        </button>
        <button type="button" className="btn quiet" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
