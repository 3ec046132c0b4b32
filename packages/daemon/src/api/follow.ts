import type { Frame } from "@baton/core/protocol/frame";
import type { Logged } from "@baton/core/protocol/event";
import { tracked, type TrackedEnvelope } from "@trpc/server";
import type { WebSocket } from "ws";
import { nothingSeen } from "../session/live.ts";
import type { Session } from "../session/session.ts";
import { drained } from "./drained.ts";

/** What a follower gets at each wake-up: events in the order of their seq, then what is streaming. */
export type Followed = { events: Logged[]; frames: Frame[] };

const AT_ONCE = 500;

/**
 * Everything after `seq`, then whatever comes. The log is the buffer: nothing is queued for a slow reader, and nothing
 * falls between what lies in the log and what comes, as the change is taken before the log is read.
 */
export async function* follow(
  session: Session,
  seq: number,
  socket: WebSocket,
  signal: AbortSignal,
): AsyncGenerator<TrackedEnvelope<Followed>> {
  const seen = nothingSeen();
  for (let sent = seq; !signal.aborted;) {
    const changed = session.changed(signal);
    const events = await session.read(sent, AT_ONCE);
    sent = events.at(-1)?.seq ?? sent;
    const frames = events.length < AT_ONCE ? session.live.framesSince(seen) : [];
    if (events.length > 0 || frames.length > 0) yield tracked(String(sent), { events, frames });
    await drained(socket, signal);
    if (events.length < AT_ONCE) await changed;
  }
}
