import type { InboxItem } from "@baton/core/protocol/request";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { memo, Suspense, useMemo, useState } from "react";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { FolderContext } from "../../store/folder-context.ts";
import { routeHref } from "../../store/route.ts";
import { ModeIcon } from "../composer/mode-name.tsx";
import { Icon, KeyCap } from "../icon.tsx";
import { isApproval, plainTitle } from "../request/request-titles.ts";
import { baseName, capitalize } from "../text/strings.ts";
import { groupAlike, type AlikeRequests } from "./request-groups.ts";
import { moveWithArrows } from "./arrow-keys.ts";
import { Wait } from "./relative-time.tsx";
import { lazyComponent } from "../lazy-component.tsx";

/** Rarely used, so it is not part of the first load. */
const AlikeDialog = lazyComponent(async () => (await import("./request-group-dialog.tsx")).AlikeDialog);

/** The list begins with this many rows; the others are folded. */
const MAX_ROWS = 5;

/** All open requests of all sessions, oldest first. It stays in view while the sessions scroll. */
export function Inbox() {
  const { lists, now, route } = useApp();
  const items = useObservableValue(lists.inbox);
  const current = useObservableValue(now);
  const at = useObservableValue(route);
  const [all, setAll] = useState(false);
  const [opened, setOpened] = useState<string>();
  const groups = useMemo(() => groupAlike(items ?? []), [items]);
  const visible = all ? groups : groups.slice(0, MAX_ROWS);
  const hidden = groups.slice(visible.length).reduce((sum, group) => sum + group.items.length, 0);
  const isCurrent = (item: InboxItem) => at.page === "session" && item.id === current;
  const stop = Math.max(
    visible.findIndex((group) => group.items.some(isCurrent)),
    0,
  );
  const open = groups.find(({ key }) => key === opened);
  return (
    <section className="inbox" aria-label="Needs you" onKeyDown={moveWithArrows}>
      <h2 className={groups.length > 0 ? "group on" : "group"}>
        Needs you {items && items.length > 0 ? <span className="badge">{items.length}</span> : undefined}
        <span className="r nowrap dim">
          <KeyCap>G</KeyCap> <KeyCap>I</KeyCap>
        </span>
      </h2>
      {items?.length === 0 ? <p className="nothing">Nothing.</p> : undefined}
      {visible.map((group, i) =>
        group.items.length === 1 ? (
          <InboxRow key={group.key} item={group.items[0]} current={isCurrent(group.items[0])} stop={i === stop} />
        ) : (
          <GroupRow key={group.key} group={group} stop={i === stop} onOpen={() => setOpened(group.key)} />
        ),
      )}
      {groups.length <= MAX_ROWS ? undefined : (
        <button type="button" className="btn quiet small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `and ${hidden} more`}
        </button>
      )}
      <Suspense>{open ? <AlikeDialog items={open.items} onClose={() => setOpened(undefined)} /> : undefined}</Suspense>
    </section>
  );
}

type RowProps = { item: InboxItem; current: boolean; stop: boolean };

const InboxRow = memo(function InboxRow({ item, current, stop }: RowProps) {
  return (
    <a
      className="item"
      href={routeHref({ page: "session", id: item.sessionId, request: item.id })}
      aria-current={current ? "true" : undefined}
      tabIndex={stop ? 0 : -1}
    >
      <FolderContext value={item.workspace}>
        <ModeIcon slug={item.mode} />
      </FolderContext>
      <span className="cut">
        <RequestText item={item} />
      </span>
      <span className="end">
        <Wait request={item} />
      </span>
      <span className="sub">
        <span className="cut">
          {oneLine(baseName(item.workspace))} · {oneLine(item.title)}
        </span>
      </span>
    </a>
  );
});

/** Requests that ask for the same action. They can be answered together. */
function GroupRow({ group: { items }, stop, onOpen }: { group: AlikeRequests; stop: boolean; onOpen: () => void }) {
  const [first] = items;
  return (
    <button type="button" className="item" tabIndex={stop ? 0 : -1} aria-haspopup="dialog" onClick={onOpen}>
      <Icon name="layers" />
      <span className="cut">
        <RequestText item={first} />
      </span>
      <span className="end">
        <Wait request={first} />
      </span>
      <span className="sub">
        <span className="cut">
          {formatCount(items.length, "request")} in {formatCount(new Set(items.map(({ sessionId }) => sessionId)).size, "session")}
        </span>
      </span>
    </button>
  );
}

/** A request in a short line: the verb and exact object of a call, otherwise its title. */
function RequestText({ item }: { item: InboxItem }) {
  if (!isApproval(item)) return oneLine(plainTitle(item));
  const [verb = "", ...object] = oneLine(escapeInvisible(item.text)).split(" ");
  return (
    <>
      {capitalize(verb)} <code>{object.join(" ").slice(0, 200)}</code>
    </>
  );
}
