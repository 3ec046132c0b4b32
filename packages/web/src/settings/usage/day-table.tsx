import type { UsageTotals, UsageSum } from "@baton/core/session/usage/usage-totals";
import { formatNumber, formatCost, formatTokens } from "@baton/core/text/format";
import { cachedText } from "./format-amount.ts";
import { shortDay } from "./chart-layout.ts";

/** Usage by day as a table, newest first, without empty days. */
export function DayTable({ days, all }: { days: readonly UsageSum[]; all: UsageTotals }) {
  return (
    <>
      <h2 id="by-day">Day by day</h2>
      <table className="table days" aria-labelledby="by-day">
        <thead>
          <tr>
            <th>day</th>
            <th className="num">input</th>
            <th className="num">cached</th>
            <th className="num">output</th>
            <th className="num wide-only">sessions</th>
            <th className="num wide-only">steps</th>
            <th className="num">cost</th>
          </tr>
        </thead>
        <tbody>
          {days
            .toSorted((a, b) => b.key.localeCompare(a.key))
            .map((day) => (
              <DayLine key={day.key} name={shortDay(day.key)} used={day} sessions={formatNumber(day.sessions)} />
            ))}
        </tbody>
        <tfoot>
          <DayLine name="total" used={all} sessions="" />
        </tfoot>
      </table>
    </>
  );
}

function DayLine({ name, used, sessions }: { name: string; used: UsageTotals; sessions: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="num">{formatTokens(used.input)}</td>
      <td className="num">{cachedText(used)}</td>
      <td className="num">{formatTokens(used.output)}</td>
      <td className="num wide-only">{sessions}</td>
      <td className="num wide-only">{formatNumber(used.steps)}</td>
      <td className="num">{formatCost(used)}</td>
    </tr>
  );
}
