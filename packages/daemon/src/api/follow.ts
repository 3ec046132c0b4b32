import type { Frame } from "@baton/core/protocol/frame";
import type { Logged } from "@baton/core/protocol/event";
import { tracked, type TrackedEnvelope } from "@trpc/server";
import { nothingSeen } from "../session/live.ts";
import type { Session } from "../session/session.ts";
import { drained, type Sink } from "./drained.ts";

/** What a follower gets at each wake-up: events in the order of their seq, then what is streaming. */
export type Followed = { events: Logged[]; frames: Frame[] };

const AT_ONCE = 500;
/** Between two messages that bring only what is streaming: some times as long as the last one took all, within bounds, in milliseconds. */
const REST = { times: 4, least: 4, most: 12 };

/**
 * Everything after `seq`, then whatever comes. The log is the buffer: nothing is queued for a slow reader, and nothing
 * falls between what lies in the log and what comes, as the change is taken before the log is read.
 */
export async function* follow(session: Session, seq: number, socket: Sink, signal: AbortSignal): AsyncGenerator<TrackedEnvelope<Followed>> {
  const { clock } = session.parts;
  const seen = nothingSeen();
  let rested = Number.NEGATIVE_INFINITY;
  for (let sent = seq; !signal.aborted;) {
    const began = clock.ticks();
    const changed = session.changed(signal);
    const events = await session.read(sent, AT_ONCE);
    sent = events.at(-1)?.seq ?? sent;
    const frames = events.length < AT_ONCE ? session.live.framesSince(seen) : [];
    if (events.length > 0 || frames.length > 0) yield tracked(String(sent), { events, frames });
    await drained(socket, clock, signal);
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
  const { clock } = session.parts;
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
