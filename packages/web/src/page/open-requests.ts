import type { Request } from "@baton/core/protocol/request";
import { openRequests, type SessionState } from "@baton/core/session/state";
import type { InboxItem } from "../store/lists.ts";

/** A request of the session on the page, of one of its subtasks, or of its folder. `session` names the subtask. */
export type Open = { request: Request; mode: string; sessionId: string; session: string | undefined; nth: number };

/** All that waits here, oldest first. */
export function openHere(id: string, state: SessionState, inbox: readonly InboxItem[] = []): Open[] {
  const own = openRequests(state).map((request): Open => ({ request, mode: modeOf(state), sessionId: id, session: undefined, nth: 0 }));
  const known = new Set<string>(own.map(({ request }) => request.id));
  const others = inbox
    .filter((item) => !known.has(item.id) && (item.sessionId.startsWith(`${id}.`) || isOfFolder(item, state.workspace)))
    .map((item): Open => ({ request: item, mode: item.mode, sessionId: item.sessionId, session: nameOf(item), nth: 0 }));
  return [...own, ...others].toSorted((a, b) => a.request.openedAt - b.request.openedAt).map((open, nth) => ({ ...open, nth }));
}

/** What is asked of a folder as a whole waits in each of its sessions. */
const isOfFolder = ({ subject }: InboxItem, workspace: string): boolean => "workspace" in subject && subject.workspace === workspace;

const nameOf = ({ subject, title }: InboxItem): string | undefined => ("workspace" in subject ? undefined : title || "a subtask");

/** A step's calls run under the mode that the step was begun in. */
const modeOf = (state: SessionState): string => state.step?.mode || state.mode;
