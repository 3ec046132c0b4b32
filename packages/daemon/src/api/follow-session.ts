import type { StreamFrame } from "@baton/core/protocol/stream-frame";
import type { Logged } from "@baton/core/protocol/event";
import { tracked, type TrackedEnvelope } from "@trpc/server";
import { streamStart } from "../session/ephemeral-state.ts";
import type { Session } from "../session/session.ts";
import { waitUntilDrained, type SocketBuffer } from "./http/backpressure.ts";
import { readWithRetry } from "./read-with-retry.ts";

/** What a follower gets at each wake-up: events in the order of their seq, then what is streaming. */
export type FollowUpdate = { events: Logged[]; frames: StreamFrame[] };

const AT_ONCE = 500;
/** Between two messages that bring only what is streaming: some times as long as the last one took all, within bounds, in milliseconds. */
const REST = { times: 4, least: 4, most: 12 };

/** The last event that a follower has: its seq and when it was written, in epoch milliseconds. `at` is undefined where nobody knows it. */
export type StreamPosition = { seq: number; at: number | undefined };

/** The id of a message is the position after it, which the client sends again when it reconnects. Older clients send a seq alone. */
const positionId = ({ seq, at }: StreamPosition): string => (at === undefined ? String(seq) : `${seq}:${at}`);

export function parsePosition(id: string | null | undefined): StreamPosition {
  const [seq, at] = (id ?? "").split(":").map(Number);
  return { seq: seq || 0, at: at || undefined };
}

/** Whether a position is one of this log. After a restore of the store, an event of another time can have the same seq. */
export async function isInLog(session: Session, { seq, at }: StreamPosition): Promise<boolean> {
  if (seq > session.seq) return false;
  return at === undefined || (await atOf(session, seq)) === at;
}

const atOf = async (session: Session, seq: number): Promise<number | undefined> =>
  seq === 0 ? undefined : (await session.read(seq - 1, 1))[0]?.at;

/**
 * Everything after `seq`, then whatever comes. The log is the buffer: nothing is queued for a slow reader, and nothing
 * falls between what lies in the log and what comes, as the change is taken before the log is read.
 */
export async function* followSession(
  session: Session,
  seq: number,
  socket: SocketBuffer,
  signal: AbortSignal,
): AsyncGenerator<TrackedEnvelope<FollowUpdate>> {
  const { clock } = session.services;
  const seen = streamStart();
  const read = <T>(reading: () => Promise<T>): Promise<T> => readWithRetry(reading, clock, signal);
  let rested = Number.NEGATIVE_INFINITY;
  let at = await read(() => atOf(session, seq));
  for (let sent = seq, isFirst = true; !signal.aborted; isFirst = false) {
    const began = clock.ticks();
    const changed = session.changed(signal);
    const events = await read(() => session.read(sent, AT_ONCE));
    sent = events.at(-1)?.seq ?? sent;
    at = events.at(-1)?.at ?? at;
    const frames = events.length < AT_ONCE ? session.live.framesSince(seen) : [];
    // the first message also tells the position of a follower that has nothing to catch up with
    if (isFirst || events.length > 0 || frames.length > 0) yield tracked(positionId({ seq: sent, at }), { events, frames });
    await waitUntilDrained(socket, clock, signal);
    if (frames.length > 0) rested = clock.ticks() + restAfter(clock.ticks() - began);
    if (events.length < AT_ONCE) await changed;
    await rest(session, sent, rested, signal);
  }
}

const restAfter = (took: number): number => Math.min(REST.most, Math.max(REST.least, REST.times * took));

/** Made once: without a reason each abort would make an exception with a stack. */
const RESTED = new Error("rested");

/** Waits until `until`, so that a fast model costs one message for many words. An event is never kept waiting. */
async function rest(session: Session, sent: number, until: number, signal: AbortSignal): Promise<void> {
  const { clock } = session.services;
  const left = until - clock.ticks();
  if (left <= 0) return;
  const over = new AbortController();
  const rested = clock.wait(left, over.signal).then(
    () => over.abort(RESTED),
    () => undefined, // something came before
  );
  while (session.seq <= sent && !over.signal.aborted && !signal.aborted) await session.changed(over.signal);
  over.abort(RESTED);
  await rested;
}
