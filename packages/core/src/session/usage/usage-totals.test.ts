import { expect, test } from "vitest";
import { noTotals, totalsPer, type UsageDimension } from "./usage-totals.ts";

const row = (day: string, sessionId: string, model: string, cost: number, more: Partial<UsageDimension> = {}): UsageDimension => ({
  ...noTotals,
  day,
  sessionId: sessionId as UsageDimension["sessionId"],
  model,
  title: `title of ${sessionId}`,
  cost,
  steps: 1,
  ...more,
});

const used = [
  row("2026-01-02", "a.s1.1", "p/small", 4, { unpriced: true }),
  row("2026-01-02", "a", "p/large", 2, { estimated: 5 }),
  row("2026-01-01", "a", "p/large", 1),
  row("2026-01-01", "b", "p/small", 3),
];

test("the usage of a subtask counts towards its session, and the session's own part is listed beside it", () => {
  expect(totalsPer("session", used)).toEqual([
    { ...noTotals, key: "a", title: "title of a", sessions: 2, cost: 7, own: 3, steps: 3, unpriced: true, estimated: 5 },
    { ...noTotals, key: "b", title: "title of b", sessions: 1, cost: 3, own: 3, steps: 1 },
  ]);
});

test("days and models have the sums of all sessions", () => {
  expect(totalsPer("day", used).map(({ key, cost, sessions }) => [key, cost, sessions])).toEqual([
    ["2026-01-02", 6, 2],
    ["2026-01-01", 4, 2],
  ]);
  expect(totalsPer("model", used).map(({ key, cost, unpriced }) => [key, cost, unpriced])).toEqual([
    ["p/small", 7, true],
    ["p/large", 3, false],
  ]);
});
