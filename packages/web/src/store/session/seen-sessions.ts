import type { SessionRow } from "@baton/core/session/session-list";
import { observableValue, type ObservableValue } from "../../connection/observable.ts";
import type { DraftStorage } from "./drafts.ts";

/** How far the user has read each session in this browser. */
export type SeenSessions = {
  /** Grows with every change. */
  version: ObservableValue<number>;
  /** Whether a session has ended its work and the user has not opened it since. */
  isUnread: (row: SessionRow) => boolean;
  /** The user saw a session up to this event. */
  saw: (id: string, seq: number) => void;
};

const KEY = "baton.seen";
/** Older entries are forgotten. */
const MAX_KEPT = 1_000;

type Stored = { since: number; seen: Record<string, number> };

/** Sessions that did not change after the first visit count as read. */
export function openSeenSessions(store: DraftStorage, now: number): SeenSessions {
  const { since, seen } = parseStored(store.getItem(KEY)) ?? { since: now, seen: {} };
  const read = new Map(Object.entries(seen));
  const version = observableValue(0);
  const keep = () => {
    const kept: Stored = { since, seen: Object.fromEntries([...read].slice(-MAX_KEPT)) };
    try {
      store.setItem(KEY, JSON.stringify(kept));
    } catch {
      store.removeItem(KEY); // the browser's storage is full, so it lasts until the page is closed
    }
  };
  keep();
  return {
    version,
    isUnread: ({ id, seq, status, updatedAt }) => {
      if (status === "working" || status === "waiting") return false;
      const known = read.get(id);
      return known === undefined ? updatedAt > since : seq > known;
    },
    saw: (id, seq) => {
      if ((read.get(id) ?? 0) >= seq) return;
      read.delete(id); // the newest comes last
      read.set(id, seq);
      keep();
      version.set(version.get() + 1);
    },
  };
}

function parseStored(text: string | null): Stored | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as Stored); // written by this file
  } catch {
    return undefined; // not written by this file
  }
}
