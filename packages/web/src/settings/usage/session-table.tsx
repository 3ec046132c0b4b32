import type { UsedSum } from "@baton/core/session/usage-totals";
import { oneLine } from "@baton/core/text/sanitize";
import { count } from "@baton/core/text/format";
import { useApp, useWatched } from "../../store/app-context.ts";
import { hrefOf } from "../../store/route.ts";
import { baseOf } from "../../components/text/format.ts";
import { amountText, type Unit } from "./format-amount.ts";

const SHOWN = 8;

/** The sessions that used the most, with their subtasks. */
export function SessionTable({ sessions, unit }: { sessions: readonly UsedSum[]; unit: Unit }) {
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

function SessionLine({ session, unit }: { session: UsedSum; unit: Unit }) {
  const row = useWatched(useApp().lists.sessions)?.find(({ id }) => id === session.key);
  const subtasks = session.sessions - (session.own === undefined || session.title === null ? 0 : 1);
  return (
    <tr>
      <td>
        <a href={hrefOf({ page: "session", id: session.key })}>{oneLine(row?.title ?? session.title ?? "") || "(no prompt yet)"}</a>
        {subtasks > 0 ? <span className="dim"> with {count(subtasks, "subtask")}</span> : undefined}
      </td>
      <td className="dim" title={row?.workspace}>
        {row ? oneLine(baseOf(row.workspace)) : ""}
      </td>
      <td className="num">{amountText(unit, session)}</td>
    </tr>
  );
}
