import type { Hunk } from "@baton/core/protocol/tool-view";
import { Icon } from "../components/icon.tsx";
import type { SessionChange } from "./use-review.ts";

type Props = { hunk: Hunk; problem: string | undefined; canRestore: boolean; onRestore: () => void; onComment: () => void };

/** The lines of a hunk, with what the user can do with all of them. `problem`: why they cannot be restored; empty if there is no button. */
export function HunkHead({ hunk, problem, canRestore, onRestore, onComment }: Props) {
  const lines = linesText(hunk);
  return (
    <div className="row hunkhead">
      <span>{lines}</span>
      <span className="r row">
        <button
          type="button"
          className="btn quiet small icon"
          aria-label={`Comment on ${lines.toLowerCase()}`}
          title="Comment"
          onClick={onComment}
        >
          <Icon name="comment" small />
        </button>
        {problem === "" ? undefined : (
          <button
            type="button"
            className="btn quiet small"
            disabled={!canRestore || problem !== undefined}
            title={problem}
            aria-label={`Restore ${lines.toLowerCase()}`}
            onClick={onRestore}
          >
            Restore
          </button>
        )}
      </span>
    </div>
  );
}

/** The changed lines of a hunk in the new file: "Line 3", "Lines 3 to 8", or the line after which lines were removed. */
function linesText({ newStart, lines }: Hunk): string {
  const first = lines.findIndex((line) => !line.startsWith(" "));
  const last = lines.findLastIndex((line) => !line.startsWith(" "));
  const from = newStart + first;
  const to = from + lines.slice(first, last + 1).filter((line) => !line.startsWith("-")).length - 1;
  if (to < from) return from === 1 ? "Start of the file" : `After line ${from - 1}`;
  return from === to ? `Line ${from}` : `Lines ${from} to ${to}`;
}

/** Why no hunk of a change can be restored. Empty if only the whole file can be: a new or a deleted one. */
export function hunkProblem({ before, after, elsewhere, current }: SessionChange): string | undefined {
  if (before === null || after === null) return "";
  if (elsewhere) return "Somebody else has changed it since";
  return current ? undefined : "A later turn has changed it. Show the whole session to restore lines";
}
