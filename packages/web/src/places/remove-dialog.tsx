import { formatCount, joinWithAnd } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { useApp } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import { useQuery } from "../store/data/use-query.ts";
import { PlaceDialogFrame, useDialogWork } from "./place-dialog-frame.tsx";

type Props = { place: Place; title: string; onClose: () => void };

/** Confirms the removal of a place. It takes the snapshot first, so that the user sees what the snapshot leaves out. */
export function RemoveDialog({ place: { id, name, status }, title, onClose }: Props) {
  const { link, tell } = useApp();
  const { busy, problem, fail, during } = useDialogWork();
  const hasFolder = status === "ready";
  const { data: facts } = useQuery((signal) => link.api.place.facts.query({ place: id }, { signal }), [link, id], { onError: fail });
  const { data: saved } = useQuery(hasFolder ? () => link.api.place.save.mutate({ place: id }) : undefined, [link, id], { onError: fail });
  const leftOut = saved?.snapshot?.leftOut ?? [];
  const isReady = !hasFolder || saved !== undefined;
  const remove = () =>
    during(async () => {
      await link.api.place.remove.mutate({ place: id });
      tell(`The place ${name} is removed. You can restore it at any time.`);
      onClose();
    });
  const taking = isReady || problem !== undefined ? undefined : "Taking the snapshot …";
  return (
    <PlaceDialogFrame
      title={title}
      progress={busy ? "Removing the place …" : taking}
      problem={problem}
      action={{ label: "Remove the place", disabled: !isReady || busy, run: () => void remove() }}
      closeLabel="Keep it"
      onClose={onClose}
    >
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
    </PlaceDialogFrame>
  );
}

type Contents = { changed: number | null; ahead: number | null; unpushed: number | null };

/** A number that git could not find out is not zero. */
const contents = ({ changed, ahead, unpushed }: Contents): string =>
  joinWithAnd([
    changed === null ? "an unknown number of uncommitted files" : formatCount(changed, "uncommitted file"),
    ...(ahead === null ? [] : [`${formatCount(ahead, "commit")} since its base`]),
    ...(unpushed === null ? [] : [`${formatCount(unpushed, "commit")} not pushed`]),
  ]);
