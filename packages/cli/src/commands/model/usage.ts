import { addTotals, noTotals, totalsPer, type UsageDimension, type UsageSum } from "@baton/core/session/usage/usage-totals";
import { formatCount, formatNumber } from "@baton/core/text/format";
import { printJson, printLines } from "../output.ts";
import { usageError as wrongUse } from "../../connection/exit-codes.ts";
import { sessionUsageRows } from "./session-usage.ts";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";

type UsageBy = "day" | "session" | "model" | "turn" | "step";
export type UsageOptions = { by?: UsageBy; days?: number; session?: string; json?: boolean };

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Usage of the last days by day, session or model; or of one session by turn or step. */
export async function printUsage({
  session,
  by = session === undefined ? "day" : "turn",
  days = 30,
  json = false,
}: UsageOptions): Promise<void> {
  const ofSession = by === "turn" || by === "step";
  if (ofSession !== (session !== undefined)) throw wrongUse("--by turn and --by step need --session, and --session needs one of them.");
  await withConnection(async ({ api }) => {
    const rows = !ofSession
      ? totalsPer(by, await usedSince(api, days))
      : session === undefined
        ? []
        : await sessionUsageRows(api, session, by);
    if (json) return rows.forEach(({ key, ...row }) => printJson({ [by]: key, ...row }));
    const where = ofSession ? "in this session" : `in the last ${formatCount(days, "day")}`;
    printLines(rows.length === 0 ? [`Nothing was used ${where}.`] : usageTable(by, rows));
  });
}

async function usedSince(api: Api, days: number): Promise<UsageDimension[]> {
  const first = new Date(Date.now() - (days - 1) * DAY_MS).toLocaleDateString("en-CA");
  return api.usage.since.query({ day: first });
}

function usageTable(by: UsageBy, rows: readonly UsageSum[]): string[] {
  const all = rows.reduce<UsageSum>(addTotals, { ...noTotals, key: "total", sessions: 0 });
  const cells = [...rows, all].map((row) => [
    row.key === "" ? "(none)" : row.key,
    formatNumber(row.input),
    formatNumber(row.cachedInput),
    formatNumber(row.cacheWrite),
    formatNumber(row.output),
    formatNumber(row.reasoning),
    String(row.steps),
    money(row),
    by === "session" && row.own !== undefined && row.own < row.cost
      ? `${money({ ...row, cost: row.own })} of it its own`
      : (row.title ?? ""),
  ]);
  const head = [by, "input", "cached", "written", "output", "reasoning", "steps", "cost", ""];
  const widths = head.map((word, i) => Math.max(word.length, ...cells.map((row) => row[i]?.length ?? 0)));
  return [head, ...cells].map((row) =>
    row
      .map((cell, i) => (i === 0 || i === head.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

/** Shows `>=` if a price is unknown, and `~` if a part is estimated. */
const money = ({ cost, unpriced, estimated }: { cost: number; unpriced: boolean; estimated: number }): string =>
  unpriced && cost === 0
    ? "unknown"
    : `${unpriced ? ">= " : estimated > 0 && cost > 0 ? "~ " : ""}$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`;
