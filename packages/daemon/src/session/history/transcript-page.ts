import type { LoggedEvent, SessionEvent } from "@baton/core/protocol/event";
import type { Session } from "../session.ts";

/** A part of a transcript as events, which the client folds. `from` is the seq of its first event. */
type TranscriptPage = { from: number; events: LoggedEvent[] };

/**
 * Whole steps that end before `before`, with at least `atLeast` events if there are as many. A part begins where no call is
 * open. Rewound events are left out. Prompts that were received earlier but entered the conversation here come first, with
 * their edits and their own seq.
 */
export async function readTranscriptPage(session: Session, before: number, atLeast: number): Promise<TranscriptPage> {
  const removed = await removedRanges(session);
  const from = await stepBefore(session, countBack(before, atLeast, removed), removed);
  const events = await readKept(session, from, before, removed);
  const here = new Set(events.flatMap((event) => (event.type === "prompt.received" ? [event.promptId] : [])));
  const missing = events.flatMap((event) => (event.type === "prompt.delivered" ? event.promptIds.filter((id) => !here.has(id)) : []));
  if (missing.length === 0 || from === 1) return { from, events };
  const earlier = (await session.log.readStored(0, from - 1)).filter(
    (event) => (event.type === "prompt.received" || event.type === "prompt.edited") && missing.includes(event.promptId),
  );
  return { from, events: [...earlier, ...events] };
}

/** Events that a rewind removed, by their seq. `to` is the last one. */
type Range = { from: number; to: number };

/** The ranges of a session, oldest first. They do not overlap. */
async function removedRanges({ id, services }: Session): Promise<Range[]> {
  const rewinds = await services.store.log.ofType<SessionEvent>(id, "session.rewound");
  const all = rewinds.flatMap((event) => (event.type === "session.rewound" ? [{ from: event.to + 1, to: event.seq - 1 }] : []));
  const merged: Range[] = [];
  for (const range of all.sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else merged.push(range);
  }
  return merged;
}

/** The seq from which on there are `count` events before `before` that no rewind removed. Below 1 if there are fewer. */
function countBack(before: number, count: number, removed: readonly Range[]): number {
  let [at, left] = [before, count];
  for (const { from, to } of removed.toReversed()) {
    if (from >= at) continue;
    const between = Math.max(0, at - 1 - to);
    if (between >= left) break;
    at = from;
    left = left - between;
  }
  return at - left;
}

/** The seq at which the first attempt of the last step at or before `seq` starts that no rewind removed. 1 if there is none. */
async function stepBefore(session: Session, seq: number, removed: readonly Range[]): Promise<number> {
  const start = await session.services.store.log.lastOf(session.id, "model.started", seq);
  const range = removed.find(({ from, to }) => from <= start && start <= to);
  if (range) return stepBefore(session, range.from - 1, removed);
  const [event] = start > 0 ? await session.log.readStored(start - 1, 1) : [];
  return event?.type === "model.started" && event.attempt > 1 ? stepBefore(session, start - 1, removed) : Math.max(1, start);
}

async function readKept(session: Session, from: number, before: number, removed: readonly Range[]): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  let at = from;
  for (const range of [...removed, { from: before, to: before }]) {
    const end = Math.min(range.from, before);
    if (end > at) events.push(...(await session.log.readStored(at - 1, end - at)));
    at = Math.max(at, range.to + 1);
  }
  return events;
}
