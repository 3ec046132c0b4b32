import type { Logged, SessionEvent } from "@baton/core/protocol/event";
import type { Session } from "../session.ts";

/** A part of a transcript as events, which the client folds. `from` is the seq of its first event. */
type TranscriptPage = { from: number; events: Logged[] };

/**
 * Whole steps that end before `before`, with at least `atLeast` events if there are as many. A part begins where no call is
 * open. Rewound events are left out. Prompts that were received earlier but entered the conversation here come first, with
 * their own seq.
 */
export async function readTranscriptPage(session: Session, before: number, atLeast: number): Promise<TranscriptPage> {
  const {
    store: { log },
  } = session.services;
  const from = Math.max(1, await log.lastOf(session.id, "model.started", before - atLeast));
  const counts = await stillCounts(session);
  const events = (await session.log.readStored(from - 1, before - from)).filter(counts);
  const here = new Set(events.flatMap((event) => (event.type === "prompt.received" ? [event.promptId] : [])));
  const missing = events.flatMap((event) => (event.type === "prompt.delivered" ? event.promptIds.filter((id) => !here.has(id)) : []));
  if (missing.length === 0 || from === 1) return { from, events };
  const earlier = (await session.log.readStored(0, from - 1)).filter(
    (event) => event.type === "prompt.received" && missing.includes(event.promptId),
  );
  return { from, events: [...earlier, ...events] };
}

/** Tells which events have not been rewound. */
async function stillCounts({
  services: {
    store: { log },
  },
  id,
}: Session): Promise<(event: Logged) => boolean> {
  const rewindings = await log.ofType<SessionEvent>(id, "session.rewound");
  const rewoundRanges = rewindings.flatMap((event) => (event.type === "session.rewound" ? [{ after: event.to, before: event.seq }] : []));
  return ({ seq }) => !rewoundRanges.some(({ after, before }) => seq > after && seq < before);
}
