import { createContext, useContext, useSyncExternalStore } from "react";
import type { Streams } from "@baton/core/client/streams";
import type { SessionStore, SessionSnapshot } from "./session-store.ts";
import { useApp } from "./app-context.ts";
import type { SessionRow } from "@baton/core/session/session-list";

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

const byId = new WeakMap<readonly SessionRow[], ReadonlyMap<string, SessionRow>>();

/** A session's row in the list, if it is there; who asks is told only when there is another one. */
export function useSessionRow(id: string): SessionRow | undefined {
  const { sessions } = useApp().lists;
  return useSyncExternalStore(sessions.watch, () => rowIn(sessions.get() ?? NONE, id));
}

const NONE: readonly SessionRow[] = [];

function rowIn(rows: readonly SessionRow[], id: string): SessionRow | undefined {
  const known = byId.get(rows) ?? new Map(rows.map((row) => [row.id as string, row]));
  byId.set(rows, known);
  return known.get(id);
}
