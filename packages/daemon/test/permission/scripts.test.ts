import { expect, test } from "vitest";
import { compareScripts } from "./scripts.ts";

/** The number of texts on a push. A nightly run has more, from its own seed. */
const TEXTS = Math.min(Number(process.env["BATON_TRACED"] ?? 300), 20_000);
const SEED = Number(process.env["BATON_TRACE_SEED"] ?? 1);

test("a text touches only what its verdict allows, wherever its commands move, fail or end early", { timeout: 1_800_000 }, () => {
  const { reads, wrong } = compareScripts(TEXTS, SEED);
  expect(reads).toBeGreaterThan(TEXTS / 20);
  expect(wrong).toEqual([]);
});
