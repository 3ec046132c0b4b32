import { expect, test } from "vitest";
import { comparePrints } from "./printed-text.ts";

/** The number of calls on a push. A nightly run has more, from its own seed. */
const CALLS = Math.min(Number(process.env["BATON_TRACED"] ?? 300), 40_000);
const SEED = Number(process.env["BATON_TRACE_SEED"] ?? 1);

test("a call of git or of a search prints nothing that its verdict does not allow", { timeout: 1_800_000 }, () => {
  const { ran, wrong } = comparePrints(CALLS, SEED);
  expect(ran).toBeGreaterThan(CALLS / 20);
  expect(wrong).toEqual([]);
});
