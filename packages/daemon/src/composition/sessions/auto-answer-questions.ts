import type { Request } from "@baton/core/protocol/request";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Refusal } from "@baton/core/protocol/refusal";
import type { Clock } from "../../system/clock.ts";
import { runInBackground } from "../../session/run-in-background.ts";
import type { Session } from "../../session/session.ts";
import type { Sessions } from "../../session/sessions.ts";

/** `afterMs`: how long a question of an agent waits before Baton answers it for the user. Undefined: forever. */
type AutoAnswer = {
  sessions: {
    lists: Pick<Sessions["lists"], "requests">;
    find: (id: SessionId) => Promise<Answering | { refused: Refusal }>;
    changes: Pick<Sessions["changes"], "inbox">;
  };
  afterMs: () => number | undefined;
  clock: Clock;
  report: (problem: string, error: unknown) => void;
};

type Answering = Pick<Session, "handle">;

const DAEMON = { daemon: true } as const;

/**
 * Answers questions of agents with their first suggestion after the time that the user has set. Approvals, plans and mode
 * changes are never answered. The setting is read again when the time has come.
 */
export function openAutoAnswer({ sessions, afterMs, clock, report }: AutoAnswer): { close: () => void } {
  const closing = new AbortController();
  const { signal } = closing;

  const questions = async (): Promise<{ sessionId: SessionId; request: Request }[]> => {
    const open = await sessions.lists.requests();
    return open.filter(({ request }) => request.kind === "question" && request.tool === "ask_followup_question");
  };

  /** Whether the session accepted the answer. */
  const answer = async (sessionId: SessionId, { id: requestId, choices }: Request): Promise<boolean> => {
    const session = await sessions.find(sessionId);
    const [first] = choices;
    if ("refused" in session || !first) return false;
    const settled = await session.handle({ type: "answer", requestId, answer: { choice: first.id }, by: DAEMON }, `auto-${requestId}`);
    return !("refused" in settled);
  };

  const reportError = (error: unknown) => report("a question could not be answered for the user", error);
  /** The time at which a question is tried again after its answer was refused. */
  const resting = new Map<string, number>();

  /** Answers the questions that are due. Returns the milliseconds until the next one. */
  const answerDue = async (): Promise<number> => {
    const after = afterMs();
    if (after === undefined) return OFF_MS;
    const open = await questions();
    for (const id of resting.keys()) if (!open.some(({ request }) => request.id === id)) resting.delete(id);
    let next = OFF_MS;
    for (const { sessionId, request } of open.toSorted((a, b) => a.request.openedAt - b.request.openedAt)) {
      const remainingMs = Math.max(request.openedAt + after, resting.get(request.id) ?? 0) - clock.now();
      const isTaken = remainingMs <= 0 && (await answer(sessionId, request).catch((error: unknown) => (reportError(error), false)));
      if (remainingMs <= 0 && !isTaken) resting.set(request.id, clock.now() + OFF_MS);
      else if (remainingMs > 0) next = Math.min(next, remainingMs);
    }
    return next;
  };

  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      const round = new AbortController();
      const stop = () => round.abort(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      const changed = sessions.changes.inbox.next(round.signal);
      const waited = clock
        .wait(await answerDue().catch((error: unknown) => (reportError(error), OFF_MS)), round.signal)
        .catch(() => undefined); // a change came first
      await Promise.race([changed, waited]);
      signal.removeEventListener("abort", stop);
      round.abort();
    }
  };

  runInBackground(watch(), report);
  return { close: () => closing.abort(new Error("the daemon is stopping")) };
}

/** The interval at which the setting is read while no question is open, and after which a refused answer is tried again. */
const OFF_MS = 60_000;
