import { expect, test } from "vitest";
import { openHome } from "../support/home.ts";

test("the demo runs to its end without a terminal and leaves no files behind", async () => {
  await using home = openHome();
  const { code, out } = await home.run(["demo"]);
  expect(out).toContain("Everything except the model is real.");
  expect(out).toMatch(/✓ edit +src\/booking\.js/);
  expect(out).toMatch(/✓ run +node --test/);
  expect(out).toContain("End of the demo.");
  expect(code).toBe(0);
});

test("without a model and without a terminal, baton lists what it found and shows the demo", async () => {
  await using home = openHome();
  const { code, out } = await home.run([]);
  expect(out).toContain("No model is configured.");
  expect(out).toContain("End of the demo.");
  expect(code).toBe(0);
});
