import { expect, test } from "vitest";
import { patchCalls } from "../../../test/edit-calls/patch-calls.ts";
import { replaceCalls } from "../../../test/edit-calls/replace-calls.ts";
import { runWithBaton } from "../../../test/edit-calls/run-baton.ts";

const calls = [...replaceCalls, ...patchCalls];

test("several hundred calls as models send them give the right result", { timeout: 120_000 }, async () => {
  const others: unknown[] = [];
  for (const call of calls) {
    const { ending, text, files } = await runWithBaton(call);
    if (ending !== "right") others.push({ name: call.name, ending, text, files });
  }
  expect(calls.length).toBeGreaterThan(500);
  expect(others).toEqual([]);
});
