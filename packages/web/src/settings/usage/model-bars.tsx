import { noTotals, type UsageSum } from "@baton/core/session/usage-totals";
import { oneLine } from "@baton/core/text/sanitize";
import { rowAmount, formatAmount, type Unit } from "./format-amount.ts";
import { seriesColor } from "./series-color.ts";

/** The models, the one used most first, each with its colour in the chart. */
export function ModelBars({ models, unit }: { models: readonly UsageSum[]; unit: Unit }) {
  const most = rowAmount(unit, models[0] ?? noTotals) || 1;
  const other = unit === "cost" ? "tokens" : "cost";
  return (
    <div>
      <h2 id="by-model">By model</h2>
      <ul className="models-used" aria-labelledby="by-model">
        {models.map((model, rank) => (
          <li key={model.key} className={seriesColor(rank)}>
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
