import { expect, test } from "vitest";
import { compareProjectCode } from "./project-code.ts";

/** The number of programs in each language on a push. A nightly run has more, from its own seed. */
const PROGRAMS = Math.min(Number(process.env["BATON_TRACED"] ?? 300) * 40, 1_000_000);
const SEED = Number(process.env["BATON_TRACE_SEED"] ?? 1);

test("code gives the project only the texts that the gate has found in it", { timeout: 1_800_000 }, () => {
  const { accepted, wrong } = compareProjectCode(PROGRAMS, SEED);
  expect(accepted).toBeGreaterThan(PROGRAMS / 200);
  expect(wrong).toEqual([]);
});
