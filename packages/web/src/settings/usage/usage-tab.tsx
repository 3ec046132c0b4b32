import {
  addTotals,
  noTotals,
  totalsPer,
  type UsageTotals,
  type UsageDimension,
  type UsageSum,
} from "@baton/core/session/usage/usage-totals";
import { formatCount } from "@baton/core/text/format";
import { useState } from "react";
import { routeHref } from "../../store/route.ts";
import { rowAmount, formatAmount, cachedText, medianText, type Unit } from "./format-amount.ts";
import { Chart } from "./chart.tsx";
import { type ChartDay, SERIES, seriesColorClass, lastDays } from "./chart-layout.ts";
import { DayTable } from "./day-table.tsx";
import { SessionTable } from "./session-table.tsx";
import "./usage.css";
import { oneLine } from "@baton/core/text/sanitize";
import { useApp, useConnected, useObservableValue } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";

const SPANS = [7, 14, 90] as const;
const UNITS = ["cost", "tokens"] as const;

/** Usage of all sessions: total, by day, by model and by session. */
export function UsageTab() {
  const [span, setSpan] = useState<number>(14);
  const [unit, setUnit] = useState<Unit>("cost");
  const known = useUsage(span);
  return (
    <>
      <header>
        <h1>Usage</h1>
        <span className="dim">All sessions in all folders.</span>
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
  const all = sumUsage(used);
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
  const notes = [
    ...(unpriced && unit === "cost"
      ? ["At least: the price of a model is unknown. Set it as cost of the model, under providers in the config."]
      : []),
    ...(estimated > 0 ? ["About: usage of interrupted replies is estimated."] : []),
  ];
  return notes.length === 0 ? undefined : <p className="dim unsure">{notes.join(" ")}</p>;
}

const NothingUsed = ({ days }: { days: number }) => (
  <div className="nothing-yet">
    <h2>No usage in the last {days} days</h2>
    <p>
      Every step of a session counts, with its tokens and cost. Subtasks count for the session that delegated them.{" "}
      <a href={routeHref({ page: "new" })}>Start a session</a>.
    </p>
    <p className="dim">
      In a shell: <code>baton usage --days {days}</code>. The limits <code>limits.cost</code> and <code>limits.costPerDay</code> in the
      config ask before a session spends more.
    </p>
  </div>
);

const sumUsage = (used: readonly UsageDimension[]): UsageTotals => used.reduce<UsageTotals>(addTotals, noTotals);

const mostFirst = (sums: readonly UsageSum[], unit: Unit): UsageSum[] => sums.toSorted((a, b) => rowAmount(unit, b) - rowAmount(unit, a));

/** Usage of each model on each day. Models without a color of their own are combined. */
function chartDays(days: readonly string[], used: readonly UsageDimension[], models: readonly UsageSum[], unit: Unit): ChartDay[] {
  const ranks = new Map(models.map(({ key }, rank) => [key, Math.min(rank, SERIES - 1)]));
  const amounts = new Map(days.map((day) => [day, Array.from({ length: SERIES }, () => 0)]));
  for (const one of used) {
    const [ofDay, rank = 0] = [amounts.get(one.day), ranks.get(one.model)];
    if (ofDay) ofDay[rank] = (ofDay[rank] ?? 0) + rowAmount(unit, one);
  }
  return Array.from(amounts, ([day, ofDay]) => ({ day, amounts: ofDay }));
}

type Props<T> = { name: string; values: readonly T[]; chosen: T; word: (value: T) => string; onChoose: (value: T) => void };

/** A row of buttons of which one is chosen. */
function SegmentedControl<T extends string | number>({ name, values, chosen, word, onChoose }: Props<T>) {
  return (
    <div className="seg" role="group" aria-label={name}>
      {values.map((value) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {word(value)}
        </button>
      ))}
    </div>
  );
}

/** The models by usage, each with its color in the chart. */
function ModelBars({ models, unit }: { models: readonly UsageSum[]; unit: Unit }) {
  const most = rowAmount(unit, models[0] ?? noTotals) || 1;
  const other = unit === "cost" ? "tokens" : "cost";
  return (
    <div>
      <h2 id="by-model">By model</h2>
      <ul className="models-used" aria-labelledby="by-model">
        {models.map((model, rank) => (
          <li key={model.key} className={seriesColorClass(rank)}>
            <span>{oneLine(model.key) || "no model"}</span>
            <span>{formatAmount(unit, model)}</span>
            <span className="dim">{formatAmount(other, model)}</span>
            <span className="bar-of" aria-hidden="true">
              <i style={{ width: `${(100 * rowAmount(unit, model)) / most}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Usage on these days, oldest first. */
type UsagePerDay = { days: readonly string[]; used: readonly UsageDimension[] };

/**
 * Asks again when the cost of sessions changes, or when a turn begins or ends. The last data remains while the daemon is not
 * reachable.
 */
function useUsage(span: number): UsagePerDay | undefined {
  const { link, lists, tell } = useApp();
  const connected = useConnected();
  const rows = useObservableValue(lists.sessions);
  const ever = rows?.reduce((sum, { cost }) => sum + cost, 0);
  const working = rows?.filter(({ status }) => status === "working").length; // without prices, only the end of a turn shows that usage has changed
  const load = async (signal: AbortSignal): Promise<UsagePerDay> => {
    const days = lastDays(span, Date.now());
    return { days, used: await link.api.usage.since.query({ day: days[0] ?? "" }, { signal }) };
  };
  return useQuery(connected ? load : undefined, [link, span, ever, working], { onError: tell }).data;
}
