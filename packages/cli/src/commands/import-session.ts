import type { Logged } from "@baton/core/protocol/event";
import { newCommandId } from "@baton/core/client/command-links";
import type { Api } from "../connection/daemon-connection.ts";

/** Characters in a piece: a message to the daemon has at most a megabyte, and one of these takes three bytes at most. */
const MAX_PER_PIECE = 300_000;
const MAX_EVENTS = 5_000;

/** Hands an export over, piece by piece, and gives the id of the new session. */
export async function importEvents(api: Api, workspace: string, events: readonly Logged[]): Promise<string> {
  const commandId = newCommandId();
  for (let from = 0; ;) {
    const piece = pieceFrom(events, from);
    const last = from + piece.length >= events.length;
    const { id } = await api.session.import.mutate({ commandId, workspace, events: piece, from, last });
    if (id !== null) return id;
    from += piece.length;
  }
}

/** At least one event, and no more than fit. */
function pieceFrom(events: readonly Logged[], from: number): Logged[] {
  let [end, letters] = [from, 0];
  while (end < events.length && end - from < MAX_EVENTS) {
    letters += JSON.stringify(events[end]).length;
    if (letters > MAX_PER_PIECE && end > from) break;
    end++;
  }
  return events.slice(from, end);
}
