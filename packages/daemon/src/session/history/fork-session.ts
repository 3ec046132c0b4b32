import { leaveCoordinatorMode } from "@baton/core/session/leave-coordinator-mode";
import type { LoggedEvent, SessionEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Actor, RequestSubject } from "@baton/core/protocol/request";
import { effectiveEvents } from "@baton/core/session/effective-events";
import { nextEffects } from "@baton/core/session/next-effects";
import { reduceSession } from "@baton/core/session/reduce";
import { emptyState } from "@baton/core/session/state";

/**
 * The events of a new session that repeats `source` up to `at` (default: its end). Leaves out rewound events, and gives the
 * session its own ids. It is not a subtask, has no work, and has none of the other session's grants. The source may come from
 * another person, so nothing in it can start work or answer a question; `nextEffects` of the result must be empty.
 */
export function forkEvents(
  source: readonly LoggedEvent[],
  from: SessionId,
  to: SessionId,
  by: Actor,
  at = Number.POSITIVE_INFINITY,
): SessionEvent[] {
  const [first, ...others] = effectiveEvents(source).filter(({ seq }) => seq <= at);
  if (first?.type !== "session.created") return [];
  const conversation = [first, ...ofConversation(others)];
  const state = conversation.reduce(reduceSession, emptyState);
  const { parent: _parent, seq: _seq, at: _at, ...created } = first;
  const events = conversation.slice(1).map((event) => renamed(event, from, to));
  const rest: SessionEvent[] = state.turn ? [{ type: "turn.ended", reason: "stopped", by }] : [];
  const waiting = state.queue.map(({ promptId }): SessionEvent => ({ type: "prompt.withdrawn", promptId }));
  const cleanup: SessionEvent[] = state.compaction
    ? [{ type: "compaction.failed", reason: "stopped", message: "The session that this one repeats had requested it." }]
    : [];
  const returned = leaveCoordinatorMode({ ...state, turn: undefined, queue: [] }, state.updatedAt);
  const forkedFrom = { sessionId: from, seq: conversation.at(-1)?.seq ?? 0 };
  return [{ ...created, forkedFrom, by }, ...events, ...rest, ...waiting, ...returned, ...cleanup];
}

/** Whether a session with these events has nothing to do until the user acts. */
export function isAtRest(events: readonly SessionEvent[]): boolean {
  return (
    nextEffects(events.map((event, i): LoggedEvent => ({ ...event, seq: i + 1, at: 0 })).reduce(reduceSession, emptyState)).length === 0
  );
}

/**
 * Removes everything that belongs to the other session only, and all questions beside its turns about the folder or a server.
 */
function ofConversation(events: readonly LoggedEvent[]): LoggedEvent[] {
  const beside = new Set(
    events.flatMap((event) => (event.type === "request.opened" && isBesideTurns(event.request.subject) ? [event.request.id] : [])),
  );
  return events.filter((event) => {
    if (event.type === "request.opened") return !beside.has(event.request.id);
    if (event.type === "request.answered" || event.type === "request.closed") return !beside.has(event.requestId);
    return !OWN.has(event.type);
  });
}

const isBesideTurns = (subject: RequestSubject): boolean =>
  ["workspace", "server", "hooks", "network", "tools"].some((name) => name in subject);

/** Facts of one session only: its grants, children, processes, changed files, and calls of other agents. */
const OWN: ReadonlySet<SessionEvent["type"]> = new Set([
  "session.created",
  "session.rewound",
  "grant.given",
  "grant.revoked",
  "call.received",
  "child.started",
  "child.spent",
  "child.ended",
  "process.started",
  "process.ended",
  "sandbox.exceeded",
  "file.kept",
  "file.changed",
  "undo.started",
  "undo.finished",
  "trust.settled",
  "server.settled",
]);

/** The ids of requests begin with the id of their session. */
function renamed({ seq: _, at: __, ...event }: LoggedEvent, from: SessionId, to: SessionId): SessionEvent {
  if (event.type === "request.opened") return { ...event, request: { ...event.request, id: own(event.request.id, from, to) } };
  if (event.type === "request.answered" || event.type === "request.closed") return { ...event, requestId: own(event.requestId, from, to) };
  if (event.type === "mode.changed" && event.requestId) return { ...event, requestId: own(event.requestId, from, to) };
  return event;
}

const own = <T extends string>(id: T, from: SessionId, to: SessionId): T => id.replace(`${from}-`, `${to}-`) as T; // an id of the same kind
