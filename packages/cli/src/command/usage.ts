import { count } from "@baton/core/text/words";
import { printJson, printLines } from "./output.ts";
import { withLink } from "./with-link.ts";
import type { Api } from "./link.ts";

export type UsageBy = "day" | "session" | "model";
export type UsageOptions = { by?: UsageBy; days?: number; json?: boolean };
type Used = Awaited<ReturnType<Api["usage"]["since"]["query"]>>[number];
/** `own` is without the subtasks below it; only of sessions. */
type Row = Omit<Used, "day" | "sessionId" | "model" | "title"> & { key: string; title?: string | null; sessions: number; own?: number };

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What was used in the last days: tokens and money by day, session (with its subtasks) or model. */
export async function usage({ by = "day", days = 30, json = false }: UsageOptions): Promise<void> {
  await withLink(async ({ api }) => {
    const first = new Date(Date.now() - (days - 1) * DAY_MS).toLocaleDateString("en-CA");
    const rows = groupedBy(by, await api.usage.since.query({ day: first }));
    if (json) return rows.forEach(({ key, ...row }) => printJson({ [by]: key, ...row }));
    printLines(rows.length === 0 ? [`Nothing was used in the last ${count(days, "day")}.`] : tableOf(by, rows));
  });
}

/** A subtask's id begins with that of the session that it belongs to. */
const rootOf = (id: string): string => id.split(".", 1)[0] ?? id;

function groupedBy(by: UsageBy, used: readonly Used[]): Row[] {
  const rows = new Map<string, Row>();
  const sessions = new Map<string, Set<string>>();
  for (const { day, sessionId, model, title, ...one } of used) {
    const key = by === "day" ? day : by === "model" ? model : rootOf(sessionId);
    const before = rows.get(key) ?? { ...NOTHING, key, sessions: 0, ...(by === "session" ? { own: 0, title: null } : {}) };
    const seen = sessions.get(key) ?? new Set();
    sessions.set(key, seen.add(sessionId));
    rows.set(key, {
      ...sum(before, one),
      sessions: seen.size,
      ...(by === "session" && sessionId === key ? { title, own: (before.own ?? 0) + one.cost } : {}),
    });
  }
  return [...rows.values()];
}

const NOTHING = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, cost: 0, unpriced: false, steps: 0 };

const sum = (a: Row, b: typeof NOTHING): Row => ({
  ...a,
  input: a.input + b.input,
  cachedInput: a.cachedInput + b.cachedInput,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
  cost: a.cost + b.cost,
  unpriced: a.unpriced || b.unpriced,
  steps: a.steps + b.steps,
});

function tableOf(by: UsageBy, rows: readonly Row[]): string[] {
  const all = rows.reduce(sum, { ...NOTHING, key: "in all", sessions: 0 });
  const cells = [...rows, all].map((row) => [
    row.key === "" ? "(none)" : row.key,
    tokens(row.input),
    tokens(row.cachedInput),
    tokens(row.output),
    tokens(row.reasoning),
    String(row.steps),
    money(row),
    by === "session" && row.own !== undefined && row.own < row.cost
      ? `${money({ ...row, cost: row.own })} of it its own`
      : (row.title ?? ""),
  ]);
  const head = [by, "input", "cached", "output", "reasoning", "steps", "cost", ""];
  const widths = head.map((word, i) => Math.max(word.length, ...cells.map((row) => row[i]?.length ?? 0)));
  return [head, ...cells].map((row) =>
    row
      .map((cell, i) => (i === 0 || i === 7 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

const tokens = (n: number): string => n.toLocaleString("en-US");

/** A part without a known price makes it at least that much. */
const money = ({ cost, unpriced }: { cost: number; unpriced: boolean }): string =>
  unpriced && cost === 0 ? "unknown" : `${unpriced ? ">= " : ""}$${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`;
