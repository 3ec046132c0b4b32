import { formatCount, formatMoney } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import type { SessionRow } from "@baton/core/session/session-list";
import { memo, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Place } from "../store/data/place-folders.ts";
import { routeHref } from "../store/route.ts";
import { DiffCounts } from "../components/diff/diff.tsx";
import { Icon } from "../components/icon.tsx";
import { PlaceLabel } from "../components/place-label.tsx";
import { Ago } from "../components/sidebar/relative-time.tsx";
import { SessionStatus } from "../components/sidebar/session-status.tsx";
import { baseName } from "../components/text/strings.ts";
import type { LoadedSummaries } from "./session-summaries.ts";

type Props = {
  row: SessionRow;
  waits: boolean;
  /** The open request of the session, in one line. */
  request: string | undefined;
  place: Place | undefined;
  /** Says which files other sessions changed too. Empty if there are none. */
  shared: string;
  /** Whether the Tab key reaches this card. */
  stop: boolean;
  summaries: LoadedSummaries | undefined;
  onFocus: (id: string) => void;
  onArchive: (row: SessionRow) => Promise<void>;
};

/** A session on the board: title, folder or place, last line, changes, cost and age. */
export const BoardCard = memo(function BoardCard({ row, waits, request, place, shared, stop, summaries, onFocus, onArchive }: Props) {
  const { id, title, workspace, cost, updatedAt, archived, status } = row;
  const box = useRef<HTMLLIElement>(null);
  const summary = useSummary(box, row, summaries);
  const archiveLabel = archived ? "Restore from archive" : "Archive";
  return (
    <li ref={box} className="boardcard">
      <a
        href={routeHref({ page: "session", id })}
        data-card={id}
        tabIndex={stop ? 0 : -1}
        aria-keyshortcuts="a x"
        onFocus={() => onFocus(id)}
      >
        <span className={status === "idle" && !waits ? "head done" : "head"}>
          <SessionStatus status={waits ? "waiting" : status} />
          <span className="title" dir="auto">
            {oneLine(title) || "(no prompt yet)"}
          </span>
        </span>
        <span className="sub">
          <span className="cut">{oneLine(baseName(place?.checkout ?? workspace))}</span>
          {place ? <PlaceLabel place={place} /> : undefined}
        </span>
        <span className="last cut" dir="auto">
          {request ?? (summary && summary.lastLine !== title ? oneLine(summary.lastLine) : "")}
        </span>
        {shared === "" ? undefined : (
          <span className="shared" title={shared} dir="auto">
            <Icon name="files" small /> {shared}
          </span>
        )}
        <span className="facts">
          {summary && summary.files > 0 ? (
            <span className="nowrap">
              {formatCount(summary.files, "file")} <DiffCounts view={summary} />
            </span>
          ) : undefined}
          <span className="r">{cost > 0 ? formatMoney(cost) : ""}</span>
          <span className="nowrap">
            <Ago since={updatedAt} />
          </span>
        </span>
      </a>
      <span className="tools">
        {place?.group === undefined ? undefined : (
          <a
            className="btn quiet small icon"
            href={routeHref({ page: "versions", group: place.group })}
            aria-label="Compare versions"
            title="Compare versions"
            tabIndex={-1}
          >
            <Icon name="versions" small />
          </a>
        )}
        <button
          type="button"
          className="btn quiet small icon"
          aria-label={archiveLabel}
          title={`${archiveLabel} (X)`}
          tabIndex={-1}
          onClick={() => void onArchive(row)}
        >
          <Icon name="archive" small />
        </button>
      </span>
    </li>
  );
});

/** The summary of a session, loaded while its card is on the screen. */
function useSummary(box: React.RefObject<HTMLElement | null>, { id, seq }: SessionRow, summaries: LoadedSummaries | undefined) {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    return watchVisible(element, setVisible);
  }, [box]);
  useEffect(() => {
    if (visible) summaries?.want(id, seq);
  }, [visible, id, seq, summaries]);
  return useSyncExternalStore(summaries?.watch ?? neverChanges, () => summaries?.of(id));
}

const neverChanges = () => () => undefined;

const callbacks = new WeakMap<Element, (visible: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** One observer for all cards. */
function watchVisible(element: Element, onChange: (visible: boolean) => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) callbacks.get(target)?.(isIntersecting);
  });
  callbacks.set(element, onChange);
  observer.observe(element);
  return () => {
    callbacks.delete(element);
    observer?.unobserve(element);
  };
}
