import type { UsageSum } from "@baton/core/session/usage/usage-totals";
import { oneLine } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { routeHref } from "../../store/route.ts";
import { baseName } from "../../components/text/strings.ts";
import { formatAmount, type Unit } from "./format-amount.ts";

const SHOWN = 8;

/** The sessions with the highest usage, including their subtasks. */
export function SessionTable({ sessions, unit }: { sessions: readonly UsageSum[]; unit: Unit }) {
  return (
    <div>
      <h2>{unit === "cost" ? "Costliest sessions" : "Largest sessions"}</h2>
      <table className="table">
        <thead>
          <tr>
            <th>session</th>
            <th>folder</th>
            <th className="num">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {sessions.slice(0, SHOWN).map((session) => (
            <SessionLine key={session.key} session={session} unit={unit} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SessionLine({ session, unit }: { session: UsageSum; unit: Unit }) {
  const row = useObservableValue(useApp().lists.sessions)?.find(({ id }) => id === session.key);
  const subtasks = session.sessions - (session.own === undefined || session.title === null ? 0 : 1);
  return (
    <tr>
      <td>
        <a href={routeHref({ page: "session", id: session.key })}>{oneLine(row?.title ?? session.title ?? "") || "(no prompt yet)"}</a>
        {subtasks > 0 ? <span className="dim"> with {formatCount(subtasks, "subtask")}</span> : undefined}
      </td>
      <td className="dim" title={row?.workspace}>
        {row ? oneLine(baseName(row.workspace)) : ""}
      </td>
      <td className="num">{formatAmount(unit, session)}</td>
    </tr>
  );
}
