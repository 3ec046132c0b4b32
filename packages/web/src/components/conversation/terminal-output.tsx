import { readBlob } from "@baton/core/client/blob-transfer";
import type { TerminalView } from "@baton/core/protocol/tool-view";
import { formatCount } from "@baton/core/text/format";
import { useState, type ReactNode } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { Icon } from "../icon.tsx";
import { saveFile } from "../save-file.ts";
import { outputLines } from "../text/truncate-lines.ts";

const HEAD = 8;
const TAIL = 14;

type Output = Pick<TerminalView, "head" | "tail" | "omittedLines" | "blob">;

/** Output of a program: its start and end, with the rest on demand. */
export function TerminalOutput({ view }: { view: Output }) {
  const [all, setAll] = useState(false);
  const [first, last] = [outputLines(view.head), outputLines(view.tail)];
  const { omittedLines, blob } = view;
  const lines = omittedLines > 0 ? undefined : [...first, ...last];
  if ((lines ?? first).length === 0) return undefined;
  if (lines && lines.length <= HEAD + TAIL + 1) return <Lines parts={[lines]} />;
  if (all && omittedLines > 0 && blob !== undefined) return <WholeOutput blob={blob} onFold={() => setAll(false)} />;
  if (all && lines) return <Whole text={lines.join("\n")} onFold={() => setAll(false)} />;
  const head = all ? first : (lines ?? first).slice(0, HEAD);
  const tail = all ? last : (lines ?? last).slice(-TAIL);
  const total = omittedLines + first.length + last.length;
  return (
    <div className="term">
      <pre>{head.join("\n")}</pre>
      {all && omittedLines > 0 ? <p className="fold">{formatCount(omittedLines, "line")} were not kept</p> : undefined}
      {all ? undefined : (
        <Fold open={false} onClick={() => setAll(true)}>
          Show {omittedLines > 0 && blob === undefined ? "more" : `all ${formatCount(total, "line")}`}{" "}
          <span className="dim">({formatCount(total - head.length - tail.length, "line")} left out)</span>
        </Fold>
      )}
      {tail.length === 0 ? undefined : <pre>{tail.join("\n")}</pre>}
      {all ? (
        <Fold open onClick={() => setAll(false)}>
          Show less
        </Fold>
      ) : undefined}
    </div>
  );
}

/** The page shows at most this much of an output. The file that the user saves has all of it. */
const MAX_SHOWN_BYTES = 2_000_000;

/** The whole output, which the daemon keeps apart from the conversation. */
function WholeOutput({ blob, onFold }: { blob: string; onFold: () => void }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const read = async (maxBytes?: number) => new Blob(await readBlob(link.api, blob, maxBytes)).text();
  const load = async () => outputLines(await read(MAX_SHOWN_BYTES)).join("\n");
  const { data: text } = useQuery(connected ? load : undefined, [link, blob], { onError: tell });
  const save = () => void read().then((found) => saveFile("output.txt", found, "text/plain"), tell);
  return (
    <Whole text={text} onFold={onFold}>
      <button type="button" className="btn quiet small" disabled={!connected} onClick={save}>
        Save as a file
      </button>
    </Whole>
  );
}

/** A whole output in a box of its own. */
function Whole({ text, onFold, children }: { text: string | undefined; onFold: () => void; children?: ReactNode }) {
  return (
    <div className="term">
      <pre className="whole" tabIndex={0} role="group" aria-label="Whole output" aria-busy={text === undefined}>
        {text ?? "Loading …"}
      </pre>
      <div className="fold">
        <button type="button" className="btn quiet small" onClick={onFold}>
          Show less
        </button>
        {children}
      </div>
    </div>
  );
}

function Fold({ open, onClick, children }: { open: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="fold" aria-expanded={open} onClick={onClick}>
      <Icon name={open ? "chevron-up" : "chevron-down"} small />
      <span>{children}</span>
    </button>
  );
}

const Lines = ({ parts }: { parts: readonly (readonly string[])[] }) => (
  <div className="term">
    {parts.map((lines, i) => (
      <pre key={i}>{lines.join("\n")}</pre>
    ))}
  </div>
);
