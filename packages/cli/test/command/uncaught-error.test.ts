import { expect, test } from "vitest";
import { openHome, runClient } from "../support/home.ts";

test("an uncaught error is printed without the line of the bundle in which it happened", async () => {
  await using home = openHome();
  // Throws outside of everything that the client awaits, as soon as the client listens for such errors.
  const fault =
    'process.on("newListener", (name) => { if (name === "uncaughtException") setImmediate(() => { throw new Error("a defect"); }); });';
  const env = { ...home.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` };
  const { code, err } = await runClient(["daemon", "start"], { cwd: home.workspace, env });
  expect(code).toBe(1);
  expect(err).toMatch(/^baton: Error: a defect\n {4}at /);
  expect(err.length).toBeLessThan(2_000);
});
