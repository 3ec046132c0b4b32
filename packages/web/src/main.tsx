import type { Mention } from "@baton/core/protocol/connection/webview-messages";
import "@vscode/codicons/dist/codicon.css";
import "./style/tokens.css";
import "./style/ui.css";
import "./style/page.css";
import "./style/editor.css";
import { createRoot } from "react-dom/client";
import { findEditorHost, type EditorHost } from "./connection/editor-host.ts";
import { openHostConnection } from "./connection/host-connection.ts";
import { offerTokenToTabs } from "./connection/tab-token-channel.ts";
import type { DaemonConnection } from "./connection/connection-types.ts";
import { readToken } from "./connection/login.ts";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { openSocketConnection } from "./connection/socket-connection.ts";
import { observableValue } from "./connection/observable.ts";
import { createCommands } from "@baton/core/client/command-client";
import { FRAME } from "./components/text/diagram/draw-diagram.ts";
import { serveDiagrams } from "./components/text/diagram/diagram-frame.ts";
import { Unauthorized } from "./page/unauthorized.tsx";
import { Page } from "./page/page.tsx";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { AppContext, type AppServices, type Notice } from "./store/app-context.ts";
import { openDrafts, type DraftStorage } from "./store/session/drafts.ts";
import { followHostTheme } from "./store/host/host-theme.ts";
import { hostRoute, openNewSessionIfEmpty } from "./store/host/host-route.ts";
import { handleHostCommands } from "./store/host/host-commands.ts";
import { openDaemonData } from "./store/data/daemon-data.ts";
import { openNotifications, hostNotifications, type Notifications } from "./store/browser-notifications.ts";
import { openImageStore } from "./store/session/draft-image-store.ts";
import { watchRoute } from "./store/route.ts";
import { openAppearance, type Appearance } from "./store/appearance.ts";
import { openSeenSessions } from "./store/session/seen-sessions.ts";

const element = document.querySelector("#page");
if (!element) throw new Error("index.html has no element for the page");
const root = createRoot(element);

const host = findEditorHost(document);
if (location.search === FRAME) serveDiagrams();
else if (host) draw(hosted(host));
else {
  const appearance = openAppearance(localStorage, document.documentElement, new URLSearchParams(location.search));
  const token = await readToken(location, history, sessionStorage);
  if (token === undefined) root.render(<Unauthorized had={false} />);
  else draw(inBrowser(token, appearance));
}

function draw(app: AppServices): void {
  root.render(
    <ErrorBoundary title="The page has an error">
      <AppContext value={app} children={<Page />} />
    </ErrorBoundary>,
  );
}

function inBrowser(token: string, appearance: Appearance): AppServices {
  const link = openSocketConnection(token, location.host);
  offerTokenToTabs(token, () => link.state.get().kind === "connected");
  return createApp({ link, store: sessionStorage, chosen: localStorage, route: watchRoute(), folders: [], appearance });
}

/** Runs the page inside an editor, with its connection, theme and files. */
function hosted(editor: EditorHost): AppServices {
  followHostTheme(document, editor.where);
  const app = createApp({
    link: openHostConnection(editor),
    store: editor.store,
    chosen: editor.store,
    route: hostRoute(editor),
    folders: editor.folders,
    notify: hostNotifications,
  });
  handleHostCommands(editor, app);
  openNewSessionIfEmpty(app);
  return app;
}

/** `store` belongs to the tab, `chosen` to the user. */
type AppOptions = {
  link: DaemonConnection;
  store: DraftStorage;
  chosen: DraftStorage;
  route: AppServices["route"];
  folders: readonly string[];
  notify?: Notifications;
  appearance?: Appearance;
};

function createApp({ link, store, chosen, route, folders, notify, appearance }: AppOptions): AppServices {
  const notice = observableValue<Notice | undefined>(undefined);
  const tell: AppServices["tell"] = (problem, about) =>
    notice.set({ text: typeof problem === "string" ? problem : errorMessage(problem), about });
  link.state.watch(() => {
    if (link.state.get().kind === "connected" && notice.get()?.about === "connection") notice.set(undefined);
  });
  const lists = openDaemonData(link.api, folders);
  let build: string | undefined;
  lists.status.watch(() => {
    const now = lists.status.get()?.build;
    if (build !== undefined && now !== undefined && now !== build)
      tell(`The daemon now runs another build of Baton. Reload this ${link.connect ? "window" : "page"}.`);
    build = now ?? build;
  });
  return {
    link,
    commands: createCommands(link.api),
    lists,
    drafts: openDrafts(store),
    mentions: observableValue<readonly Mention[]>([]),
    imageStore: openImageStore(link.api, store, tell),
    route,
    notify: notify ?? openNotifications(lists, chosen, ({ sessionId, id }) => route.go({ page: "session", id: sessionId, request: id })),
    appearance,
    seen: openSeenSessions(chosen, Date.now()),
    answeredHere: new Set(),
    ownAnswers: observableValue<ReturnType<AppServices["ownAnswers"]["get"]>>([]),
    answerDrafts: observableValue({}),
    sessionActions: observableValue<ReturnType<AppServices["sessionActions"]["get"]>>(undefined),
    now: observableValue<string | undefined>(undefined),
    notice,
    tell,
  };
}
