import type { Request, InboxItem } from "@baton/core/protocol/request";
import { openRequests, type SessionState } from "@baton/core/session/state";

/** A request of the session on the page or of one of its subtasks. `session` is the title of the subtask. */
export type OpenRequests = { request: Request; mode: string; sessionId: string; session: string | undefined; nth: number };

/** The open requests of a session and its subtasks, oldest first. */
export function openRequestsHere(id: string, state: SessionState, inbox: readonly InboxItem[] = []): OpenRequests[] {
  const own = openRequests(state).map((request): OpenRequests => ({
    request,
    mode: stepMode(state),
    sessionId: id,
    session: undefined,
    nth: 0,
  }));
  const ofSubtasks = inbox
    .filter(({ sessionId }) => sessionId.startsWith(`${id}.`))
    .map((item): OpenRequests => ({
      request: item,
      mode: item.mode,
      sessionId: item.sessionId,
      session: item.title || "a subtask",
      nth: 0,
    }));
  return [...own, ...ofSubtasks].toSorted((a, b) => a.request.openedAt - b.request.openedAt).map((open, nth) => ({ ...open, nth }));
}

/** The calls of a step run in the mode in which the step began. */
const stepMode = (state: SessionState): string => state.step?.mode || state.mode;
