import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openSettledHome } from "../support/home.ts";

test("the first start sets up a default model without any JSON", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal([]);
  await terminal.until("add an API key");
  terminal.press("k");
  await terminal.until("Enter for anthropic, q");
  terminal.press("\r");
  await terminal.until("Key for anthropic");
  terminal.press("sk-test-0000\r");
  await terminal.until("The key for anthropic is stored.");
  await terminal.until("Which model should new sessions use?");
  terminal.press("haiku");
  await terminal.until("filter: haiku");
  terminal.press("\r");
  await terminal.until("is now the default model");
  const config = readFileSync(home.file("config.jsonc"), "utf8");
  expect(JSON.parse(config)).toMatchObject({ model: expect.stringMatching(/^anthropic\/.*haiku/) as string });
  expect(config).not.toContain("sk-test-0000");
});

test("an unknown provider and an empty key change nothing, and the choices appear again", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal([]);
  await terminal.until("add an API key");
  terminal.press("k");
  await terminal.until("Enter for anthropic, q");
  terminal.press("no-such-provider\r");
  await terminal.until("add an API key", 2);
  terminal.press("k");
  await terminal.until("Enter for anthropic, q", 2);
  terminal.press("\r");
  await terminal.until("Key for anthropic");
  terminal.press("\r");
  await terminal.until("add an API key", 3);
  terminal.press("q");
  expect(existsSync(home.file("config.jsonc"))).toBe(false);
});
