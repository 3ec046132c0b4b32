import type { DiffView, Hunk } from "@baton/core/protocol/tool-view";
import { sanitize, escapeInvisible } from "@baton/core/text/sanitize";
import { formatCount, lineEndsText } from "@baton/core/text/format";
import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import { Icon } from "../icon.tsx";
import { truncateLine } from "../text/truncate-lines.ts";
import { highlightLanguageOf } from "../text/use-tokens.ts";
import { DiffLines, type DiffDisplayLine } from "./diff-lines.tsx";
import { diffRows, firstRows, interleave, pairs, type DiffRow } from "./diff-rows.ts";

/** A finished change shows this many lines at first. */
const AT_ONCE = 60;
/** A longer replacement alternates between both sides. */
const MAX_REPLACEMENT = 40;
/** Two sides need this width, in pixels. */
const MIN_SPLIT_WIDTH = 760;

/** A change of a file. `whole` shows exact lines for an approval, in a box of their own, side by side if there is room. */
export function Diff({ view, whole = false }: { view: DiffView; whole?: boolean }) {
  const [all, setAll] = useState(false);
  const box = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const wide = useWide(box);
  const split = whole && wide && view.change === "change"; // a new file has no other side
  const hunks = useMemo(() => view.hunks.map(diffRows), [view]);
  const total = hunks.reduce((sum, rows) => sum + rows.length, 0);
  const isShort = !whole && !all && total > AT_ONCE + 5;
  const lines = useMemo(() => diffLines(isShort ? firstRows(hunks, AT_ONCE) : hunks, split), [hunks, isShort, split]);
  return (
    <figure
      ref={box}
      className={`diff${whole ? " whole" : ""}`}
      aria-label={`${whole ? "Proposed change" : "Change"} of ${sanitize(view.path)}`}
    >
      {whole ? (
        <div className="path">
          <code data-path={view.path}>{escapeInvisible(view.path)}</code>
          <span className="r nowrap">
            <DiffCounts view={view} />
          </span>
        </div>
      ) : undefined}
      {view.lineEnds ? <p className="gap">{lineEndsText(view.lineEnds)}</p> : undefined}
      <div
        ref={scroller}
        className="lines"
        tabIndex={whole ? 0 : undefined}
        role={whole ? "group" : undefined}
        aria-label={whole ? "Lines" : undefined}
      >
        <DiffLines
          lines={lines}
          scroller={whole ? scroller : undefined}
          draw={whole ? escapeInvisible : shortLine}
          language={highlightLanguageOf(view.path)}
        />
      </div>
      {isShort ? (
        <button type="button" className="fold" aria-expanded={false} onClick={() => setAll(true)}>
          <Icon name="chevron-down" small />
          <span>
            Show all {formatCount(total, "line")} <span className="dim">({formatCount(total - AT_ONCE, "line")} left out)</span>
          </span>
        </button>
      ) : undefined}
    </figure>
  );
}

const shortLine = (text: string): string => truncateLine(sanitize(text));

/** The lines of all hunks, one below the other or side by side. */
function diffLines(hunks: readonly (readonly DiffRow[])[], split: boolean): DiffDisplayLine[] {
  return hunks.flatMap((rows, i): DiffDisplayLine[] => [...(i > 0 ? [{ kind: "gap" } as const] : []), ...linesOfRows(rows, split)]);
}

const linesOfRows = (rows: readonly DiffRow[], split: boolean): DiffDisplayLine[] =>
  split
    ? pairs(rows).map((pair): DiffDisplayLine => ({ kind: "pair", pair }))
    : interleave(rows, MAX_REPLACEMENT).map((row): DiffDisplayLine => ({ kind: "row", row }));

/** The lines of hunks, each below its head. */
export const linesWithHeads = (hunks: readonly Hunk[], split: boolean): DiffDisplayLine[] =>
  hunks.flatMap((hunk): DiffDisplayLine[] => {
    const rows = diffRows(hunk);
    return [{ kind: "head", hunk, rows }, ...linesOfRows(rows, split)];
  });

/** Whether an element is wide enough for two sides. */
export function useWide(box: RefObject<HTMLElement | null>): boolean {
  const [wide, setWide] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setWide(element.clientWidth >= MIN_SPLIT_WIDTH);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return wide;
}

/** `+4 −2` */
export function DiffCounts({ view: { added, removed } }: { view: Pick<DiffView, "added" | "removed"> }) {
  return (
    <>
      {added > 0 ? <span className="add-ink">+{added}</span> : undefined}{" "}
      {removed > 0 ? <span className="del-ink">−{removed}</span> : undefined}
    </>
  );
}
