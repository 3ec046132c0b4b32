import type { SessionId } from "@baton/core/protocol/ids";
import type { UsageRecord, UsageDimension } from "@baton/core/session/usage/usage-totals";
import type { InStatement } from "@libsql/client/sqlite3";
import type { Database } from "./database/database.ts";

/** The day of a time in the daemon's time zone, `2026-11-24`. */
export function usageDay(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** Adds the usage of an event to its row, in the same batch as the event. */
export function usageStatement(id: SessionId, { at, model, ...used }: UsageRecord): InStatement {
  const { input, cachedInput, cacheWrite, output, reasoning, cost, unpriced, estimated, steps } = used;
  const row = [usageDay(at), id, model];
  return { sql: ADD, args: [...row, input, cachedInput, cacheWrite, output, reasoning, cost, unpriced, estimated, steps] };
}

const ADD = `INSERT INTO usage (day, session_id, model, input, cached_input, cache_write, output, reasoning, cost, unpriced, estimated, steps)
  VALUES (?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (day, session_id, model) DO UPDATE SET input = input + excluded.input,
  cached_input = cached_input + excluded.cached_input, cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
  reasoning = reasoning + excluded.reasoning, cost = cost + excluded.cost, unpriced = max(unpriced, excluded.unpriced),
  estimated = estimated + excluded.estimated, steps = steps + excluded.steps`;

/** The usage in the store, and today's cost, which is also kept in memory. */
export type UsageLedger = {
  /** The usage since that day, newest first. */
  since: (day: string) => Promise<UsageDimension[]>;
  /** The cost in US dollars of all sessions on the day of `at`, as far as it was loaded. */
  on: (at: number) => number;
  load: (at: number) => Promise<void>;
  /** The cost on the day of `at` from the store. */
  whole: (at: number) => Promise<number>;
  add: (at: number, cost: number) => void;
};

export function openUsageLedger(database: Database): UsageLedger {
  let known: { day: string; cost: number } | undefined;
  const stored = async (day: string): Promise<number> => {
    const [row] = await database.query({ sql: "SELECT total(cost) AS cost FROM usage WHERE day = ?", args: [day] });
    return Number(row?.["cost"] ?? 0);
  };
  const dayTotal = (day: string) => {
    if (known?.day !== day) known = { day, cost: 0 };
    return known;
  };
  return {
    async since(day) {
      const rows = await database.query({ sql: SINCE, args: [day] });
      return rows.map((row) => ({
        day: String(row["day"]),
        sessionId: String(row["session_id"]) as SessionId,
        model: String(row["model"]),
        title: row["title"] === null ? null : String(row["title"]),
        input: Number(row["input"]),
        cachedInput: Number(row["cached_input"]),
        cacheWrite: Number(row["cache_write"]),
        output: Number(row["output"]),
        reasoning: Number(row["reasoning"]),
        cost: Number(row["cost"]),
        unpriced: Boolean(row["unpriced"]),
        estimated: Number(row["estimated"]),
        steps: Number(row["steps"]),
      }));
    },
    on: (at) => (known?.day === usageDay(at) ? known.cost : 0),
    async load(at) {
      if (known) return;
      const day = usageDay(at);
      const today = dayTotal(day);
      today.cost += await stored(day);
    },
    whole: (at) => stored(usageDay(at)),
    add: (at, cost) => {
      dayTotal(usageDay(at)).cost += cost;
    },
  };
}

const SINCE = `SELECT usage.*, session.title FROM usage LEFT JOIN session ON session.id = usage.session_id
  WHERE day >= ? ORDER BY day DESC, usage.cost DESC`;
