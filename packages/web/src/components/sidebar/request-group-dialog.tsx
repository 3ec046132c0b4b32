import type { InboxItem } from "@baton/core/protocol/request";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { INPUT_DELAY_MS } from "@baton/core/client/request-input-guard";
import { useEffect, useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { routeHref } from "../../store/route.ts";
import { ExactText } from "../conversation/tool-view.tsx";
import { Dialog } from "../dialog.tsx";
import { requestHeadline } from "../request/request-titles.ts";
import { Age } from "./relative-time.tsx";

type Props = { items: readonly [InboxItem, ...InboxItem[]]; onClose: () => void };

/** Shows requests for the same action with their sessions, and answers those that the user selects. */
export function AlikeDialog({ items, onClose }: Props) {
  const { commands, answeredHere, tell } = useApp();
  const connected = useConnected();
  const [first] = items;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const chosen = items.filter(({ id }) => !left.has(id));
  const isSettled = useSettled(items.map(({ id }) => id).join(" "));
  const answer = async (choice: "once" | "deny") => {
    setBusy(true);
    const results = await Promise.allSettled(
      chosen.map(async (item) => {
        answeredHere.add(item.id);
        await commands.answer(item, { choice });
      }),
    );
    const failed = results.find((result) => result.status === "rejected");
    setBusy(false);
    if (failed) tell(failed.reason);
    else onClose();
  };
  const toggle = (id: string) => setLeft(left.has(id) ? new Set([...left].filter((each) => each !== id)) : new Set([...left, id]));
  const disabled = !connected || busy || !isSettled || chosen.length === 0;
  return (
    <Dialog title={`${requestHeadline(first)} ${formatCount(items.length, "request")}`} onClose={onClose}>
      <ExactText view={first.view} text={first.text} />
      <ul className="plain-list alike">
        {items.map((item) => (
          <li key={item.id}>
            <label className="row">
              <input type="checkbox" checked={!left.has(item.id)} onChange={() => toggle(item.id)} />
              <span className="cut">
                {oneLine(item.title) || "(no prompt yet)"} <span className="dim">in {escapeInvisible(item.folder ?? item.workspace)}</span>
              </span>
            </label>
            <a href={routeHref({ page: "session", id: item.sessionId, request: item.id })} onClick={onClose}>
              Open
            </a>
            <span className="dim nowrap">
              <Age since={item.openedAt} />
            </span>
          </li>
        ))}
      </ul>
      <div className="row wrap">
        <button type="button" className="btn" disabled={disabled} onClick={() => void answer("once")}>
          Allow {chosen.length} once
        </button>
        <button type="button" className="btn" disabled={disabled} onClick={() => void answer("deny")}>
          Deny {chosen.length}
        </button>
        <button type="button" className="btn quiet r" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

/** False for a moment after the requests have appeared or changed, so that no click answers what was not read. */
function useSettled(key: string): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), INPUT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return settled === key;
}
