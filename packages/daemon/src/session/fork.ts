import type { Logged, SessionEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Actor } from "@baton/core/protocol/request";
import { effective } from "@baton/core/session/effective";
import { reduce } from "@baton/core/session/reduce";
import { empty } from "@baton/core/session/state";

/**
 * The events of a new session that repeats `source` up to `at` (the end when not given): without what was rewound, with
 * ids of its own, at rest, and without the grants of the other.
 */
export function forked(
  source: readonly Logged[],
  from: SessionId,
  to: SessionId,
  by: Actor,
  at = Number.POSITIVE_INFINITY,
): SessionEvent[] {
  const kept = effective(source).filter(({ seq, type }) => seq <= at && !OWN.has(type));
  const state = kept.reduce(reduce, empty);
  const seq = kept.at(-1)?.seq ?? 0;
  const events = kept.map((event) => renamed(event, from, to));
  const created =
    events[0]?.type === "session.created" ? [{ ...events[0], forkedFrom: { sessionId: from, seq }, by }, ...events.slice(1)] : events;
  const rest: SessionEvent[] = state.turn ? [{ type: "turn.ended", reason: "stopped", by }] : [];
  const waiting = state.queue.map(({ promptId }): SessionEvent => ({ type: "prompt.withdrawn", promptId }));
  return [...created, ...rest, ...waiting];
}

/** What belongs to the one session alone: its grants, children and processes, the files it changed, and what it asked about the folder. */
const OWN: ReadonlySet<SessionEvent["type"]> = new Set([
  "session.rewound",
  "grant.given",
  "grant.revoked",
  "child.started",
  "child.ended",
  "process.started",
  "process.ended",
  "file.kept",
  "file.changed",
  "undo.started",
  "undo.finished",
  "trust.settled",
]);

/** Ids of requests begin with their session's. */
function renamed({ seq: _, at: __, ...event }: Logged, from: SessionId, to: SessionId): SessionEvent {
  if (event.type === "request.opened") return { ...event, request: { ...event.request, id: own(event.request.id, from, to) } };
  if (event.type === "request.answered" || event.type === "request.closed") return { ...event, requestId: own(event.requestId, from, to) };
  return event;
}

const own = <T extends string>(id: T, from: SessionId, to: SessionId): T => id.replace(`${from}-`, `${to}-`) as T; // an id of the same kind
