import { memo, useState, type RefObject } from "react";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import type { SessionRow } from "@baton/core/session/session-list";
import { routeHref, sessionIdOfRoute } from "../../store/route.ts";
import { sourceFolder } from "../../store/data/place-folders.ts";
import { usePlace } from "../../store/data/use-place.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { useSpentToday } from "./use-spent-today.ts";
import { oneLine } from "@baton/core/text/sanitize";
import { ConfigErrors } from "../config-errors.tsx";
import { PlaceLabel } from "../place-label.tsx";
import { Icon } from "../icon.tsx";
import { SearchMatches } from "./search-matches.tsx";
import { Ago } from "./relative-time.tsx";
import { NotifyButton } from "../notify-button.tsx";
import { SessionStatus } from "./session-status.tsx";
import { moveWithArrows } from "./arrow-keys.ts";
import { Inbox } from "./inbox.tsx";
import { changedAt, sessionTrees, type SessionTree } from "./session-trees.ts";
import { formatMoney, planText } from "@baton/core/text/format";
import { baseName } from "../text/strings.ts";

type Props = { search: RefObject<HTMLInputElement | null>; alone: boolean; onCommands: () => void };

/** The inbox and the list of sessions. `alone` is true if a narrow screen shows nothing else. */
export const Sidebar = memo(
  function Sidebar({ search, alone, onCommands }: Props) {
    const Landmark = alone ? "main" : "nav";
    const Brand = alone ? "h1" : "span";
    const [searchText, setWanted] = useState("");
    return (
      <Landmark className="side" aria-label="Sessions">
        {alone ? undefined : <SkipButton />}
        <div className="bar">
          <Brand className="brand">Baton</Brand>
          <button type="button" className="btn quiet icon r" aria-label="Commands" title="Commands (Ctrl+K)" onClick={onCommands}>
            <Icon name="list-selection" />
          </button>
          <a className="btn quiet icon" href={routeHref({ page: "board" })} aria-label="Board" title="Board: all sessions by state (G B)">
            <Icon name="project" />
          </a>
          <a className="btn quiet icon" href={routeHref({ page: "new" })} aria-label="New session" title="New session (N)">
            <Icon name="add" />
          </a>
        </div>
        <Inbox />
        <div className="side-body" role="group" aria-label="All sessions" onKeyDown={moveWithArrows}>
          {alone ? <ConfigErrors /> : undefined}
          <label className="searchfield">
            <span className="vh">Search sessions and conversations</span>
            <Icon name="search" small className="dim" />
            <input
              ref={search}
              type="search"
              placeholder="Search sessions"
              value={searchText}
              onChange={(event) => setWanted(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") setWanted("");
              }}
            />
          </label>
          {searchText.trim() === "" ? <Sessions /> : <SearchResults searchText={searchText} />}
        </div>
        <Foot />
      </Landmark>
    );
  },
  (a, b) => a.search === b.search && a.alone === b.alone,
);

/** The first Tab stop: it skips the sidebar. */
const SkipButton = () => (
  <button
    type="button"
    className="btn skip"
    onClick={() =>
      (document.querySelector<HTMLElement>(".main .box textarea") ?? document.querySelector<HTMLElement>(".main .scroll"))?.focus()
    }
  >
    Skip to the conversation
  </button>
);

function Sessions() {
  const rows = useObservableValue(useApp().lists.sessions);
  const costToday = useSpentToday();
  if (rows === undefined) return undefined;
  return (
    <>
      <h2 className="group">
        Sessions<span className="r dim">{rows.length === 0 || costToday === undefined ? "" : `${formatMoney(costToday)} today`}</span>
      </h2>
      {rows.length === 0 ? (
        <p className="nothing">
          None yet. <a href={routeHref({ page: "new" })}>Start one</a>: say what you want done.
        </p>
      ) : undefined}
      <Trees rows={rows} />
      <Archived />
    </>
  );
}

/** Searches titles, folders, modes and ids, including archived sessions, and below that the conversations. */
function SearchResults({ searchText }: { searchText: string }) {
  const { lists, link } = useApp();
  const rows = useObservableValue(lists.sessions) ?? NO_ROWS;
  const { data: archived = NO_ROWS } = useQuery((signal) => link.api.session.list.query({ archived: true }, { signal }), [link, rows]);
  const words = searchText.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ title, workspace, mode, id, model }: SessionRow) => {
    const text = `${title} ${workspace} ${mode} ${id} ${model ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = [...rows, ...archived].filter(fits);
  return (
    <>
      <div role="status">
        <h2 className="group">
          Found<span className="r dim">{found.length}</span>
        </h2>
        {found.length === 0 ? <p className="nothing">No session has this name.</p> : undefined}
        {found.slice(0, 100).map((row, i) => (
          <SessionItem key={row.id} tree={{ row, children: [], waits: row.status === "waiting" }} stop={i === 0} />
        ))}
      </div>
      <SearchMatches query={searchText.trim()} rows={rows} />
    </>
  );
}

const NO_ROWS: readonly SessionRow[] = [];

/** Archived sessions, on demand. */
function Archived() {
  const { lists, link } = useApp();
  const [open, setOpen] = useState(false);
  const rows = useObservableValue(lists.sessions);
  const { data } = useQuery(open ? (signal) => link.api.session.list.query({ archived: true }, { signal }) : undefined, [link, rows, open]);
  return (
    <>
      <button type="button" className="btn quiet small archived" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} small />
        Archived
      </button>
      {open && data?.length === 0 ? <p className="nothing">No session is archived.</p> : undefined}
      {open ? data?.map((row) => <SessionItem key={row.id} tree={{ row, children: [], waits: false }} stop={false} />) : undefined}
    </>
  );
}

function Trees({ rows }: { rows: readonly SessionRow[] }) {
  const at = useObservableValue(useApp().route);
  const places = useObservableValue(useApp().lists.places);
  const groups = sessionTrees(rows, (workspace) => sourceFolder(places, workspace));
  const here = sessionIdOfRoute(at);
  const current = rows.some(({ id }) => id === here) ? here : groups[0]?.trees[0]?.row.id;
  return groups.map(({ workspace, trees }) => (
    <div key={workspace} role="group" aria-label={workspace}>
      <p className="ws cut" title={workspace} dir="auto">
        {oneLine(baseName(workspace))}
      </p>
      {trees.map((tree) => (
        <Branch key={tree.row.id} tree={tree} stop={current} />
      ))}
    </div>
  ));
}

/** `stop`: the session that the Tab key reaches. Arrow keys reach the others. */
function Branch({ tree, stop }: { tree: SessionTree; stop: string | undefined }) {
  return (
    <>
      <SessionItem tree={tree} stop={tree.row.id === stop} />
      {tree.children.length === 0 ? undefined : (
        <div className="kids">
          {tree.children.map((child) => (
            <Branch key={child.row.id} tree={child} stop={stop} />
          ))}
        </div>
      )}
    </>
  );
}

function SessionItem({ tree, stop }: { tree: SessionTree; stop: boolean }) {
  const { row, waits } = tree;
  const { route, seen } = useApp();
  const at = useObservableValue(route);
  useObservableValue(seen.version);
  const current = sessionIdOfRoute(at) === row.id;
  const place = usePlace(row.workspace);
  const status = waits ? "waiting" : row.status;
  const unread = !waits && !current && seen.isUnread(row);
  return (
    <a
      className={unread ? "item unread" : "item"}
      href={routeHref({ page: "session", id: row.id })}
      aria-current={current ? "page" : undefined}
      title={planText(row.task) || undefined}
      tabIndex={stop ? 0 : -1}
    >
      <SessionStatus status={status} unread={unread} />
      <span className={status === "idle" && !unread ? "cut soft" : "cut"} dir="auto">
        {oneLine(row.title) || "(no prompt yet)"}
      </span>
      <span className="end">
        {row.archived ? "archived" : row.cost > 0 ? `${formatMoney(row.cost)}${row.status === "working" ? "" : " · "}` : ""}
        {row.archived || row.status === "working" ? "" : <Ago since={changedAt(tree)} />}
      </span>
      {place && row.parentId === null ? (
        <span className="sub">
          <PlaceLabel place={place} />
        </span>
      ) : undefined}
    </a>
  );
}

function Foot() {
  const { link, lists, route } = useApp();
  const at = useObservableValue(route);
  const state = useObservableValue(link.state);
  const rows = useObservableValue(lists.sessions) ?? [];
  const activeSession = rows.find(({ id }) => id === sessionIdOfRoute(at));
  const working = rows.filter(({ status }) => status === "working").length;
  return (
    <div className="side-foot">
      {state.kind === "connected" ? (
        <span>
          <b className="soft strong">Connected</b>
          {working === 0 ? "" : ` · ${working} working`}
        </span>
      ) : (
        <span className="row">
          <Icon name="debug-disconnect" small />
          <b className="soft strong">{state.kind === "connecting" ? "Connecting" : "Offline"}</b>
        </span>
      )}
      <span className="r row">
        <a
          className="btn quiet icon"
          href={routeHref({
            page: "settings",
            part: "general",
            ...(activeSession ? { cwd: activeSession.workspace, session: activeSession.id } : {}),
          })}
          aria-label="Settings"
          title="Settings"
          aria-current={at.page === "settings" ? "page" : undefined}
        >
          <Icon name="settings-gear" />
        </a>
        <NotifyButton />
      </span>
    </div>
  );
}
