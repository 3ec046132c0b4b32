import type { Logged } from "../protocol/event.ts";
import type { SessionApi, SessionPage } from "./daemon-api.ts";

const PAGE_SIZE = 5_000;

/** Reads every event of a session that counts, oldest first. */
export async function readAllEvents(
  { session }: { session: Pick<SessionApi["session"], "open" | "page"> },
  sessionId: string,
): Promise<Logged[]> {
  const newest = await session.open.query({ sessionId, tail: PAGE_SIZE });
  const pages = [ownEvents(newest)];
  for (let before = newest.from; before > 1;) {
    const page = await session.page.query({ sessionId, before, atLeast: PAGE_SIZE });
    pages.unshift(ownEvents(page));
    before = page.from;
  }
  return pages.flat();
}

/** The events of a page without the earlier prompts that it repeats; these are part of their own page. */
const ownEvents = ({ from, events }: SessionPage): Logged[] => events.filter(({ seq }) => seq >= from);
