import { tracked, type TrackedEnvelope } from "@trpc/server";
import type { ListChange, SessionRow } from "@baton/core/session/session-list";
import type { Sessions } from "../session/sessions.ts";
import type { WatchOptions } from "./watch-value.ts";
import { waitUntilDrained } from "./http/backpressure.ts";
import { readWithRetry } from "./read-with-retry.ts";

type FollowRowsOptions = WatchOptions & { workspace?: string | undefined; lastEventId?: string | null | undefined };

/** Yields the whole list of sessions, or the changes since a mark, then changed rows and the ids of removed ones. */
export async function* streamSessionList(
  { changes, lists }: Pick<Sessions, "changes" | "lists">,
  { workspace, lastEventId, socket, clock, signal, restMs }: FollowRowsOptions,
): AsyncGenerator<TrackedEnvelope<ListChange<SessionRow>>> {
  let position = lastEventId ?? "";
  while (!signal.aborted) {
    const next = changes.list.next(signal);
    const { mark } = changes.list;
    const ids = changes.list.since(position);
    if (!ids) {
      const rows = await readWithRetry(() => lists.sessions(workspace === undefined ? {} : { workspace }), clock, signal);
      yield tracked(mark, { whole: true, rows, gone: [] });
    }
    if (ids && ids.length > 0) {
      const changedRows = await readWithRetry(() => lists.rows(ids), clock, signal);
      const rows = changedRows.filter((row) => !row.archived && (workspace === undefined || row.workspace === workspace));
      const listed = new Set(rows.map(({ id }) => id));
      yield tracked(mark, { whole: false, rows, gone: ids.filter((id) => !listed.has(id)) });
    }
    position = mark;
    await waitUntilDrained(socket, clock, signal);
    await next;
    if (!signal.aborted) await clock.wait(restMs, signal).catch(() => undefined); // aborted: no client follows anymore
  }
}
