import { useEffect, useState, useSyncExternalStore } from "react";
import { useApp } from "../store/app.ts";
import { FolderContext } from "../store/folder.ts";
import { SessionContext } from "../store/session-context.ts";
import { SessionStore } from "../store/session-store.ts";
import { Banner } from "../view/banner.tsx";
import { Conversation } from "./conversation.tsx";
import { Missing } from "./missing.tsx";

/** A session: its conversation, what waits in it, and the box to say more. */
export function SessionPage({ id, request }: { id: string; request: string | undefined }) {
  const { link } = useApp();
  const [store, setStore] = useState<SessionStore>();
  useEffect(() => {
    const opened = new SessionStore(link.api, id);
    setStore(opened);
    return () => opened.close();
  }, [link, id]);
  if (!store || store.id !== id) return <main className="main" aria-busy="true" />;
  return (
    <SessionContext value={store}>
      <Opened key={id} store={store} wanted={request} />
    </SessionContext>
  );
}

function Opened({ store, wanted }: { store: SessionStore; wanted: string | undefined }) {
  const sight = useSyncExternalStore(store.watch, store.get);
  switch (sight.phase) {
    case "missing":
      return <Missing problem={sight.problem} />;
    case "opening":
      return (
        <main className="main" aria-busy="true">
          <Banner seq={undefined} />
        </main>
      );
    case "open":
      return (
        <FolderContext value={sight.state.workspace}>
          <Conversation sight={sight} store={store} wanted={wanted} />
        </FolderContext>
      );
  }
}
