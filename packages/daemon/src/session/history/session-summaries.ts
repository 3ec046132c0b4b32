import type { SessionEvent } from "@baton/core/protocol/event";
import { emptySummary, foldSummary, summaryOf, type SessionSummary, type SummaryFold } from "./session-summary.ts";
import type { EventLog } from "../../store/event-log.ts";

export type SessionSummaries = { of: (id: string) => Promise<SessionSummary> };

const EVENTS_AT_ONCE = 2_000;
const MAX_REMEMBERED = 1_000;

/** Summaries of sessions from the log. It remembers those that were asked last, so that each event is read once and no session is opened. */
export function openSessionSummaries(log: Pick<EventLog, "read">): SessionSummaries {
  const known = new Map<string, Promise<SummaryFold>>();
  const fold = async (id: string, before: SummaryFold): Promise<SummaryFold> => {
    let now = before;
    for (;;) {
      const events = await log.read<SessionEvent>(id, now.seq, EVENTS_AT_ONCE);
      now = foldSummary(now, events);
      if (events.length < EVENTS_AT_ONCE) return now;
    }
  };
  return {
    async of(id) {
      const before = known.get(id) ?? Promise.resolve(emptySummary);
      const next = before.then((from) => fold(id, from));
      known.delete(id); // the newest is the last
      known.set(id, next);
      next.catch(() => known.delete(id));
      const oldest = known.size > MAX_REMEMBERED ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
      return summaryOf(await next);
    },
  };
}
