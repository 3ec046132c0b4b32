import type { StreamFrame } from "@baton/core/protocol/connection/stream-frame";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { tracked, type TrackedEnvelope } from "@trpc/server";
import { streamStart } from "../session/live-streams.ts";
import type { Session } from "../session/session.ts";
import { waitUntilDrained, type SocketBuffer } from "./http/backpressure.ts";
import { readWithRetry } from "./read-with-retry.ts";

/** The data of one wake-up of a follower: events in order, then the streaming text. */
type FollowUpdate = { events: LoggedEvent[]; frames: StreamFrame[] };

const AT_ONCE = 500;
/**
 * The pause between two messages that bring only streaming text: a multiple of the time of the last message, within bounds, in
 * milliseconds.
 */
const REST = { times: 4, least: 4, most: 12 };

/** The last event that a follower has: its seq, and its time in epoch milliseconds. `at` is undefined if unknown. */
type StreamPosition = { seq: number; at: number | undefined };

/**
 * The id of a message is the position after it. The client sends it again when it reconnects. Older clients send a seq only.
 */
const positionId = ({ seq, at }: StreamPosition): string => (at === undefined ? String(seq) : `${seq}:${at}`);

export function parsePosition(id: string | null | undefined): StreamPosition {
  const [seq, at] = (id ?? "").split(":").map(Number);
  return { seq: seq || 0, at: at || undefined };
}

/** Whether a position belongs to this log. After a restore of the store, another event may have the same seq. */
export async function isInLog(session: Session, { seq, at }: StreamPosition): Promise<boolean> {
  if (seq > session.seq) return false;
  return at === undefined || (await timeOfEvent(session, seq)) === at;
}

const timeOfEvent = async (session: Session, seq: number): Promise<number | undefined> =>
  seq === 0 ? undefined : (await session.log.read(seq - 1, 1))[0]?.at;

/**
 * Yields everything after `seq`, then new events. The log is the buffer: nothing is queued for a slow reader. The change signal
 * is taken before the log is read, so no event is missed.
 */
export async function* followSession(
  session: Session,
  seq: number,
  socket: SocketBuffer,
  signal: AbortSignal,
): AsyncGenerator<TrackedEnvelope<FollowUpdate>> {
  const { clock } = session.services;
  const cursor = streamStart();
  const read = <T>(reading: () => Promise<T>): Promise<T> => readWithRetry(reading, clock, signal);
  let rested = Number.NEGATIVE_INFINITY;
  let at = await read(() => timeOfEvent(session, seq));
  for (let sent = seq, isFirst = true; !signal.aborted; isFirst = false) {
    const began = clock.ticks();
    const changed = session.changed(signal);
    const events = await read(() => session.log.read(sent, AT_ONCE));
    sent = events.at(-1)?.seq ?? sent;
    at = events.at(-1)?.at ?? at;
    const frames = events.length < AT_ONCE ? session.live.framesSince(cursor) : [];
    // the first message also gives the position to a follower that is up to date
    if (isFirst || events.length > 0 || frames.length > 0) yield tracked(positionId({ seq: sent, at }), { events, frames });
    await waitUntilDrained(socket, clock, signal);
    if (frames.length > 0) rested = clock.ticks() + restAfter(clock.ticks() - began);
    if (events.length < AT_ONCE) await changed;
    await rest(session, sent, rested, signal);
  }
}

const restAfter = (took: number): number => Math.min(REST.most, Math.max(REST.least, REST.times * took));

/** Created once, because an abort without a reason creates an exception with a stack. */
const RESTED = new Error("rested");

/** Waits until `until`, so that a fast model costs one message for many words. Events are never delayed. */
async function rest(session: Session, sent: number, until: number, signal: AbortSignal): Promise<void> {
  const { clock } = session.services;
  const remainingMs = until - clock.ticks();
  if (remainingMs <= 0) return;
  const over = new AbortController();
  const rested = clock.wait(remainingMs, over.signal).then(
    () => over.abort(RESTED),
    () => undefined, // something came before
  );
  while (session.seq <= sent && !over.signal.aborted && !signal.aborted) await session.changed(over.signal);
  over.abort(RESTED);
  await rested;
}
