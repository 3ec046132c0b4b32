import { expect, test } from "vitest";
import { record } from "../../../test/harness/record.ts";
import { fuzz } from "../../../test/permission/fuzz.ts";

/** The number of cases. To run it overnight: BATON_FUZZ=50000 vitest run --project unit src/permission/command/fuzz.test.ts */
const CASES = Number(process.env["BATON_FUZZ"] ?? 150);
const SEED = Number(process.env["BATON_FUZZ_SEED"] ?? 7);

test("the gate detects or asks about every command that bash runs", { timeout: 60_000 + CASES * 200 }, async () => {
  const { cases, ran, asked, missed } = await fuzz(CASES, SEED);
  console.log(`nestings: ${cases} cases, bash ran ${ran}, asked unseen ${asked}, missed ${missed.length}`);
  record({ row: "gate", tried: cases, lost: missed.length });
  expect(missed).toEqual([]);
  expect(ran).toBeGreaterThan(cases / 10);
});
