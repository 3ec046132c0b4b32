import { formatCount } from "@baton/core/text/format";
import { oneLine, sanitize } from "@baton/core/text/sanitize";
import { useApp, useConnected } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import { useQuery } from "../store/data/use-query.ts";
import { TextWithCode } from "../components/text/text-with-code.tsx";
import { Icon } from "../components/icon.tsx";
import { MenuItem } from "../components/menu.tsx";
import { baseName } from "../components/text/strings.ts";
import { formatBytes } from "./format-bytes.ts";
import { placeActions } from "./place-actions.ts";
import type { PlaceDialogKind } from "./place-dialog-kind.ts";
import "./places.css";

type Props = { place: Place; sessionId: string; close: () => void; onDialog: (dialog: PlaceDialogKind) => void };

/** The state of a place according to git and the disk, and the actions that it allows. */
export function PlacePanel({ place, sessionId, close, onDialog }: Props) {
  const { link, route, tell } = useApp();
  const connected = useConnected();
  const { id, name, base, baseCommit, checkout, root, message, updatedAt } = place;
  const { data: facts } = useQuery((signal) => link.api.place.facts.query({ place: id }, { signal }), [link, id, updatedAt], {
    onError: tell,
  });
  const { data: measured } = useQuery(
    (signal) => link.api.place.facts.query({ place: id, size: true }, { signal }),
    [link, id, updatedAt],
    { onError: () => undefined }, // the first query reports it
  );
  const size = measured?.size;
  const inFolder = place.status !== "removed" && place.status !== "failed" && facts?.moved !== true;
  return (
    <div className="placepanel">
      <dl className="kv">
        <dt>Branch</dt>
        <dd>{oneLine(facts?.branch ?? place.branch ?? "none")}</dd>
        <dt>Base</dt>
        <dd title={baseCommit}>
          {oneLine(base)} <code>{baseCommit.slice(0, 8)}</code>
          {facts?.baseGone ? " (no longer in the repository)" : ""}
        </dd>
        <dt>Works for</dt>
        <dd title={sanitize(checkout)}>{oneLine(baseName(checkout))}</dd>
        {inFolder ? (
          <>
            <dt>Commits since the base</dt>
            <dd>{known(facts, facts?.ahead)}</dd>
            <dt>Commits not pushed</dt>
            <dd>{facts?.unpushed === null && facts.problem === null ? "no remote" : known(facts, facts?.unpushed)}</dd>
            <dt>Uncommitted files</dt>
            <dd>{known(facts, facts?.changed)}</dd>
            <dt>Size on disk</dt>
            <dd>{size ? `${size.atLeast ? "at least " : ""}${formatBytes(size.bytes)}` : "…"}</dd>
            <dt>Used by</dt>
            <dd>{facts === undefined ? "…" : facts.users.length === 0 ? "nothing" : oneLine(facts.users.join("; "))}</dd>
          </>
        ) : undefined}
        {place.prepared ? (
          <>
            <dt>Setup</dt>
            <dd>{place.prepared.outcome}</dd>
          </>
        ) : undefined}
        {place.applied.length > 0 ? (
          <>
            <dt>Applied to {oneLine(baseName(checkout))}</dt>
            <dd>{formatCount(place.applied.length, "file")}</dd>
          </>
        ) : undefined}
      </dl>
      <p className="dim path" title={sanitize(root)}>
        {oneLine(root)}
      </p>
      {facts?.moved && place.status === "ready" ? (
        <p className="fail-ink">The folder is gone, although Baton did not remove it. Removing the place keeps its commits.</p>
      ) : undefined}
      {facts?.problem ? <p className="fail-ink">Git cannot read the place: {oneLine(facts.problem)}.</p> : undefined}
      {message ? (
        <p className="soft">
          <TextWithCode text={sanitize(message)} />
        </p>
      ) : undefined}
      <div className="actions">
        {placeActions({
          place,
          api: link.api,
          onDialog,
          review: () => route.go({ page: "review", id: sessionId, since: "base" }),
          tell,
        }).map(({ icon, label, run }) => (
          <MenuItem
            key={label}
            disabled={!connected}
            onPick={() => {
              close();
              void Promise.resolve(run()).catch(tell);
            }}
          >
            <Icon name={icon} />
            <span>{label}</span>
          </MenuItem>
        ))}
      </div>
      <span className="vh">{`Place ${name}`}</span>
    </div>
  );
}

/** A number, "…" while it is loaded, or "unknown" if git could not find it out. */
const known = (facts: object | undefined, value: number | null | undefined): number | string =>
  facts === undefined ? "…" : (value ?? "unknown");
