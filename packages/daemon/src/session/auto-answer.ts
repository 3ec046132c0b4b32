import type { Request } from "@baton/core/protocol/request";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Clock } from "../port/clock.ts";
import { inBackground } from "./in-background.ts";
import type { Sessions } from "./sessions.ts";

/** `afterMs` is how long a question of an agent waits before it is answered in the person's place; undefined: for ever. */
type AutoAnswer = {
  sessions: Sessions;
  afterMs: () => number | undefined;
  clock: Clock;
  report: (problem: string, error: unknown) => void;
};

const DAEMON = { daemon: true } as const;

/**
 * Answers questions of agents with their first suggestion where the person has set a time for it. Approvals, plans and
 * changes of mode are never answered. The setting is looked at once more when the time has come.
 */
export function openAutoAnswer({ sessions, afterMs, clock, report }: AutoAnswer): { close: () => void } {
  const closing = new AbortController();
  const { signal } = closing;

  const questions = async (): Promise<{ sessionId: SessionId; request: Request }[]> => {
    const open = await sessions.lists.requests();
    return open.filter(({ request }) => request.kind === "question" && request.tool === "ask_followup_question");
  };

  const answer = async (sessionId: SessionId, { id: requestId, choices }: Request): Promise<void> => {
    const session = await sessions.find(sessionId);
    const [first] = choices;
    if ("refused" in session || !first) return;
    await session.handle({ type: "answer", requestId, answer: { choice: first.id }, by: DAEMON }, `auto-${requestId}`);
  };

  /** Answers what is due, and gives how long nothing else is, in milliseconds. */
  const look = async (): Promise<number> => {
    const after = afterMs();
    if (after === undefined) return OFF_MS;
    const [oldest] = (await questions()).toSorted((a, b) => a.request.openedAt - b.request.openedAt);
    if (!oldest) return OFF_MS;
    const left = oldest.request.openedAt + after - clock.now();
    if (left > 0) return Math.min(left, OFF_MS);
    await answer(oldest.sessionId, oldest.request);
    return 0;
  };

  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      const round = new AbortController();
      const stop = () => round.abort(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      const changed = sessions.changes.inbox.next(round.signal);
      const waited = clock.wait(await look(), round.signal).catch(() => undefined); // a change came first
      await Promise.race([changed, waited]);
      signal.removeEventListener("abort", stop);
      round.abort();
    }
  };

  inBackground(watch(), report);
  return { close: () => closing.abort(new Error("the daemon is stopping")) };
}

/** While nothing is to be answered, the setting is looked at this often. */
const OFF_MS = 60_000;
