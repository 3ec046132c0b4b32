import type { SessionId } from "../../protocol/ids.ts";
import type { SessionState } from "../state.ts";

/**
 * Usage in tokens and US dollars. `unpriced`: the price of a part is unknown, so the real cost is higher. `estimated`: tokens
 * that no provider counted.
 */
export type UsageTotals = {
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
  cost: number;
  unpriced: boolean;
  estimated: number;
  steps: number;
};

/** The usage of one event, with its time in epoch milliseconds and its model. */
export type UsageRecord = UsageTotals & { at: number; model: string };

/** The usage that the event between two states added. Undefined if none. */
export function usageBetween(before: SessionState, after: SessionState): UsageRecord | undefined {
  const [was, is] = [before.usage, after.usage];
  if (was === is && before.counts === after.counts) return undefined;
  const used = {
    input: is.input - was.input,
    cachedInput: is.cachedInput - was.cachedInput,
    cacheWrite: (is.cacheWrite ?? 0) - (was.cacheWrite ?? 0),
    output: is.output - was.output,
    reasoning: (is.reasoning ?? 0) - (was.reasoning ?? 0),
    cost: is.cost - was.cost,
    estimated: (is.estimated ?? 0) - (was.estimated ?? 0),
    steps: after.counts.steps - before.counts.steps,
  };
  if (!Object.values(used).some((n) => n > 0)) return undefined;
  const unpriced = is.unpriced === true && used.cost === 0 && used.input + used.output > 0;
  return { ...used, unpriced, at: after.updatedAt, model: after.step?.model ?? "" };
}

/** The usage of one session with one model on one day, such as `2026-01-31` in the daemon's time zone. */
export type UsageDimension = UsageTotals & { day: string; sessionId: SessionId; model: string; title: string | null };

/** A sum of such rows. `own` excludes subtasks and is in US dollars. Only sums of sessions have `own` and `title`. */
export type UsageSum = UsageTotals & { key: string; title?: string | null; sessions: number; own?: number };

export const noTotals: UsageTotals = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  cost: 0,
  unpriced: false,
  estimated: 0,
  steps: 0,
};

/** Adds usage to a sum and keeps the sum's other fields. */
export const addTotals = <Sum extends UsageTotals>(a: Sum, b: UsageTotals): Sum => ({
  ...a,
  input: a.input + b.input,
  cachedInput: a.cachedInput + b.cachedInput,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
  cost: a.cost + b.cost,
  unpriced: a.unpriced || b.unpriced,
  estimated: a.estimated + b.estimated,
  steps: a.steps + b.steps,
});

/** Sums per day, model, or session with its subtasks, in the order of their first appearance. */
export function totalsPer(by: "day" | "session" | "model", used: readonly UsageDimension[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  const sessions = new Map<string, Set<string>>();
  for (const { day, sessionId, model, title, ...one } of used) {
    const key = by === "day" ? day : by === "model" ? model : rootId(sessionId);
    const before = sums.get(key) ?? { ...noTotals, key, sessions: 0, ...(by === "session" ? { own: 0, title: null } : {}) };
    const seen = sessions.get(key) ?? new Set();
    sessions.set(key, seen.add(sessionId));
    sums.set(key, {
      ...addTotals(before, one),
      sessions: seen.size,
      ...(by === "session" && sessionId === key ? { title, own: (before.own ?? 0) + one.cost } : {}),
    });
  }
  return [...sums.values()];
}

/** The id of a subtask begins with the id of its root session. */
const rootId = (id: string): string => id.split(".", 1)[0] ?? id;
