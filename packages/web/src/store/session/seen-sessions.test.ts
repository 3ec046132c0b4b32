import type { SessionRow } from "@baton/core/session/session-list";
import { SessionId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { openSeenSessions } from "./seen-sessions.ts";

const row = (more: Partial<SessionRow>): SessionRow => ({
  id: SessionId.parse("a"),
  parentId: null,
  workspace: "/w",
  title: "",
  task: null,
  mode: "code",
  model: null,
  status: "idle",
  steps: 1,
  cost: 0,
  openRequests: 0,
  archived: false,
  seq: 10,
  createdAt: 0,
  updatedAt: 0,
  ...more,
});

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test("a session is unread if it ended after the user saw it, even after a reload", () => {
  const store = storage();
  const seen = openSeenSessions(store, 1_000);
  expect(seen.isUnread(row({ updatedAt: 500 }))).toBe(false); // from before the first visit
  expect(seen.isUnread(row({ updatedAt: 2_000 }))).toBe(true);
  seen.saw("a", 10);
  expect(seen.isUnread(row({ updatedAt: 2_000 }))).toBe(false);
  const again = openSeenSessions(store, 9_000);
  expect(again.isUnread(row({ updatedAt: 3_000, seq: 11 }))).toBe(true);
  expect(again.isUnread(row({ updatedAt: 3_000, seq: 11, status: "working" }))).toBe(false);
});
