import { expect, test } from "vitest";
import { compareSteps } from "./steps.ts";

/** The number of first steps on a push. A nightly run has more, from its own seed. */
const SETUPS = Math.min(Number(process.env["BATON_TRACED"] ?? 200) / 8, 2_500);
const SEED = Number(process.env["BATON_TRACE_SEED"] ?? 1);

test("no text passes that would ask if its first step had run before", { timeout: 1_800_000 }, () => {
  const { pairs, looser } = compareSteps(SETUPS, SEED);
  expect(pairs).toBeGreaterThan(SETUPS);
  expect(looser).toEqual([]);
});
