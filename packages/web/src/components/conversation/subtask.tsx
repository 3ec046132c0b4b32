import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { CallEntry } from "@baton/core/session/transcript/entry";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import type { SessionRow } from "@baton/core/session/session-list";
import { useStreams } from "../../store/session/session-context.ts";
import { routeHref } from "../../store/route.ts";
import { oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../icon.tsx";
import { ModeName } from "../composer/mode-name.tsx";
import { Elapsed } from "../sidebar/relative-time.tsx";
import { SessionStatus } from "../sidebar/session-status.tsx";
import { formatCount, formatMoney, formatDuration } from "@baton/core/text/format";

const SAYS: Record<SessionRow["status"], string> = {
  waiting: "Waits for your answer, below",
  working: "Working",
  failed: "Failed",
  unknown: "Outcome unknown",
  idle: "Done",
};

/** The final text of a subtask, without its facts, which are shown next to it. */
const finalText = ({ text, child }: ToolResult): string => (child && text.includes("\n\n") ? text.slice(text.indexOf("\n\n")) : text);

/** A call that delegated work to a subtask. */
export function Subtask({ row, entry: { id, result, startedAt, endedAt } }: { row: SessionRow; entry: CallEntry }) {
  const ownAnswers = useObservableValue(useApp().ownAnswers).filter(
    ({ sessionId }) => sessionId === row.id || sessionId.startsWith(`${row.id}.`),
  );
  const progress = useStreams(({ outputs }) => outputs.get(id)?.text.trim().split("\n").at(-1) ?? "");
  return (
    <div className="task">
      <div className="head">
        <Icon name="type-hierarchy-sub" className="dim" />
        <ModeName slug={row.mode} />
        <a className="cut strong" href={routeHref({ page: "session", id: row.id })}>
          {oneLine(row.title) || "Subtask"}
        </a>
        <span className="r dim nowrap">
          {formatCount(row.steps, "step")} · {formatMoney(row.cost)}
        </span>
      </div>
      {ownAnswers.map(({ text }, i) => (
        <div key={i} className="live">
          <Icon name="reply" small className="dim" />
          <span className="cut">{oneLine(text)}</span>
        </div>
      ))}
      <div className="live">
        <SessionStatus status={row.status} />
        <span className="cut">
          {row.status === "waiting" ? SAYS.waiting : oneLine(result ? finalText(result) : progress) || SAYS[row.status]}
        </span>
        <span className="r dim nowrap">
          {startedAt === undefined ? "" : endedAt === undefined ? <Elapsed since={startedAt} /> : formatDuration(endedAt - startedAt)}
        </span>
      </div>
    </div>
  );
}
