import { formatCount, formatDuration, formatMoney } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import type { SessionRow } from "@baton/core/session/session-list";
import { Suspense, useMemo, useState } from "react";
import { useApp, useConnected, useObservableValue } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import { routeHref } from "../store/route.ts";
import { useQuery } from "../store/data/use-query.ts";
import { BackButton } from "../components/back-button.tsx";
import { Banner, NoticeBanner } from "../components/banner.tsx";
import { DiffCounts } from "../components/diff/diff.tsx";
import { Icon } from "../components/icon.tsx";
import { PLACE_STATUS } from "../components/place-label.tsx";
import { Elapsed } from "../components/sidebar/relative-time.tsx";
import { SessionStatus } from "../components/sidebar/session-status.tsx";
import { Markdown } from "../components/text/markdown.tsx";
import { baseName } from "../components/text/strings.ts";
import type { PlaceDialogKind } from "../places/place-dialog-kind.ts";
import { RemoveOthersDialog } from "./remove-others-dialog.tsx";
import { versionsOf, type PromptVersion } from "./prompt-versions.ts";
import "./board.css";
import "./versions.css";
import { lazyComponent } from "../components/lazy-component.tsx";

const PlaceDialog = lazyComponent(async () => (await import("../places/place-dialogs.tsx")).PlaceDialog);

const NO_ROWS: readonly SessionRow[] = [];
const DELAY_MS = 300;

/** The sessions that try the same prompt in places of one group, side by side. */
export function VersionsPage({ group }: { group: string }) {
  const { lists, link, tell } = useApp();
  const rows = useObservableValue(lists.sessions) ?? NO_ROWS;
  const places = useObservableValue(lists.places);
  const { data: archived = NO_ROWS } = useQuery((signal) => link.api.session.list.query({ archived: true }, { signal }), [link, rows], {
    onError: tell,
  });
  const versions = useMemo(() => versionsOf(group, [...rows, ...archived], places), [group, rows, archived, places]);
  const [dialog, setDialog] = useState<{ kind: PlaceDialogKind; placeId: string }>();
  const [removing, setRemoving] = useState(false);
  const inDialog = places.find(({ id }) => id === dialog?.placeId);
  const applied = versions.find(({ place }) => place.applied.length > 0);
  const others = versions.filter((version) => version !== applied && version.place.status === "ready");
  const title = versions.find(({ row }) => row && row.title !== "")?.row?.title ?? group;
  return (
    <main className="main board">
      <header className="bar">
        <BackButton />
        <a className="btn quiet icon" href={routeHref({ page: "board" })} aria-label="Back to the board" title="Back to the board">
          <Icon name="arrow-left" />
        </a>
        <h1 className="cut" dir="auto">
          {formatCount(versions.length, "version")}
          <span className="dim plain"> · {oneLine(title)}</span>
        </h1>
      </header>
      <Banner />
      <div className="scroll" role="region" aria-label="Versions" tabIndex={0}>
        <NoticeBanner />
        {versions.length === 0 ? <p className="nothing versionnote">No place has the group “{oneLine(group)}”.</p> : undefined}
        {applied && others.length > 0 ? (
          <p className="row wrap versionnote" role="status">
            {oneLine(applied.place.name)} is applied to {oneLine(baseName(applied.place.checkout))}.
            <button type="button" className="btn small" onClick={() => setRemoving(true)}>
              Remove the other versions …
            </button>
          </p>
        ) : undefined}
        <div className="versions">
          {versions.map((version) => (
            <VersionColumn key={version.place.id} version={version} onDialog={(kind) => setDialog({ kind, placeId: version.place.id })} />
          ))}
        </div>
      </div>
      <Suspense>
        {dialog && inDialog ? <PlaceDialog kind={dialog.kind} place={inDialog} onClose={() => setDialog(undefined)} /> : undefined}
      </Suspense>
      {removing ? <RemoveOthersDialog versions={others} onClose={() => setRemoving(false)} /> : undefined}
    </main>
  );
}

type ColumnProps = { version: PromptVersion; onDialog: (dialog: PlaceDialogKind) => void };

function VersionColumn({ version: { place, row }, onDialog }: ColumnProps) {
  const connected = useConnected();
  const changes = usePlaceChanges(place, row?.seq);
  const message = useLastMessage(row);
  const sum = (changes ?? []).reduce(
    (all, { view }) => ({ added: all.added + (view?.added ?? 0), removed: all.removed + (view?.removed ?? 0) }),
    { added: 0, removed: 0 },
  );
  const isReady = place.status === "ready";
  return (
    <article className="version" aria-label={place.name}>
      <h2 className="row">
        {row && row.status !== "idle" ? <SessionStatus status={row.status} /> : undefined}
        <span className="cut">{oneLine(place.name)}</span>
        {place.applied.length > 0 ? <span className="tag">applied</span> : undefined}
        {isReady ? undefined : <span className="tag">{PLACE_STATUS[place.status]}</span>}
      </h2>
      <dl className="kv">
        <dt>Model</dt>
        <dd>{row ? oneLine(row.model ?? "default") : "–"}</dd>
        <dt>Cost</dt>
        <dd>{row ? formatMoney(row.cost) : "–"}</dd>
        <dt>Time</dt>
        <dd>
          {row === undefined && "–"}
          {row?.status === "working" && <Elapsed since={row.createdAt} />}
          {row && row.status !== "working" && formatDuration(row.updatedAt - row.createdAt)}
        </dd>
        <dt>Changes</dt>
        <dd>
          {changes === undefined ? "–" : formatCount(changes.length, "file")} <DiffCounts view={sum} />
        </dd>
      </dl>
      {changes && changes.length > 0 ? (
        <ul className="changed">
          {changes.slice(0, MAX_FILES).map(({ path, view }) => (
            <li key={path}>
              <span className="cut" title={path}>
                <bdi>{oneLine(path)}</bdi>
              </span>
              <span className="nowrap">{view ? <DiffCounts view={view} /> : undefined}</span>
            </li>
          ))}
          {changes.length > MAX_FILES ? <li className="dim">and {changes.length - MAX_FILES} more</li> : undefined}
        </ul>
      ) : undefined}
      <div className="row wrap">
        {row ? (
          <>
            <a className="btn small" href={routeHref({ page: "session", id: row.id })}>
              Open
            </a>
            {isReady ? (
              <a className="btn small" href={routeHref({ page: "review", id: row.id, since: "base" })}>
                Diff
              </a>
            ) : undefined}
          </>
        ) : undefined}
        {isReady ? (
          <button type="button" className="btn small" disabled={!connected || changes?.length === 0} onClick={() => onDialog("apply")}>
            Apply …
          </button>
        ) : undefined}
        {place.status === "removed" ? (
          <button type="button" className="btn small" disabled={!connected} onClick={() => onDialog("offerRestore")}>
            Restore …
          </button>
        ) : undefined}
      </div>
      {message === undefined ? undefined : (
        <div className="prose">
          <Markdown text={message} />
        </div>
      )}
    </article>
  );
}

const MAX_FILES = 12;

function usePlaceChanges({ id, status, updatedAt }: Place, seq: number | undefined) {
  const { link, tell } = useApp();
  const load = (signal: AbortSignal) => link.api.place.changes.query({ place: id }, { signal });
  return useQuery(status === "ready" ? load : undefined, [link, id, updatedAt, seq], { delayMs: DELAY_MS, onError: tell }).data;
}

/** The model's last text, while its turn runs or at its end. */
function useLastMessage(row: SessionRow | undefined): string | undefined {
  const { link, tell } = useApp();
  const id = row?.id;
  const { data } = useQuery(
    id === undefined ? undefined : (signal) => link.api.session.open.query({ sessionId: id, tail: 1 }, { signal }),
    [link, id, row?.seq],
    { delayMs: DELAY_MS, onError: tell },
  );
  return data?.state.turn?.said ?? data?.state.lastTurn?.said ?? data?.state.lastTurn?.message;
}
