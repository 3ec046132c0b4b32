import { runDetached } from "@baton/core/client/run-detached";
import { formatCount } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { Suspense, useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { SessionRow } from "@baton/core/session/session-list";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { filesBySession, rootOf, type EditedFile } from "../store/data/edited-files.ts";
import { placeOf, recentFolders, type Place } from "../store/data/place-folders.ts";
import { useEditedFiles } from "../store/data/use-edited-files.ts";
import { useQuery } from "../store/data/use-query.ts";
import { BackButton } from "../components/back-button.tsx";
import { Banner, NoticeBanner } from "../components/banner.tsx";
import { Icon } from "../components/icon.tsx";
import { baseName } from "../components/text/strings.ts";
import { requestHeadline } from "../components/request/request-titles.ts";
import { placeOffer } from "../places/place-offer.ts";
import type { PlaceDialogKind } from "../places/place-dialog-kind.ts";
import { boardColumns, type BoardFilter, type Column } from "./board-columns.ts";
import { BoardCard } from "./board-card.tsx";
import { cardAfter } from "./card-navigation.ts";
import { sharedFilesText } from "./shared-files.ts";
import { openSummaries, type LoadedSummaries } from "./session-summaries.ts";
import "./board.css";
import { lazyComponent } from "../components/lazy-component.tsx";

const PlaceDialog = lazyComponent(async () => (await import("../places/place-dialogs.tsx")).PlaceDialog);

const NO_ROWS: readonly SessionRow[] = [];

/** All sessions by state. Arrow keys move, Enter opens, `a` leads to the request of a session, `x` archives it. */
export function Board() {
  const app = useApp();
  const { lists, link, tell } = app;
  const rows = useObservableValue(lists.sessions) ?? NO_ROWS;
  const places = useObservableValue(lists.places);
  const [filter, setFilter] = useState<BoardFilter>({ folder: "", place: "", text: "" });
  const [showsArchived, setShowsArchived] = useState(false);
  const { data: archived = NO_ROWS } = useQuery(
    showsArchived ? (signal) => link.api.session.list.query({ archived: true }, { signal }) : undefined,
    [link, rows, showsArchived],
    { onError: tell },
  );
  const edited = useEditedFiles();
  const files = useMemo(() => filesBySession(edited), [edited]);
  const columns = useMemo(
    () =>
      boardColumns(showsArchived ? [...rows, ...archived] : rows, places, filter, files).filter(
        ({ name }) => showsArchived || name !== "archived",
      ),
    [rows, archived, places, filter, files, showsArchived],
  );
  const summaries = useSummaries();
  const requests = useRequests();
  const ids = columns.map(({ trees }) => trees.map(({ row }) => row.id as string));
  const [focused, setFocused] = useState<string>();
  const stop =
    focused !== undefined && ids.some((column) => column.includes(focused)) ? focused : ids.find(({ length }) => length > 0)?.[0];
  const { archive, dialog } = useArchive();
  const search = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const key = (event: KeyboardEvent) => {
    const from = event.target instanceof HTMLElement ? event.target.dataset["card"] : undefined;
    if (from === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = [...rows, ...archived].find(({ id }) => id === from);
    const next = cardAfter(ids, from, event.key);
    if (next !== undefined) focusCard(body.current, next);
    else if (event.key === "a" && row) goToRequest(app, row);
    else if (event.key === "x" && row) {
      const neighbour = cardAfter(ids, from, "ArrowDown") ?? cardAfter(ids, from, "ArrowUp") ?? cardAfter(ids, from, "ArrowRight");
      runDetached(
        archive(row).then(() => {
          if (neighbour !== undefined) focusCard(body.current, neighbour);
        }),
        tell,
      );
    } else if (event.key === "/") search.current?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys
  };
  return (
    <main className="main board">
      <header className="bar">
        <BackButton />
        <h1>Board</h1>
        <Filters filter={filter} setFilter={setFilter} rows={rows} search={search} />
        <button
          type="button"
          className="btn quiet small"
          aria-pressed={showsArchived}
          onClick={() => setShowsArchived(!showsArchived)}
          title="Show archived sessions"
        >
          <Icon name="archive" small />
          <span>Archived</span>
        </button>
      </header>
      <Banner />
      <div className="scroll" role="region" aria-label="Board" tabIndex={0} ref={body} onKeyDown={key}>
        <NoticeBanner />
        <div className="boardcolumns">
          {columns.map((column) => (
            <BoardColumn
              key={column.name}
              column={column}
              places={places}
              files={files}
              stop={stop}
              requests={requests}
              summaries={summaries}
              onFocus={setFocused}
              onArchive={archive}
            />
          ))}
        </div>
      </div>
      {dialog}
    </main>
  );
}

type ColumnProps = {
  column: Column;
  places: readonly Place[];
  files: ReadonlyMap<string, readonly EditedFile[]>;
  stop: string | undefined;
  requests: ReadonlyMap<string, string>;
  summaries: LoadedSummaries | undefined;
  onFocus: (id: string) => void;
  onArchive: (row: SessionRow) => Promise<void>;
};

function BoardColumn({ column: { name, title, trees }, places, files, stop, requests, summaries, onFocus, onArchive }: ColumnProps) {
  return (
    <div className={trees.length === 0 ? "boardcolumn empty" : "boardcolumn"} role="group" aria-label={title}>
      <h2 className={name === "waiting" && trees.length > 0 ? "group on" : "group"}>
        {title} <span className="dim">{trees.length}</span>
        <span className="vh">{formatCount(trees.length, "session")}</span>
      </h2>
      {trees.length === 0 ? (
        <p className="nothing">None.</p>
      ) : (
        <ul>
          {trees.map(({ row, waits }) => (
            <BoardCard
              key={row.id}
              row={row}
              waits={waits}
              request={requests.get(row.id)}
              place={placeOf(places, row.workspace)}
              shared={sharedFilesText(row.id, files.get(row.id) ?? [])}
              stop={row.id === stop}
              summaries={summaries}
              onFocus={onFocus}
              onArchive={onArchive}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

type FilterProps = {
  filter: BoardFilter;
  setFilter: (filter: BoardFilter) => void;
  rows: readonly SessionRow[];
  search: React.RefObject<HTMLInputElement | null>;
};

function Filters({ filter, setFilter, rows, search }: FilterProps) {
  const places = useObservableValue(useApp().lists.places);
  const folders = useMemo(() => recentFolders(rows, places), [rows, places]);
  const ofFolder = places.filter(
    ({ checkout }) => filter.folder === "" || filter.folder === checkout || filter.folder.startsWith(`${checkout}/`),
  );
  return (
    <div className="boardfilters">
      <label className="searchfield">
        <span className="vh">Filter sessions</span>
        <Icon name="search" small className="dim" />
        <input
          ref={search}
          type="search"
          placeholder="Filter"
          value={filter.text}
          onChange={(event) => setFilter({ ...filter, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === "Escape") setFilter({ ...filter, text: "" });
          }}
        />
      </label>
      <select
        className="field"
        aria-label="Folder"
        value={filter.folder}
        onChange={(event) => setFilter({ ...filter, folder: event.target.value, place: "" })}
      >
        <option value="">All folders</option>
        {folders.map((folder) => (
          <option key={folder} value={folder} title={folder}>
            {oneLine(baseName(folder))}
          </option>
        ))}
      </select>
      {ofFolder.length === 0 ? undefined : (
        <select
          className="field"
          aria-label="Place"
          value={filter.place}
          onChange={(event) => setFilter({ ...filter, place: event.target.value })}
        >
          <option value="">All places</option>
          {ofFolder.map(({ id, name }) => (
            <option key={id} value={id}>
              {oneLine(name)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** The oldest open request of each session of the user, in one line. Those of subtasks count for the session that started them. */
function useRequests(): ReadonlyMap<string, string> {
  const inbox = useObservableValue(useApp().lists.inbox);
  return useMemo(
    () => new Map((inbox ?? []).toReversed().map((item) => [rootOf(item.sessionId), oneLine(requestHeadline(item))])),
    [inbox],
  );
}

function useSummaries(): LoadedSummaries | undefined {
  const { link, tell } = useApp();
  const [summaries, setSummaries] = useState<LoadedSummaries>();
  useEffect(() => {
    const opened = openSummaries(link.api, tell);
    setSummaries(opened);
    return () => opened.close();
  }, [link, tell]);
  return summaries;
}

/** Archives a session, or takes it out of the archive. Then it offers to remove or restore its place. */
function useArchive() {
  const { commands, lists, link, tell } = useApp();
  const places = useObservableValue(lists.places);
  const [offer, setOffer] = useState<{ kind: PlaceDialogKind; placeId: string }>();
  const place = places.find(({ id }) => id === offer?.placeId);
  const latest = useRef({ commands, lists, link, tell });
  const archive = useMemo(
    () => async (row: SessionRow) => {
      const now = latest.current;
      const archived = !row.archived;
      try {
        await now.commands.send(row.id, { type: "archive", archived });
      } catch (error) {
        return now.tell(error);
      }
      const own = placeOf(now.lists.places.get(), row.workspace);
      const kind = own && (await placeOffer(now, own, { id: row.id, archived }));
      if (kind) setOffer({ kind, placeId: own.id });
    },
    [],
  );
  const dialog = (
    <Suspense>{offer && place ? <PlaceDialog kind={offer.kind} place={place} onClose={() => setOffer(undefined)} /> : undefined}</Suspense>
  );
  return { archive, dialog };
}

/** Leads to the oldest open request of a session or of its subtasks. Without one, it says so. */
function goToRequest({ lists, route, tell }: Pick<ReturnType<typeof useApp>, "lists" | "route" | "tell">, { id }: SessionRow): void {
  const item = (lists.inbox.get() ?? []).find(({ sessionId }) => sessionId === id || sessionId.startsWith(`${id}.`));
  if (item) route.go({ page: "session", id, request: item.id });
  else tell("This session needs nothing from you.");
}

function focusCard(body: HTMLElement | null, id: string): void {
  const card = body?.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`);
  card?.focus();
  card?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
