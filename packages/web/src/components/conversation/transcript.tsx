import { memo, useMemo, useRef } from "react";
import type { Part, SessionSnapshot } from "../../store/session/session-store.ts";
import { TranscriptRow } from "./entry.tsx";
import { rowSeq, transcriptRows, type ConversationRow } from "./transcript-rows.ts";
import { useNearView, type Scroller } from "./use-near-view.ts";

const ROWS_AT_ONCE = 12;
const GUESSED_ROW = 48;
/** How far beyond the visible area rows are drawn. */
const MARGIN = "900px 0px";

/**
 * The transcript. It draws rows in groups of a dozen. A group far outside the view becomes a blank of the same height, so
 * that long sessions stay fast.
 */
export function TranscriptList({
  snapshot,
  hidden,
  scroller,
}: {
  snapshot: SessionSnapshot;
  hidden: ReadonlySet<string>;
  scroller: Scroller;
}) {
  return snapshot.parts.map((part, i) => {
    const newest = i === snapshot.parts.length - 1;
    return (
      <TranscriptPart
        key={part.from}
        part={part}
        version={newest ? snapshot.version : 0}
        hidden={newest ? hidden : NONE}
        newest={newest}
        scroller={scroller}
      />
    );
  });
}

const NONE: ReadonlySet<string> = new Set();

type PartProps = { part: Part; version: number; hidden: ReadonlySet<string>; newest: boolean; scroller: Scroller };

const TranscriptPart = memo(function PartOf({ part, version, hidden, newest, scroller }: PartProps) {
  const before = useRef<ReadonlyMap<string, ConversationRow>>(new Map());
  const chunks = useMemo(() => {
    const rows = transcriptRows(part.entries, hidden, before.current);
    before.current = new Map(rows.map((row) => [row.id, row]));
    const found: ConversationRow[][] = [];
    for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) found.push(rows.slice(i, i + ROWS_AT_ONCE));
    return found;
    // the entries of the newest part change in place, and `version` tells when
  }, [part, version, hidden]);
  return chunks.map((rows, i) => <Chunk key={i} rows={rows} last={newest && i >= chunks.length - 2} scroller={scroller} />);
}, sameePart);

function sameePart(a: PartProps, b: PartProps): boolean {
  return a.part.entries === b.part.entries && a.version === b.version && a.hidden === b.hidden && a.newest === b.newest;
}

type ChunkProps = { rows: readonly ConversationRow[]; last: boolean; scroller: Scroller };

const Chunk = memo(function Chunk({ rows, last, scroller }: ChunkProps) {
  const { box, near, height } = useNearView(last, MARGIN, scroller);
  const drawn = near || last;
  return (
    <div
      ref={box}
      className="chunk"
      data-seq={firstSeq(rows)}
      style={drawn ? undefined : { height: height.current ?? rows.length * GUESSED_ROW }}
    >
      {drawn ? rows.map((row) => <TranscriptRow key={row.id} row={row} />) : undefined}
    </div>
  );
}, sameRows);

const firstSeq = ([first]: readonly ConversationRow[]): number | undefined => first && rowSeq(first);

function sameRows(a: ChunkProps, b: ChunkProps): boolean {
  return a.last === b.last && a.rows.length === b.rows.length && a.rows.every((row, i) => row === b.rows[i]);
}
