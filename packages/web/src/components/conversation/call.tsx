import type { CallEntry } from "@baton/core/session/transcript/entry";
import { oneLine } from "@baton/core/text/sanitize";
import { useSessionRow, useSession, useStreams } from "../../store/session/session-context.ts";
import { FinishedCall } from "./finished-call.tsx";
import { NeedsYouIcon, Icon, WorkingIcon } from "../icon.tsx";
import { outputLines } from "../text/truncate-lines.ts";
import { Markdown } from "../text/markdown.tsx";
import { Elapsed } from "../sidebar/relative-time.tsx";
import { Subtask } from "./subtask.tsx";
import { ToolView } from "./tool-view.tsx";
import { formatTime } from "@baton/core/text/format";
import { capitalize } from "../text/strings.ts";

/** A call in any state. */
export function CallRow({ entry }: { entry: CallEntry }) {
  const { id } = useSession();
  const child = useSessionRow(`${id}.${entry.id}`);
  if (child) return <Subtask row={child} entry={entry} />;
  switch (entry.phase) {
    case "requested":
    case "allowed":
    case "running":
      return <Running entry={entry} />;
    case "waiting":
      return <Waiting entry={entry} />;
    case "unknown":
      return <Unknown entry={entry} />;
    case "ok":
    case "failed":
    case "denied":
    case "interrupted":
      return entry.result?.ends ? <LastWord entry={entry} /> : <FinishedCall entry={entry} />;
  }
}

/** A call that waits for the user; its request is a card of its own. */
const Waiting = ({ entry: { label } }: { entry: CallEntry }) => (
  <div className="call">
    <div className="head">
      <NeedsYouIcon className="st-wait" />
      <span className="verb">{capitalize(oneLine(label.verb))}</span>
      <span className="what">{oneLine(label.object)}</span>
      <span className="end">needs you</span>
    </div>
  </div>
);

const LIVE_LINES = 6;

/** A running call, with its duration and the end of its output. */
function Running({ entry }: { entry: CallEntry }) {
  const output = useStreams(({ outputs }) => outputs.get(entry.id)?.text ?? "");
  const lines = outputLines(output.slice(-4_096)).filter((line) => line.trim() !== "");
  return (
    <div className="call running">
      <div className="head">
        <WorkingIcon />
        <span className="verb">
          {capitalize(oneLine(entry.label.verb))}
          <span className="vh"> (working)</span>
        </span>
        <span className="what">{oneLine(entry.label.object)}</span>
        <span className="end">
          {entry.waitsForHook === undefined ? undefined : `hook ${oneLine(entry.waitsForHook)}, `}
          <Elapsed since={entry.startedAt ?? entry.at} />
        </span>
      </div>
      {lines.length === 0 ? undefined : (
        <div className="body">
          <div className="term live">
            <pre>{lines.slice(-LIVE_LINES).join("\n")}</pre>
          </div>
        </div>
      )}
    </div>
  );
}

function Unknown({ entry: { label, startedAt, result } }: { entry: CallEntry }) {
  return (
    <div className="call unknown">
      <div className="head">
        <Icon name="question" className="st-unknown" />
        <span className="verb strong">Outcome unknown</span>
        <span className="what">{oneLine(label.object)}</span>
        <span className="end">{startedAt === undefined ? "" : `started ${formatTime(startedAt)}`}</span>
      </div>
      <div className="body">
        {oneLine((result?.view ? result.text.split("\n\n", 1)[0] : result?.text) ?? "")}
        {result?.view ? <ToolView view={result.view} /> : undefined}
      </div>
    </div>
  );
}

/** The text of a call that ends the turn is drawn like a reply. */
function LastWord({ entry: { result } }: { entry: CallEntry }) {
  const view = result?.view;
  const text = view?.type === "text" ? view.text : (result?.text ?? "");
  return (
    <div className="prose">
      <Markdown text={text} />
    </div>
  );
}
