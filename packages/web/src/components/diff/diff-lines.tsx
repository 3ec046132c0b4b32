import type { Hunk } from "@baton/core/protocol/tool-view";
import { memo, useMemo, type ReactNode } from "react";
import { paintLine, tokensByLine } from "../text/line-segments.ts";
import { useTokens } from "../text/use-tokens.ts";
import type { HighlightToken } from "../text/highlight.ts";
import type { DiffRow, Pair } from "./diff-rows.ts";
import { useNearView, type Scroller } from "../conversation/use-near-view.ts";

/** A line on the screen: one row, two rows side by side, a gap between two hunks, or the head of a hunk with its rows. */
export type DiffDisplayLine =
  | { kind: "row"; row: DiffRow }
  | { kind: "pair"; pair: Pair }
  | { kind: "gap" }
  | { kind: "head"; hunk: Hunk; rows: readonly DiffRow[] };

/** How the text of a line is shown, and what the user can do with it. */
type LineOptions = {
  draw: (text: string) => string;
  language: string | undefined;
  /** The user clicked the number of a line. */
  onLine?: ((row: DiffRow) => void) | undefined;
  /** Content below a line, such as a comment. */
  below?: ((row: DiffRow) => ReactNode) | undefined;
  /** The content of a hunk's head. */
  head?: ((hunk: Hunk, rows: readonly DiffRow[]) => ReactNode) | undefined;
};

/** Lines are drawn in groups. A group far outside the view is a blank of its height, so that long diffs stay fast. */
const GROUP = 80;
const MARGIN = "800px 0px";
const GUESSED_LINE = 20;

/** `scroller`: the box that scrolls the lines. Without one, the transcript does. */
type Props = LineOptions & { lines: readonly DiffDisplayLine[]; scroller?: Scroller | undefined };

export function DiffLines({ lines, scroller, ...options }: Props) {
  const groups = useMemo(
    () => Array.from({ length: Math.ceil(lines.length / GROUP) }, (_, i) => lines.slice(i * GROUP, (i + 1) * GROUP)),
    [lines],
  );
  return groups.map((group, i) => <Group key={i} lines={group} first={i === 0} scroller={scroller} {...options} />);
}

type GroupProps = LineOptions & { lines: readonly DiffDisplayLine[]; first: boolean; scroller: Props["scroller"] };

const Group = memo(function Group({ lines, first, scroller, ...options }: GroupProps) {
  const { box, near, height } = useNearView(first, MARGIN, scroller);
  return (
    <div ref={box} style={near ? undefined : { height: height.current ?? lines.length * GUESSED_LINE }}>
      {near ? <Lines lines={lines} {...options} /> : undefined}
    </div>
  );
});

function Lines({ lines, ...options }: LineOptions & { lines: readonly DiffDisplayLine[] }) {
  const rows = useMemo(() => [...new Set(lines.flatMap(rowsOf))], [lines]);
  const tokens = useTokens(rows.map(({ text }) => text).join("\n"), options.language);
  const byRow = useMemo(() => {
    const byLine = tokens && tokensByLine(tokens);
    return new Map(rows.map((row, i) => [row, byLine?.[i]]));
  }, [rows, tokens]);
  return (
    <ol>
      {lines.map((line, i) => {
        switch (line.kind) {
          case "gap":
            return (
              <li key={i} className="gap">
                ⋯
              </li>
            );
          case "head":
            return (
              <li key={i} className="gap">
                {options.head?.(line.hunk, line.rows)}
              </li>
            );
          case "row":
            return <RowLine key={i} row={line.row} tokens={byRow.get(line.row)} {...options} />;
          case "pair":
            return <PairLine key={i} pair={line.pair} tokensOf={(row) => byRow.get(row)} {...options} />;
        }
      })}
    </ol>
  );
}

function rowsOf(line: DiffDisplayLine): DiffRow[] {
  switch (line.kind) {
    case "gap":
    case "head":
      return [];
    case "row":
      return [line.row];
    case "pair":
      return [line.pair.left ?? [], line.pair.right ?? []].flat();
  }
}

type RowProps = LineOptions & { row: DiffRow; tokens: readonly HighlightToken[] | undefined };

function RowLine({ row, below, ...rest }: RowProps) {
  return (
    <li className={CLASSES[row.sign]}>
      <Cells row={row} {...rest} />
      {below?.(row)}
    </li>
  );
}

type PairProps = LineOptions & { pair: Pair; tokensOf: (row: DiffRow) => readonly HighlightToken[] | undefined };

function PairLine({ pair: { left, right }, tokensOf, below, ...rest }: PairProps) {
  const half = (row: DiffRow | undefined, number = row?.number) =>
    row ? (
      <div className={CLASSES[row.sign]}>
        <Cells row={row} number={number} tokens={tokensOf(row)} {...rest} />
      </div>
    ) : (
      <div className="none" />
    );
  return (
    <li className="pair">
      {half(left, left?.oldNumber)}
      {half(right)}
      {left && left.sign === "-" ? below?.(left) : undefined}
      {right ? below?.(right) : undefined}
    </li>
  );
}

const CLASSES: Record<DiffRow["sign"], string> = { " ": "", "+": "a", "-": "d" };

function Cells({
  row,
  number = row.number,
  tokens,
  draw,
  onLine,
}: Omit<RowProps, "below" | "head" | "language"> & { number?: number | undefined }) {
  const { sign, text, from, to } = row;
  const marks = sign !== " " && to > from;
  return (
    <>
      {onLine ? (
        <button type="button" tabIndex={-1} className="number" aria-label={`Comment on line ${number}`} onClick={() => onLine(row)}>
          {number}
        </button>
      ) : (
        <span className="number">{number}</span>
      )}
      <span className="sign">
        {sign === " " ? undefined : (
          <>
            <span aria-hidden="true">{sign === "+" ? "+" : "−"}</span>
            <span className="vh">{sign === "+" ? "added" : "removed"}</span>
          </>
        )}
      </span>
      <span className="text">
        {paintLine(text, tokens, marks ? from : 0, marks ? to : 0).map(({ text: part, kind, marked }, i) => {
          const shown = draw(part);
          const className = kind === undefined ? undefined : `c-${kind}`;
          if (marked)
            return sign === "+" ? (
              <ins key={i} className={className} children={shown} />
            ) : (
              <del key={i} className={className} children={shown} />
            );
          return className === undefined ? shown : <span key={i} className={className} children={shown} />;
        })}
      </span>
    </>
  );
}
