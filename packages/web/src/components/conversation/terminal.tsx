import type { TerminalView } from "@baton/core/protocol/view";
import { useState } from "react";
import { Icon } from "../icon.tsx";
import { outputLines } from "../text/truncate-lines.ts";
import { formatCount } from "@baton/core/text/format";

const HEAD = 8;
const TAIL = 14;

/** Output of a program: its start and end, with the rest on demand. It shows how many lines the daemon left out. */
export function TerminalOutput({ view }: { view: Pick<TerminalView, "head" | "tail" | "omittedLines"> }) {
  const [all, setAll] = useState(false);
  const [first, last] = [outputLines(view.head), outputLines(view.tail)];
  const omitted = view.omittedLines;
  const lines = omitted > 0 ? undefined : [...first, ...last];
  if ((lines ?? first).length === 0) return undefined;
  if (lines && (all || lines.length <= HEAD + TAIL + 1)) return <Lines parts={[lines]} />;
  const head = all ? first : (lines ?? first).slice(0, HEAD);
  const tail = all ? last : (lines ?? last).slice(-TAIL);
  const hiddenLines = omitted + (lines ? lines.length : first.length + last.length) - head.length - tail.length;
  const total = omitted + first.length + last.length;
  return (
    <div className="term">
      <pre>{head.join("\n")}</pre>
      {all && omitted > 0 ? (
        <p className="fold">{formatCount(omitted, "line")} were not kept</p>
      ) : (
        <button className="fold" aria-expanded={false} onClick={() => setAll(true)}>
          <Icon name="chevron-down" small />
          <span>
            Show {omitted > 0 ? "more" : `all ${formatCount(total, "line")}`}{" "}
            <span className="dim">({formatCount(hiddenLines, "line")} left out)</span>
          </span>
        </button>
      )}
      <pre>{tail.join("\n")}</pre>
    </div>
  );
}

export const Lines = ({ parts }: { parts: readonly (readonly string[])[] }) => (
  <div className="term">
    {parts.map((lines, i) => (
      <pre key={i}>{lines.join("\n")}</pre>
    ))}
  </div>
);
