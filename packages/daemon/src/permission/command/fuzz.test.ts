import { expect, test } from "vitest";
import { record } from "../../../test/harness/record.ts";
import { fuzz } from "../../../test/permission/fuzz.ts";

/** The number of cases. For a run overnight: BATON_FUZZ=50000 vitest run --project unit src/permission/command/fuzz.test.ts */
const CASES = Number(process.env["BATON_FUZZ"] ?? 150);
const SEED = Number(process.env["BATON_FUZZ_SEED"] ?? 7);

test("whatever bash runs, the gate has seen or asked for", { timeout: 60_000 + CASES * 200 }, async () => {
  const { cases, ran, asked, missed } = await fuzz(CASES, SEED);
  console.log(`nestings: ${cases} cases, bash ran ${ran}, asked unseen ${asked}, missed ${missed.length}`);
  record({ row: "gate", tried: cases, lost: missed.length });
  expect(missed).toEqual([]);
  expect(ran).toBeGreaterThan(cases / 10);
});
