import { createContext, useContext, useSyncExternalStore } from "react";
import type { StreamingState } from "@baton/core/client/streaming-state";
import type { SessionViewStore, SessionSnapshot } from "./session-store.ts";
import { useApp } from "../app-context.ts";
import type { SessionRow } from "@baton/core/session/session-list";

/** The session of the drawn content. */
export const SessionContext = createContext<SessionViewStore | undefined>(undefined);

export function useSession(): SessionViewStore {
  const session = useContext(SessionContext);
  if (!session) throw new Error("used outside of a session");
  return session;
}

/** A part of the streaming data, redrawn at most once per frame. */
export function useStreams<T>(pick: (streams: StreamingState) => T): T {
  const { watch, streams } = useSession();
  return useSyncExternalStore(watch, () => pick(streams()));
}

/** A part of the snapshot. It must return the same value while nothing has changed. */
export function useSessionSnapshot<T>(pick: (snapshot: SessionSnapshot) => T): T {
  const { watch, get } = useSession();
  return useSyncExternalStore(watch, () => pick(get()));
}

const byId = new WeakMap<readonly SessionRow[], ReadonlyMap<string, SessionRow>>();

/** The row of a session in the list. It redraws only if that row changes. */
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
