import type { LoggedEvent } from "@baton/core/protocol/event";
import { SESSIONLESS_STREAM, type SessionId } from "@baton/core/protocol/ids";
import { foldEffective } from "@baton/core/session/effective-events";
import { nextEffects } from "@baton/core/session/next-effects";
import { reduceSession } from "@baton/core/session/reduce";
import { emptyState, openRequests, normalizeState, type SessionState } from "@baton/core/session/state";
import { StoreFault } from "../../../src/store/database/database.ts";
import { sessionRow, type StoreLists } from "../../../src/store/projections.ts";
import type { SessionStore } from "../../../src/session/session-dependencies.ts";
import type { EventAppend, EventLog, StreamEvent } from "../../../src/store/event-log.ts";

/** A store for the simulator: the interface for a daemon, and the content that remains after the daemon died. */
export type Store = {
  log: EventLog;
  lists: StoreLists;
  projectionStatements: SessionStore["projectionStatements"];
  /** The same store, for the next daemon. */
  reopen: () => Promise<Store>;
};

/** How often a state is kept in memory. It is far more often than in the real store, so that short runs start from one too. */
const SNAPSHOT_EVERY = 24;

type Stream = { events: LoggedEvent<StreamEvent>[]; receipts: Map<string, string>; state: SessionState; snapshot: string | undefined };

/** The log and the lists in memory, at once and without faults. They pass the same tests as the real store. */
export function memoryStore(): Store {
  const streams = new Map<string, Stream>();
  const at = (id: string): Stream => {
    const known = streams.get(id) ?? { events: [], receipts: new Map<string, string>(), state: emptyState, snapshot: undefined };
    streams.set(id, known);
    return known;
  };
  const session = (id: SessionId) => {
    const { state, events } = at(id);
    return { id, state, seq: events.length };
  };
  const sessions = () => Array.from(streams.keys(), (id) => session(id as SessionId)).filter(({ id, seq }) => !id.includes(":") && seq > 0);
  const row = ({ id, state, seq }: ReturnType<typeof session>) => sessionRow(id, state, seq);

  const log: EventLog = {
    async append<E extends StreamEvent>({ streamId, after, events, at: time, receipt }: EventAppend<E>): Promise<LoggedEvent<E>[]> {
      const stream = at(streamId);
      if (events.length > 0 && after !== stream.events.length) throw new StoreFault("UNIQUE constraint failed: event.stream_id, event.seq");
      const logged = events.map((event, i) => frozen({ ...event, seq: after + 1 + i, at: time }));
      const before = stream.events.length;
      if (!streamId.includes(":")) stream.state = foldedOn(stream, logged as readonly unknown[] as readonly LoggedEvent[]);
      stream.events.push(...logged);
      if (receipt) stream.receipts.set(receipt.commandId, JSON.stringify(receipt.answer));
      const due = Math.floor(stream.events.length / SNAPSHOT_EVERY) > Math.floor(before / SNAPSHOT_EVERY);
      if (due && !streamId.includes(":")) stream.snapshot = JSON.stringify({ seq: stream.events.length, state: stream.state });
      return logged;
    },
    async read<E extends StreamEvent>(streamId: string, after = 0, limit = Number.MAX_SAFE_INTEGER) {
      return (streams.get(streamId)?.events ?? []).slice(after, after + limit) as LoggedEvent<E>[];
    },
    async lastOf(streamId, type, seq) {
      return streams.get(streamId)?.events.findLast((event) => event.seq <= seq && event.type === type)?.seq ?? 0;
    },
    async ofType<E extends StreamEvent>(streamId: string, type: string) {
      return (streams.get(streamId)?.events ?? []).filter((event) => event.type === type) as LoggedEvent<E>[];
    },
    async drop(ids, { receipt } = {}) {
      for (const id of ids) streams.delete(id);
      if (receipt) at(SESSIONLESS_STREAM).receipts.set(receipt.commandId, JSON.stringify(receipt.answer));
    },
    async receipt(streamId, commandId) {
      const answer = streams.get(streamId)?.receipts.get(commandId);
      return answer === undefined ? undefined : (JSON.parse(answer) as unknown);
    },
  };
  const lists: StoreLists = {
    sessions: async () => sessions().map(row),
    session: async (id) => (streams.get(id)?.events.length ? row(session(id)) : undefined),
    rows: async (ids) => sessions().flatMap((each) => (ids.includes(each.id) ? [row(each)] : [])),
    below: async (id) => sessions().flatMap((each) => (each.id.startsWith(`${id}.`) ? [each.id] : [])),
    requests: async () => sessions().flatMap(({ id, state }) => openRequests(state).map((request) => ({ sessionId: id, request }))),
    snapshot: async (id) => {
      const snapshot = streams.get(id)?.snapshot;
      if (snapshot === undefined) return undefined;
      const { seq, state } = JSON.parse(snapshot) as { seq: number; state: SessionState };
      return { seq, state: normalizeState(state) };
    },
    due: async () => sessions().flatMap(({ id, state }) => (nextEffects(state).length > 0 ? [id] : [])),
  };
  const store: Store = { log, lists, projectionStatements: () => [], reopen: async () => store };
  return store;
}

/** Written events are frozen, so code that changes a stored event throws. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** The new events of a session, after the existing ones. */
const foldedOn = ({ state, events }: Stream, more: readonly LoggedEvent[]): SessionState =>
  more.some(({ type }) => type === "session.rewound")
    ? foldEffective([...(events as LoggedEvent[]), ...more])
    : more.reduce(reduceSession, state);
