import { errorMessage } from "@baton/core/client/errors";
import { formatCount, joinWithAnd } from "@baton/core/text/format";
import { oneLine, sanitize } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../store/app-context.ts";
import type { Place } from "../store/places.ts";
import { useQuery } from "../store/use-query.ts";
import { Dialog } from "../components/dialog.tsx";
import { Ring } from "../components/icon.tsx";
import { InlineCode } from "../components/text/inline-code.tsx";

type Props = { place: Place; title: string; onClose: () => void };

/** Confirms the removal of a place. It takes the snapshot first, so that the user sees what the snapshot leaves out. */
export function RemoveDialog({ place: { id, name, status }, title, onClose }: Props) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const [problem, setProblem] = useState<string>();
  const [removing, setRemoving] = useState(false);
  const fail = (error: unknown) => setProblem(errorMessage(error));
  const hasFolder = status === "ready";
  const { data: facts } = useQuery((signal) => link.api.place.facts.query({ place: id }, { signal }), [link, id], { onError: fail });
  const { data: saved } = useQuery(hasFolder ? () => link.api.place.save.mutate({ place: id }) : undefined, [link, id], { onError: fail });
  const leftOut = saved?.snapshot?.leftOut ?? [];
  const isReady = !hasFolder || saved !== undefined;
  const remove = async () => {
    setRemoving(true);
    setProblem(undefined);
    try {
      await link.api.place.remove.mutate({ place: id });
      tell(`The place ${name} is removed. You can restore it at any time.`);
      onClose();
    } catch (error) {
      fail(error);
      setRemoving(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        Baton saves everything in a snapshot and removes the folder. The branch and its commits stay.
        {facts && !facts.moved ? ` The place has ${contents(facts)}.` : ""}
      </p>
      {leftOut.length === 0 ? undefined : (
        <div>
          <p>The snapshot leaves out these ignored files:</p>
          <ul className="leftout mono">
            {leftOut.map((path) => (
              <li key={path}>{oneLine(path)}</li>
            ))}
          </ul>
        </div>
      )}
      {saved && leftOut.length === 0 ? <p className="soft">The snapshot leaves out nothing.</p> : undefined}
      {facts && facts.users.length > 0 ? <p className="attn-ink">In use: {oneLine(facts.users.join("; "))}.</p> : undefined}
      <div role="status">
        {isReady || problem !== undefined ? undefined : (
          <span className="row">
            <Ring /> Taking the snapshot …
          </span>
        )}
        {removing ? (
          <span className="row">
            <Ring /> Removing the place …
          </span>
        ) : undefined}
      </div>
      {problem === undefined ? undefined : (
        <p role="alert" className="fail-ink">
          <InlineCode text={sanitize(problem)} />
        </p>
      )}
      <p className="row">
        <button type="button" className="btn solid" disabled={!connected || !isReady || removing} onClick={() => void remove()}>
          Remove the place
        </button>
        <button type="button" className="btn quiet" onClick={onClose}>
          Keep it
        </button>
      </p>
    </Dialog>
  );
}

const contents = ({ changed, ahead, unpushed }: { changed: number; ahead: number; unpushed: number | null }): string =>
  joinWithAnd([
    formatCount(changed, "uncommitted file"),
    `${formatCount(ahead, "commit")} since its base`,
    ...(unpushed === null ? [] : [`${formatCount(unpushed, "commit")} not pushed`]),
  ]);
