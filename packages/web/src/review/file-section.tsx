import type { Hunk } from "@baton/core/protocol/tool-view";
import { escapeInvisible, oneLine, sanitize } from "@baton/core/text/sanitize";
import { lineEndsText } from "@baton/core/text/format";
import { useMemo, useState, type RefObject } from "react";
import type { FileEditor } from "../store/data/edited-files.ts";
import { DiffCounts, linesWithHeads } from "../components/diff/diff.tsx";
import { DiffLines } from "../components/diff/diff-lines.tsx";
import type { DiffRow } from "../components/diff/diff-rows.ts";
import { EditedByOthers } from "../components/conversation/edited-by-others.tsx";
import { Icon } from "../components/icon.tsx";
import { truncateLine } from "../components/text/truncate-lines.ts";
import { highlightLanguageOf } from "../components/text/use-tokens.ts";
import { HunkHead, hunkProblem } from "./hunk-head.tsx";
import { OpenInEditor } from "./open-in-editor.tsx";
import { isAt, placeOfRow, type LineComment } from "./line-comments.ts";
import type { SessionChange } from "./use-review.ts";

type Props = {
  change: SessionChange;
  /** Other sessions that changed the file. */
  others: readonly FileEditor[];
  split: boolean;
  seen: boolean;
  canRestore: boolean;
  comments: readonly LineComment[];
  scroller: RefObject<HTMLElement | null>;
  onSeen: (seen: boolean) => void;
  /** Undefined where a file cannot be restored alone. */
  onRestore: (() => void) | undefined;
  onRestoreHunk: ((hunk: Hunk) => void) | undefined;
  onComment: (comment: LineComment) => void;
};

/** One changed file: its lines, with comments, and what the user can do with it. A file that was seen is folded. */
export function FileSection({
  change,
  others,
  split,
  seen,
  canRestore,
  comments,
  scroller,
  onSeen,
  onRestore,
  onRestoreHunk,
  onComment,
}: Props) {
  const { path, view, elsewhere } = change;
  const [sure, setSure] = useState(false);
  const [open, setOpen] = useState(!seen);
  const [editing, setEditing] = useState<DiffRow>();
  const lines = useMemo(() => (view ? linesWithHeads(view.hunks, split && view.change === "change") : []), [view, split]);
  const below = (row: DiffRow) => {
    const place = placeOfRow(path, row);
    const known = comments.find((each) => isAt(each, place));
    if (editing === row)
      return (
        <CommentField
          text={known?.text ?? ""}
          onDone={(text) => {
            setEditing(undefined);
            if (text !== undefined) onComment({ ...place, quote: row.text, text });
          }}
        />
      );
    if (!known) return undefined;
    return (
      <button type="button" className="comment" onClick={() => setEditing(row)}>
        <Icon name="comment" small /> <span dir="auto">{sanitize(known.text)}</span>
      </button>
    );
  };
  const head = (hunk: Hunk, rows: readonly DiffRow[]) => {
    const first = rows.find(({ sign }) => sign !== " ");
    return (
      <HunkHead
        hunk={hunk}
        problem={onRestoreHunk === undefined ? "" : hunkProblem(change)}
        canRestore={canRestore}
        onRestore={() => onRestoreHunk?.(hunk)}
        onComment={() => first && setEditing(first)}
      />
    );
  };
  return (
    <section className="diff reviewed" aria-label={sanitize(path)} data-file={path}>
      <div className="path">
        <button
          type="button"
          className="btn quiet small icon"
          aria-expanded={open}
          aria-label={open ? "Fold this file" : "Unfold this file"}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? "chevron-down" : "chevron-right"} small />
        </button>
        <code data-path={path} title={sanitize(path)}>
          {oneLine(path)}
        </code>
        <span className="nowrap">{view ? <DiffCounts view={view} /> : undefined}</span>
        <span className="r row">
          {change.after === null ? undefined : <OpenInEditor path={path} line={view?.hunks[0]?.newStart ?? 1} />}
          {onRestore === undefined ? undefined : sure ? (
            <>
              <button
                type="button"
                className="btn small"
                onClick={() => {
                  setSure(false);
                  onRestore();
                }}
              >
                {change.before === null ? "Delete the file" : "Restore the file"}
              </button>
              <button type="button" className="btn quiet small" onClick={() => setSure(false)}>
                Cancel
              </button>
            </>
          ) : (
            <button
              type="button"
              className="btn quiet small"
              disabled={!canRestore || elsewhere}
              title={elsewhere ? "Somebody else has changed it since" : undefined}
              onClick={() => setSure(true)}
            >
              Restore
            </button>
          )}
          <label className="row">
            <input
              type="checkbox"
              checked={seen}
              onChange={(event) => {
                onSeen(event.target.checked);
                setOpen(!event.target.checked);
              }}
            />
            Seen
          </label>
        </span>
      </div>
      {open ? (
        <>
          {others.length > 0 ? (
            <p className="gap">
              <EditedByOthers editors={others} />
            </p>
          ) : undefined}
          {elsewhere ? (
            <p className="gap">
              {others.length > 0 ? "The file has changed since then." : "Somebody else has changed this file since then."}
            </p>
          ) : undefined}
          {view?.lineEnds ? <p className="gap">{lineEndsText(view.lineEnds)}</p> : undefined}
          {view === undefined ? (
            <p className="gap">{change.after === null ? "Deleted. " : ""}The content is not text, so it is not shown.</p>
          ) : undefined}
          <div className="lines">
            <DiffLines
              lines={lines}
              scroller={scroller}
              draw={drawLine}
              language={highlightLanguageOf(path)}
              onLine={setEditing}
              below={below}
              head={head}
            />
          </div>
        </>
      ) : undefined}
    </section>
  );
}

const drawLine = (text: string): string => truncateLine(escapeInvisible(text));

/** The field for a comment. Escape leaves it as it was; an empty text removes the comment. */
function CommentField({ text, onDone }: { text: string; onDone: (text: string | undefined) => void }) {
  const [typed, setTyped] = useState(text);
  return (
    <form
      className="comment"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(typed);
      }}
    >
      <textarea
        className="field"
        aria-label="Comment"
        placeholder="Comment for the agent"
        rows={2}
        dir="auto"
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onDone(undefined);
          if (event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          onDone(typed);
        }}
      />
      <span className="row">
        <button className="btn small">Comment</button>
        <button type="button" className="btn quiet small" onClick={() => onDone(undefined)}>
          Cancel
        </button>
      </span>
    </form>
  );
}
