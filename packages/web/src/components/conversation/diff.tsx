import type { DiffView } from "@baton/core/protocol/view";
import { useState } from "react";
import { sanitize, escapeInvisible } from "@baton/core/text/sanitize";
import { diffRows, firstRows, pairs, type DiffRow } from "./diff-rows.ts";
import { Icon } from "../icon.tsx";
import { truncateLine } from "../text/truncate-lines.ts";
import { formatCount, lineEndsText } from "@baton/core/text/format";

/** How many lines are shown at first, in general and for approvals. */
const [AT_ONCE, AT_ONCE_WHOLE] = [60, 200];

/** A change of a file. `whole` shows exact lines for an approval, side by side if there is room. */
export function Diff({ view, whole = false }: { view: DiffView; whole?: boolean }) {
  const [all, setAll] = useState(false);
  const hunks = view.hunks.map(diffRows);
  const total = hunks.reduce((sum, rows) => sum + rows.length, 0);
  const most = whole ? AT_ONCE_WHOLE : AT_ONCE;
  const visible = all || total <= most + 5 ? hunks : firstRows(hunks, most);
  const splits = whole && view.change === "change"; // a new file has no other side
  const draw = (text: string) => (whole ? escapeInvisible(text) : truncateLine(sanitize(text)));
  return (
    <figure
      className={`diff${splits ? " may-split" : ""}`}
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
      <ol>
        {visible.map((rows, i) => [
          i > 0 ? (
            <li key={`gap ${i}`} className="gap">
              ⋯
            </li>
          ) : undefined,
          ...rows.map((row, n) => (
            <li key={`${i}.${n}`} className={CLASSES[row.sign]}>
              <span>{row.number}</span>
              <span>
                <SignText sign={row.sign} />
              </span>
              <span>
                <Words row={row} draw={draw} />
              </span>
            </li>
          )),
        ])}
      </ol>
      {splits ? (
        <div className="two">
          {visible.map((rows, i) => [
            i > 0 ? (
              <div key={`gap ${i}`} className="gap">
                ⋯
              </div>
            ) : undefined,
            ...pairs(rows).map(({ left, right }, n) => (
              <div key={`${i}.${n}`}>
                <Half row={left} draw={draw} />
                <Half row={right} draw={draw} />
              </div>
            )),
          ])}
        </div>
      ) : undefined}
      {visible === hunks ? undefined : (
        <button type="button" className="fold" aria-expanded={false} onClick={() => setAll(true)}>
          <Icon name="chevron-down" small />
          <span>
            Show all {formatCount(total, "line")} <span className="dim">({formatCount(total - most, "line")} left out)</span>
          </span>
        </button>
      )}
    </figure>
  );
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

const CLASSES: Record<DiffRow["sign"], string> = { " ": "", "+": "a", "-": "d" };

/** The sign of a row, visible and for screen readers. */
function SignText({ sign }: Pick<DiffRow, "sign">) {
  if (sign === " ") return undefined;
  return (
    <>
      <span aria-hidden="true" className="sign">
        {sign === "+" ? "+" : "−"}
      </span>
      <span className="vh">{sign === "+" ? "added" : "removed"}</span>
    </>
  );
}

type Draw = (text: string) => string;

function Words({ row: { sign, text, from, to }, draw }: { row: DiffRow; draw: Draw }) {
  if (sign === " " || to <= from) return draw(text);
  const changed = draw(text.slice(from, to));
  return (
    <>
      {draw(text.slice(0, from))}
      {sign === "+" ? <ins>{changed}</ins> : <del>{changed}</del>}
      {draw(text.slice(to))}
    </>
  );
}

function Half({ row, draw }: { row: DiffRow | undefined; draw: Draw }) {
  if (!row) return <span className="none" />;
  return (
    <span className={CLASSES[row.sign]}>
      <i>{row.number}</i>
      <u>
        <SignText sign={row.sign} />
      </u>
      <b>
        <Words row={row} draw={draw} />
      </b>
    </span>
  );
}
