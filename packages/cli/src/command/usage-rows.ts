import type { Api } from "./link.ts";

export type UsageBy = "day" | "session" | "model" | "turn" | "step";
export type Used = Awaited<ReturnType<Api["usage"]["since"]["query"]>>[number];
/** `own` is without the subtasks below it; only of sessions. */
export type Row = Omit<Used, "day" | "sessionId" | "model" | "title"> & {
  key: string;
  title?: string | null;
  sessions: number;
  own?: number;
};

/** Days, models, or sessions with all their subtasks. */
export function groupedBy(by: UsageBy, used: readonly Used[]): Row[] {
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

/** A subtask's id begins with that of the session that it belongs to. */
const rootOf = (id: string): string => id.split(".", 1)[0] ?? id;

export const NOTHING = {
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

export const sum = (a: Row, b: typeof NOTHING): Row => ({
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
