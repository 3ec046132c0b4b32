import type { SessionId } from "../protocol/ids.ts";
import type { SessionState } from "./state.ts";

/** What was used, tokens and US dollars. `unpriced`: for a part of it nobody knows the price, so it cost more. `estimated`: tokens that nobody counted. */
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

/** What came with one event: when, in epoch milliseconds, and of which model. */
export type UsageRecord = UsageTotals & { at: number; model: string };

/** What came to be used with the one event between two states; undefined where nothing did. */
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

/** What one session used of one model on one day, as `2026-01-31` where the daemon is. */
export type UsageDimension = UsageTotals & { day: string; sessionId: SessionId; model: string; title: string | null };

/** A sum of such rows. `own` is without the subtasks below it, in US dollars; own and title only of sessions. */
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

/** Adds what was used to a sum, whose other fields stay as they are. */
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

/** Days, models, or sessions with all their subtasks, in the order in which they first come. */
export function totalsPer(by: "day" | "session" | "model", used: readonly UsageDimension[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  const sessions = new Map<string, Set<string>>();
  for (const { day, sessionId, model, title, ...one } of used) {
    const key = by === "day" ? day : by === "model" ? model : rootOf(sessionId);
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

/** A subtask's id begins with that of the session that it belongs to. */
const rootOf = (id: string): string => id.split(".", 1)[0] ?? id;
