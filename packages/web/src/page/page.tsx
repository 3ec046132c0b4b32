import { PROTOCOL } from "@baton/core/protocol/connection/version";
import { useEffect, useRef, useState, Suspense } from "react";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { sessionIdOfRoute, type AppRoute } from "../store/route.ts";
import { shortcutFor } from "../store/shortcuts.ts";
import { oneLine } from "@baton/core/text/sanitize";
import { useNarrowScreen } from "../components/common-hooks.ts";
import { Sidebar } from "../components/sidebar/sidebar.tsx";
import { Unauthorized } from "./unauthorized.tsx";
import { NewSession } from "./new-session.tsx";
import { goToNextRequest } from "./go-to-next-request.ts";
import { SessionPage } from "./session.tsx";
import type { DaemonStatus } from "../store/data/daemon-data.ts";
import { lazyComponent } from "../components/lazy-component.tsx";

/** The whole page: the sidebar, and a session, the settings or the start of a session. */
export function Page() {
  const { link, lists, route, notice } = useApp();
  const state = useObservableValue(link.state);
  const at = useObservableValue(route);
  const status = useObservableValue(lists.status);
  const search = useRef<HTMLInputElement>(null);
  const alone = useNarrowScreen() && at.page === "home";
  useTitle();
  useRefresh();
  useFirstVisit();
  const view = `${at.page} ${sessionIdOfRoute(at) ?? ""}`;
  useEffect(() => () => notice.set(undefined), [notice, view]); // the notice was about the previous page
  const [commanding, setCommanding] = useState(false);
  usePageKeys(search, () => setCommanding(true));
  if (state.kind === "refused") return <Unauthorized had />;
  if (status && status.protocol !== PROTOCOL) return <VersionMismatch status={status} />;
  return (
    <div className={`app${at.page === "session" ? " rail" : ""}${at.page === "home" ? " home" : ""}`}>
      <Sidebar search={search} alone={alone} onCommands={() => setCommanding(true)} />
      {alone ? undefined : <Middle at={at} />}
      <Suspense>{commanding ? <Palette onClose={() => setCommanding(false)} /> : undefined}</Suspense>
    </div>
  );

  function useTitle(): void {
    const waiting = useObservableValue(lists.inbox)?.length ?? 0;
    const id = sessionIdOfRoute(at);
    const title = useObservableValue(lists.sessions)?.find((row) => row.id === id)?.title ?? "";
    useEffect(() => {
      document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title === "" ? "" : `${oneLine(title)} · `}Baton`;
    }, [waiting, title]);
  }

  /** Reloads lists that rarely change, at each new connection. */
  function useRefresh(): void {
    const connected = state.kind === "connected";
    useEffect(() => {
      if (connected) lists.refresh().catch(() => undefined); // asked again at the next connection
    }, [connected]);
  }
}

/** On a narrow screen, the start of a session is another page than the list. The first visit begins there, because the list is empty. */
function useFirstVisit(): void {
  const { lists, link, route } = useApp();
  const sessions = useObservableValue(lists.sessions);
  const narrow = useNarrowScreen();
  const isVisited = useRef(false);
  useEffect(() => {
    if (sessions === undefined || isVisited.current) return;
    isVisited.current = true;
    if (narrow && sessions.length === 0 && route.get().page === "home" && link.connect === undefined) route.go({ page: "new" });
  }, [sessions, narrow, link, route]);
}

function Middle({ at }: { at: AppRoute }) {
  if (at.page === "session") return <SessionPage id={at.id} request={at.request} seq={at.seq} />;
  if (at.page === "review") return <SessionPage id={at.id} request={undefined} review={{ promptId: at.turn, since: at.since }} />;
  if (at.page === "settings") return <SettingsPage at={at} />;
  if (at.page === "board" || at.page === "versions")
    return <Suspense>{at.page === "board" ? <Board /> : <VersionsPage key={at.group} group={at.group} />}</Suspense>;
  return <NewSession key={at.page} cwd={at.page === "new" ? at.cwd : undefined} />;
}

/** Keys that work everywhere on the page. */
function usePageKeys(search: { current: HTMLInputElement | null }, onCommands: () => void): void {
  const app = useApp();
  const { route } = app;
  const commands = useRef(onCommands);
  commands.current = onCommands;
  useEffect(() => {
    let before: string | undefined;
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "k" && !document.querySelector("dialog[open]")) {
        event.preventDefault();
        return commands.current();
      }
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
      const shortcut = shortcutFor(event, before);
      before = event.key;
      if (shortcut?.do === "inbox") document.querySelector<HTMLElement>(".inbox .item")?.focus();
      else if (shortcut?.do === "nextAnywhere") goToNextRequest(app);
      else if (shortcut?.do === "board") route.go({ page: "board" });
      else if (shortcut?.do === "search") search.current?.focus();
      else if (shortcut?.do === "note" && route.get().page !== "session") route.go({ page: "new" });
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [app, route, search]);
}

/** Rarely used, so they are not part of the first load. */
const Palette = lazyComponent(async () => (await import("../components/palette.tsx")).Palette);
const Board = lazyComponent(async () => (await import("../board/board.tsx")).Board);
const VersionsPage = lazyComponent(async () => (await import("../board/versions-page.tsx")).VersionsPage);
const Settings = lazyComponent(async () => (await import("../settings/settings.tsx")).Settings);

const SettingsPage = ({ at }: { at: Extract<AppRoute, { page: "settings" }> }) => (
  <Suspense>
    <Settings at={at} />
  </Suspense>
);

/** The daemon speaks another protocol version than this page. */
function VersionMismatch({ status: { version, protocol } }: { status: DaemonStatus }) {
  const newer = protocol > PROTOCOL;
  return (
    <main className="closed">
      <div className="pane">
        <h1>The daemon has another version</h1>
        <p>
          Baton {version} runs now, and this page is {newer ? "older" : "newer"}. Your sessions continue, and drafts are kept.
        </p>
        <ol className="steps">
          <li>
            <span>
              <button type="button" className="btn solid" onClick={() => location.reload()}>
                Reload the page
              </button>
            </span>
          </li>
          <li>
            <span>
              If this message returns: run <code>baton daemon restart</code>, then <code>baton web</code>
            </span>
          </li>
        </ol>
      </div>
    </main>
  );
}
