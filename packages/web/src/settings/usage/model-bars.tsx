import { nothingUsed, type UsedSum } from "@baton/core/session/usage-totals";
import { oneLine } from "@baton/core/text/sanitize";
import { amountOf, amountText, type Unit } from "./format-amount.ts";
import { hueOf } from "./series-color.ts";

/** The models, the one used most first, each with its colour in the chart. */
export function ModelBars({ models, unit }: { models: readonly UsedSum[]; unit: Unit }) {
  const most = amountOf(unit, models[0] ?? nothingUsed) || 1;
  const other = unit === "cost" ? "tokens" : "cost";
  return (
    <div>
      <h2 id="by-model">By model</h2>
      <ul className="models-used" aria-labelledby="by-model">
        {models.map((model, rank) => (
          <li key={model.key} className={hueOf(rank)}>
            <span>{oneLine(model.key) || "no model"}</span>
            <span>{amountText(unit, model)}</span>
            <span className="dim">{amountText(other, model)}</span>
            <span className="bar-of" aria-hidden="true">
              <i style={{ width: `${(100 * amountOf(unit, model)) / most}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
