import { omitUndefined } from "../text/omit-undefined.ts";
import type { InboxItem } from "../protocol/request.ts";
import { applyListChange, type SessionRow } from "../session/session-list.ts";
import type { InboxApi, SessionListApi, Subscription } from "./daemon-api.ts";

/** Follows the list of sessions. `onChange` receives the whole list at first and after every change, the latest change first. */
export function followSessionList(
  api: SessionListApi,
  onChange: (rows: readonly SessionRow[]) => void,
  onError?: (error: unknown) => void,
): Subscription {
  let rows: readonly SessionRow[] = [];
  return api.session.followList.subscribe(
    { changes: true },
    { onData: ({ data }) => onChange((rows = applyListChange(rows, data))), ...omitUndefined({ onError }) },
  );
}

/**
 * Follows the open requests of all sessions. `onChange` receives all of them at first and after every change, oldest first. An editor
 * passes the id of its window, which counts as open while it follows.
 */
export function followInbox(
  api: InboxApi,
  onChange: (items: readonly InboxItem[]) => void,
  { window, onError }: { window?: string; onError?: (error: unknown) => void } = {},
): Subscription {
  return api.request.follow.subscribe(window === undefined ? {} : { window }, {
    onData: ({ data }) => onChange(data),
    ...omitUndefined({ onError }),
  });
}
