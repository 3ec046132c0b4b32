import { addTotals, noTotals, totalsPer, type UsageTotals, type UsageDimension, type UsageSum } from "@baton/core/session/usage-totals";
import { formatCount } from "@baton/core/text/format";
import { useState } from "react";
import { routeHref } from "../../store/route.ts";
import { rowAmount, formatAmount, cachedText, medianText, type Unit } from "./format-amount.ts";
import { Chart } from "./chart.tsx";
import type { ChartDay } from "./chart-layout.ts";
import { DayTable } from "./day-table.tsx";
import { SERIES } from "./series-color.ts";
import { ModelBars } from "./model-bars.tsx";
import { SegmentedControl } from "./segmented-control.tsx";
import { SessionTable } from "./session-table.tsx";
import { useUsage, type UsagePerDay } from "./use-usage.ts";
import "./usage.css";

const SPANS = [7, 14, 90] as const;
const UNITS = ["cost", "tokens"] as const;

/** What all sessions used: in all, by day, by model, and which of them the most. */
export function UsageTab() {
  const [span, setSpan] = useState<number>(14);
  const [unit, setUnit] = useState<Unit>("cost");
  const known = useUsage(span);
  return (
    <>
      <header>
        <h1>Usage</h1>
        <span className="dim">All sessions of all folders.</span>
        <SegmentedControl name="Span" values={SPANS} chosen={span} word={(days) => `${days} days`} onChoose={setSpan} />
        <SegmentedControl
          name="Unit"
          values={UNITS}
          chosen={unit}
          word={(each) => (each === "cost" ? "Cost" : "Tokens")}
          onChoose={setUnit}
        />
      </header>
      {known === undefined ? undefined : known.used.length === 0 ? (
        <NothingUsed days={known.days.length} />
      ) : (
        <Figures known={known} unit={unit} />
      )}
    </>
  );
}

function Figures({ known: { days, used }, unit }: { known: UsagePerDay; unit: Unit }) {
  const all = sumOf(used);
  const byDay = totalsPer("day", used);
  const models = mostFirst(totalsPer("model", used), unit);
  const sessions = mostFirst(totalsPer("session", used), unit);
  const today = byDay.find(({ key }) => key === days.at(-1)) ?? noTotals;
  return (
    <>
      <div className="stats">
        <Figure value={formatAmount(unit, all)} what={`${days.length} days`} />
        <Figure value={formatAmount(unit, today)} what="today" />
        <Figure value={cachedText(all)} what="input read from cache" />
        <Figure value={medianText(unit, sessions)} what={`median of ${formatCount(sessions.length, "session")}`} />
      </div>
      <Unsure used={all} unit={unit} />
      <Chart days={chartDays(days, used, models, unit)} unit={unit} />
      <div className="pair">
        <ModelBars models={models} unit={unit} />
        <SessionTable sessions={sessions} unit={unit} />
      </div>
      <DayTable days={byDay} all={all} />
    </>
  );
}

const Figure = ({ value, what }: { value: string; what: string }) => (
  <div>
    <span className="big">{value}</span>
    <span>{what}</span>
  </div>
);

/** Why a sum says "at least" or "about". */
function Unsure({ used: { unpriced, estimated }, unit }: { used: UsageTotals; unit: Unit }) {
  const says = [
    ...(unpriced && unit === "cost" ? ["At least: a part has no known price; cost of a model, in providers of the config, says it."] : []),
    ...(estimated > 0 ? ["About: a part is estimated, as replies that broke off were counted by nobody."] : []),
  ];
  return says.length === 0 ? undefined : <p className="dim unsure">{says.join(" ")}</p>;
}

const NothingUsed = ({ days }: { days: number }) => (
  <div className="nothing-yet">
    <h2>Nothing was used in the last {days} days</h2>
    <p>
      Each step of a session counts here, with its tokens and with what they cost: by day, by model and by session, subtasks with the
      session that handed them out. <a href={routeHref({ page: "new" })}>Begin a session</a>.
    </p>
    <p className="dim">
      In a shell: <code>baton usage --days {days}</code>. Limits of money that ask when they are reached are <code>limits.cost</code> and{" "}
      <code>limits.costPerDay</code> of the config.
    </p>
  </div>
);

const sumOf = (used: readonly UsageDimension[]): UsageTotals => used.reduce<UsageTotals>(addTotals, noTotals);

const mostFirst = (sums: readonly UsageSum[], unit: Unit): UsageSum[] => sums.toSorted((a, b) => rowAmount(unit, b) - rowAmount(unit, a));

/** What each model used on each day; those that have no colour of their own are one. */
function chartDays(days: readonly string[], used: readonly UsageDimension[], models: readonly UsageSum[], unit: Unit): ChartDay[] {
  const ranks = new Map(models.map(({ key }, rank) => [key, Math.min(rank, SERIES - 1)]));
  const amounts = new Map(days.map((day) => [day, Array.from({ length: SERIES }, () => 0)]));
  for (const one of used) {
    const [ofDay, rank = 0] = [amounts.get(one.day), ranks.get(one.model)];
    if (ofDay) ofDay[rank] = (ofDay[rank] ?? 0) + rowAmount(unit, one);
  }
  return Array.from(amounts, ([day, ofDay]) => ({ day, amounts: ofDay }));
}
