import { expect, test } from "vitest";
import { createTerminalInputQueue } from "./command-terminal-input.ts";

test("keys that are typed while a call runs go into the next one, in order", async () => {
  const sent: { data: string; size?: unknown }[] = [];
  const gates: (() => void)[] = [];
  const type = createTerminalInputQueue(
    (typed) => {
      sent.push(typed);
      return new Promise<void>((done) => gates.push(done));
    },
    () => undefined,
  );
  const size = { columns: 80, rows: 24 };
  type("a");
  type("b");
  type("c", size);
  expect(sent).toEqual([{ data: "a" }]);
  gates.shift()?.();
  await expect.poll(() => sent).toEqual([{ data: "a" }, { data: "bc", size }]);
  type("x".repeat(20_000));
  gates.shift()?.();
  await expect.poll(() => sent.length).toBe(3);
  gates.shift()?.();
  await expect.poll(() => sent.length).toBe(4);
  expect(sent.slice(2).map(({ data }) => data.length)).toEqual([16_384, 3_616]);
});

test("after a failure, keys are dropped and the failure is reported once", async () => {
  const failures: unknown[] = [];
  let calls = 0;
  const type = createTerminalInputQueue(
    () => {
      calls += 1;
      return Promise.reject(new Error("gone"));
    },
    (error) => failures.push(error),
  );
  type("a");
  await expect.poll(() => failures.length).toBe(1);
  type("b");
  expect([calls, failures.length]).toEqual([1, 1]);
});
