import type { SessionEvent } from "@baton/core/protocol/event";
import type { PromptId, SessionId } from "@baton/core/protocol/ids";
import { reduceSession } from "@baton/core/session/reduce";
import { emptyState } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { libsqlStore } from "./libsql-store.ts";
import { memoryStore, type Store } from "./store.ts";

const stores: Record<string, () => Promise<Store & Partial<AsyncDisposable>>> = {
  "in memory": async () => memoryStore(),
  "of the daemon": libsqlStore,
};

const id = "abc" as SessionId;
const by = { person: "test" };
const created: SessionEvent = { type: "session.created", workspace: "/w", mode: "code", stepLimit: 3, by };
const prompted = (n: number): SessionEvent => ({
  type: "prompt.received",
  promptId: `p${n}` as PromptId,
  text: "hi",
  delivery: "queue",
  mode: "code",
  by,
});

test.for(Object.entries(stores))("the simulator's store and the real one answer alike: %s", async ([, open]) => {
  const store = await open();
  const { log, lists, projectionStatements } = store;
  const append = (after: number, events: SessionEvent[], commandId?: string) => {
    const before = beforeOf.get(after) ?? emptyState;
    const state = events.reduce((now, event, i) => reduceSession(now, { ...event, seq: after + 1 + i, at: 7 }), before);
    beforeOf.set(after + events.length, state);
    const receipt = commandId === undefined ? undefined : { commandId, answer: { seq: after + events.length } };
    return log.append({
      streamId: id,
      after,
      events,
      at: 7,
      receipt,
      derived: projectionStatements({ id, before, after: state, seq: after + events.length, count: events.length, uses: [] }),
    });
  };
  const beforeOf = new Map<number, typeof emptyState>();

  expect(await append(0, [created, prompted(1)], "c1")).toEqual([
    { ...created, seq: 1, at: 7 },
    { ...prompted(1), seq: 2, at: 7 },
  ]);
  await expect(append(0, [prompted(9)], "c9")).rejects.toMatchObject({ conflict: true });
  await append(2, [prompted(2)]);
  expect((await log.read(id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect((await log.read(id, 1, 1)).map(({ seq }) => seq)).toEqual([2]);
  expect(await log.read("nothing")).toEqual([]);
  expect([await log.receipt(id, "c1"), await log.receipt(id, "c9")]).toEqual([{ seq: 2 }, undefined]);
  expect([await log.lastOf(id, "prompt.received", 2), await log.lastOf(id, "prompt.received", 9), await log.lastOf(id, "none", 9)]).toEqual(
    [2, 3, 0],
  );
  expect((await log.ofType(id, "session.created")).map(({ seq }) => seq)).toEqual([1]);
  expect(await lists.session(id)).toMatchObject({ id, title: "hi", status: "idle", openRequests: 0 });
  expect(await lists.due()).toEqual([id]);
  expect((await (await store.reopen()).log.read(id)).length).toBe(3);
  const again = (await store.reopen()).log;
  await again.drop([id]);
  expect(await again.read(id)).toEqual([]);
  await store[Symbol.asyncDispose]?.();
});
