import "@vscode/codicons/dist/codicon.css";
import "./style/tokens.css";
import "./style/ui.css";
import "./style/page.css";
import { createRoot } from "react-dom/client";
import { tokenOf } from "./link/login.ts";
import { messageFor } from "./link/problem.ts";
import { openSocketLink } from "./link/socket-link.ts";
import { watched } from "./link/watched.ts";
import { wishesOf } from "./link/wishes.ts";
import { Closed } from "./page/closed.tsx";
import { Page } from "./page/page.tsx";
import { AppContext, type App } from "./store/app.ts";
import { openDrafts } from "./store/drafts.ts";
import { openLists } from "./store/lists.ts";
import { openNotify } from "./store/notify.ts";
import { openPictures } from "./store/pictures.ts";
import { watchRoute } from "./store/route.ts";

const place = document.querySelector("#page");
if (!place) throw new Error("index.html has no place for the page");
const root = createRoot(place);

applyLook(new URLSearchParams(location.search));
const token = await tokenOf(location, history, sessionStorage);
root.render(token === undefined ? <Closed had={false} /> : <AppContext value={openApp(token)} children={<Page />} />);

function openApp(shown: string): App {
  const link = openSocketLink(shown, location.host);
  const notice = watched<string | undefined>(undefined);
  const tell = (problem: unknown) => notice.set(typeof problem === "string" ? problem : messageFor(problem));
  const lists = openLists(link.api);
  const route = watchRoute();
  return {
    link,
    wishes: wishesOf(link.api),
    lists,
    drafts: openDrafts(sessionStorage),
    pictures: openPictures(link.api, sessionStorage, tell),
    route,
    notify: openNotify(lists, localStorage, ({ sessionId, id }) => route.go({ page: "session", id: sessionId, request: id })),
    here: new Set(),
    answerDrafts: watched({}),
    now: watched<string | undefined>(undefined),
    notice,
    tell,
  };
}

/** `?theme=dark` and `?contrast=more` overrule what the system says, for who wants it so on this page. */
function applyLook(wanted: URLSearchParams): void {
  for (const name of ["theme", "contrast"] as const) {
    const value = wanted.get(name);
    if (value !== null) document.documentElement.dataset[name] = value;
  }
}
