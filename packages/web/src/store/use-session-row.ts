import { useSyncExternalStore } from "react";
import { useApp } from "./app-context.ts";
import type { SessionRow } from "@baton/core/session/session-row";

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
