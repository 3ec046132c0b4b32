import { memo, useRef, useState, type RefObject } from "react";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import type { InboxItem } from "@baton/core/protocol/request";
import type { SessionRow } from "@baton/core/session/session-list";
import { FolderContext } from "../../store/folder-context.ts";
import { routeHref } from "../../store/route.ts";
import { useQuery } from "../../store/use-query.ts";
import { useSpentToday } from "../../store/use-spent-today.ts";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { ConfigErrors } from "../config-errors.tsx";
import { Icon, Key } from "../icon.tsx";
import { ModeIcon } from "../composer/mode-name.tsx";
import { isApproval, requestTitle } from "../request/request-words.ts";
import { Age, Ago } from "./relative-time.tsx";
import { NotifyButton } from "../notify-button.tsx";
import { SessionStatus } from "./session-status.tsx";
import { changedAt, sessionTrees, type Tree } from "./session-trees.ts";
import { formatMoney, planText } from "@baton/core/text/format";
import { baseName, capitalize } from "../text/format.ts";

/** The inbox and the list of sessions. `alone` is true if a narrow screen shows nothing else. */
export const Sidebar = memo(function Sidebar({ search, alone }: { search: RefObject<HTMLInputElement | null>; alone: boolean }) {
  const Landmark = alone ? "main" : "nav";
  const Brand = alone ? "h1" : "span";
  const [searchText, setWanted] = useState("");
  return (
    <Landmark className="side" aria-label="Sessions">
      <div className="bar">
        <Brand className="brand">Baton</Brand>
        <a className="btn quiet icon r" href={routeHref({ page: "new" })} aria-label="New session" title="New session (N)">
          <Icon name="add" />
        </a>
      </div>
      <div className="side-body" tabIndex={0} role="group" aria-label="Inbox and sessions">
        {alone ? <ConfigErrors /> : undefined}
        <Inbox />
        <label className="searchfield">
          <span className="vh">Search sessions</span>
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
});

function Inbox() {
  const { lists, now, route } = useApp();
  const items = useObservableValue(lists.inbox);
  const current = useObservableValue(now);
  const at = useObservableValue(route);
  const onSession = at.page === "session";
  return (
    <section className="inbox" aria-label="Needs you">
      <h2 className={items && items.length > 0 ? "group on" : "group"}>
        Needs you {items && items.length > 0 ? <span className="badge">{items.length}</span> : undefined}
        <span className="r nowrap dim">
          <Key>G</Key> <Key>I</Key>
        </span>
      </h2>
      {items?.length === 0 ? <p className="nothing">Nothing.</p> : undefined}
      {items?.map((item) => (
        <InboxRow key={item.id} item={item} current={onSession && item.id === current} />
      ))}
    </section>
  );
}

const InboxRow = memo(function InboxRow({ item, current }: { item: InboxItem; current: boolean }) {
  return (
    <a
      className="item"
      href={routeHref({ page: "session", id: item.sessionId, request: item.id })}
      aria-current={current ? "true" : undefined}
    >
      <FolderContext value={item.workspace}>
        <ModeIcon slug={item.mode} />
      </FolderContext>
      <span className="cut">
        <RequestText item={item} />
      </span>
      <span className="end">
        <Age since={item.openedAt} />
      </span>
      <span className="sub">
        <span className="cut">
          {oneLine(baseName(item.workspace))} · {oneLine(item.title)}
        </span>
      </span>
    </a>
  );
});

/** A request in a short line: the verb and exact object of a call, otherwise its title. */
function RequestText({ item }: { item: InboxItem }) {
  if (!isApproval(item)) return oneLine(requestTitle(item));
  const [verb = "", ...object] = oneLine(escapeInvisible(item.text)).split(" ");
  return (
    <>
      {capitalize(verb)} <code>{object.join(" ").slice(0, 200)}</code>
    </>
  );
}

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
    </>
  );
}

/** Searches titles, folders, modes and ids, including archived sessions. */
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
    <div role="status">
      <h2 className="group">
        Found<span className="r dim">{found.length}</span>
      </h2>
      {found.length === 0 ? <p className="nothing">No session matches “{searchText.trim()}”.</p> : undefined}
      {found.slice(0, 100).map((row) => (
        <SessionItem key={row.id} tree={{ row, children: [], waits: row.status === "waiting" }} />
      ))}
    </div>
  );
}

const NO_ROWS: readonly SessionRow[] = [];

function Trees({ rows }: { rows: readonly SessionRow[] }) {
  return sessionTrees(rows).map(({ workspace, trees }) => (
    <div key={workspace} role="group" aria-label={workspace}>
      <p className="ws cut" title={workspace}>
        {oneLine(baseName(workspace))}
      </p>
      {trees.map((tree) => (
        <Branch key={tree.row.id} tree={tree} />
      ))}
    </div>
  ));
}

function Branch({ tree }: { tree: Tree }) {
  return (
    <>
      <SessionItem tree={tree} />
      {tree.children.length === 0 ? undefined : (
        <div className="kids">
          {tree.children.map((child) => (
            <Branch key={child.row.id} tree={child} />
          ))}
        </div>
      )}
    </>
  );
}

function SessionItem({ tree }: { tree: Tree }) {
  const { row, waits } = tree;
  const at = useObservableValue(useApp().route);
  const current = at.page === "session" && at.id === row.id;
  const box = useRef<HTMLAnchorElement>(null);
  return (
    <a
      ref={box}
      className="item"
      href={routeHref({ page: "session", id: row.id })}
      aria-current={current ? "page" : undefined}
      title={planText(row.task) || undefined}
    >
      <SessionStatus status={waits ? "waiting" : row.status} />
      <span className={row.status === "idle" && !waits ? "cut soft" : "cut"}>{oneLine(row.title) || "(no prompt yet)"}</span>
      <span className="end">
        {row.archived ? "archived" : row.cost > 0 ? `${formatMoney(row.cost)}${row.status === "working" ? "" : " · "}` : ""}
        {row.archived || row.status === "working" ? "" : <Ago since={changedAt(tree)} />}
      </span>
    </a>
  );
}

function Foot() {
  const { link, lists, route } = useApp();
  const at = useObservableValue(route);
  const state = useObservableValue(link.state);
  const rows = useObservableValue(lists.sessions) ?? [];
  const activeSession = at.page === "session" ? rows.find(({ id }) => id === at.id) : undefined;
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
            part: "modes",
            ...(activeSession ? { cwd: activeSession.workspace, session: activeSession.id } : {}),
          })}
          aria-label="Modes, permissions, toolsets and usage"
          title="Modes, permissions, toolsets and usage"
          aria-current={at.page === "settings" ? "page" : undefined}
        >
          <Icon name="settings-gear" />
        </a>
        <NotifyButton />
      </span>
    </div>
  );
}
