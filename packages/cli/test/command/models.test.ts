import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../support/home.ts";

test("`baton models refresh` loads a file of the folder, and the list shows the source of its prices", async () => {
  await using home = openHome();
  home.env["ANTHROPIC_API_KEY"] = "k";
  const models = { "claude-next": { cost: { input: 3, output: 9 }, limit: { context: 300_000 } } };
  writeFileSync(path.join(home.workspace, "api.json"), JSON.stringify({ anthropic: { name: "Anthropic", models } }));
  writeFileSync(path.join(home.workspace, "broken.json"), '{ "anthropic": {} }');
  expect((await home.run(["models"])).out).toMatch(/Prices and sizes ship with Baton\. `baton models refresh` loads newer ones\.\n$/);

  expect((await home.run(["models", "refresh", "api.json"])).out).toMatch(/^Loaded 1 model of 1 provider\./);
  const { out } = await home.run(["models"]);
  expect(out).toMatch(/^anthropic\/claude-next +300k tokens, \$3 in, \$9 out per million$/m);
  expect(out).toMatch(/\nPrices and sizes: \/.*\/work\/api\.json, loaded \d+ s ago\.\n$/);

  expect(await home.run(["models", "refresh", "broken.json"])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/broken\.json:1:16: anthropic\.name: expected string.* stays as it was\.\n$/) as string,
  });
  expect((await home.run(["models", "reset"])).out).toBe("The catalog that ships with Baton applies again.\n");
  expect((await home.run(["models"])).out).not.toContain("claude-next");
});
