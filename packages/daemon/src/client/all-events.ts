import type { Logged } from "@baton/core/protocol/event";

type Page = { from: number; events: Logged[] };

/** The procedures that reading a whole session takes. */
type Reading = {
  session: {
    open: { query: (of: { sessionId: string; tail: number }) => Promise<Page> };
    page: { query: (of: { sessionId: string; before: number; atLeast: number }) => Promise<Page> };
  };
};

const AT_ONCE = 5_000;

/** Every event of a session that counts, oldest first. */
export async function allEvents({ session }: Reading, sessionId: string): Promise<Logged[]> {
  const newest = await session.open.query({ sessionId, tail: AT_ONCE });
  const pages = [ofPage(newest)];
  for (let before = newest.from; before > 1;) {
    const page = await session.page.query({ sessionId, before, atLeast: AT_ONCE });
    pages.unshift(ofPage(page));
    before = page.from;
  }
  return pages.flat();
}

/** A page repeats prompts that were received earlier; here they come from their own page. */
const ofPage = ({ from, events }: Page): Logged[] => events.filter(({ seq }) => seq >= from);
