import { createContext, useContext, useSyncExternalStore } from "react";
import type { Streams } from "@baton/core/client/streams";
import type { SessionStore, SessionSnapshot } from "./session-store.ts";

/** The session that is on the page, for what is drawn of it. */
export const SessionContext = createContext<SessionStore | undefined>(undefined);

export function useSession(): SessionStore {
  const session = useContext(SessionContext);
  if (!session) throw new Error("drawn outside of a session");
  return session;
}

/** A part of what is streaming in it, drawn anew at most once per frame. */
export function useStreams<T>(pick: (streams: Streams) => T): T {
  const { watch, streams } = useSession();
  return useSyncExternalStore(watch, () => pick(streams()));
}

/** A part of what is seen of the session; what it gives has to be the same while nothing changed. */
export function useSessionSnapshot<T>(pick: (sight: SessionSnapshot) => T): T {
  const { watch, get } = useSession();
  return useSyncExternalStore(watch, () => pick(get()));
}
