import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { oneLine } from "@baton/core/text/sanitize";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { FolderContext } from "../store/folder-context.ts";
import { SessionContext } from "../store/session/session-context.ts";
import { SessionViewStore } from "../store/session/session-store.ts";
import { BackButton } from "../components/back-button.tsx";
import { Banner } from "../components/banner.tsx";
import { Conversation } from "./conversation.tsx";
import { routeHref, type PlaceDiffBase } from "../store/route.ts";
import { lazyComponent } from "../components/lazy-component.tsx";

type Props = { id: string; request: string | undefined; seq?: number | undefined; review?: ReviewTarget };

/** The page of a session. */
export function SessionPage({ id, request, seq, review }: Props) {
  const { link } = useApp();
  const [store, setStore] = useState<SessionViewStore>();
  useEffect(() => {
    const opened = new SessionViewStore(link.api, id);
    setStore(opened);
    return () => opened.close();
  }, [link, id]);
  if (!store || store.id !== id) return <Opening id={id} />;
  return (
    <SessionContext value={store}>
      <OpenSession key={id} store={store} requestId={request} seq={seq} review={review} />
    </SessionContext>
  );
}

/** Shown until the session is loaded: its title from the list, and the way back. */
function Opening({ id }: { id: string }) {
  const row = useObservableValue(useApp().lists.sessions)?.find((each) => each.id === id);
  return (
    <main className="main" aria-busy="true">
      <header className="bar">
        <BackButton />
        <h1 className="cut">{oneLine(row?.title ?? "")}</h1>
      </header>
      <Banner />
    </main>
  );
}

type ReviewTarget = { promptId: string | undefined; since: PlaceDiffBase | undefined };

/** Rarely used, so it is not part of the first load. */
const Review = lazyComponent(async () => (await import("../review/review.tsx")).Review);

type OpenProps = { store: SessionViewStore; requestId: string | undefined; seq: number | undefined; review: ReviewTarget | undefined };

function OpenSession({ store, requestId, seq, review }: OpenProps) {
  const snapshot = useSyncExternalStore(store.watch, store.get);
  switch (snapshot.phase) {
    case "missing":
      return <SessionNotFound problem={snapshot.problem} />;
    case "opening":
      return <Opening id={store.id} />;
    case "open":
      return (
        <FolderContext value={snapshot.state.workspace}>
          {review ? (
            <Suspense fallback={<Opening id={store.id} />}>
              <Review id={store.id} promptId={review.promptId} since={review.since} />
            </Suspense>
          ) : (
            <Conversation snapshot={snapshot} store={store} requestId={requestId} seq={seq} />
          )}
        </FolderContext>
      );
  }
}

/** A session that cannot be opened, and what to do. */
function SessionNotFound({ problem = "" }: { problem: string | undefined }) {
  return (
    <main className="main">
      <header className="bar">
        <BackButton />
      </header>
      <Banner />
      <div className="pane flat">
        <h1>This session cannot be opened</h1>
        <p>{oneLine(problem)}</p>
        <ol className="steps">
          <li>
            <span>
              <a href={routeHref({ page: "home" })}>Start another one</a>, or choose one from the list
            </span>
          </li>
          <li>
            <span>
              Is it archived? <code>baton sessions --archived</code> lists archived sessions; so does the search
            </span>
          </li>
        </ol>
      </div>
    </main>
  );
}
