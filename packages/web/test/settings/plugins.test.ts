import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import axe from "axe-core";
import { expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import { LOOKS, violationsIn } from "../support/checker.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined };

test("a plugin can be added after its contents were shown, updated with its difference, disabled and removed", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const kit = path.join(daemon.root, "kit");
  mkdirSync(path.join(kit, ".claude-plugin"), { recursive: true });
  mkdirSync(path.join(kit, "commands"));
  writeFileSync(path.join(kit, ".claude-plugin", "plugin.json"), JSON.stringify({ name: "kit" }));
  writeFileSync(path.join(kit, ".mcp.json"), JSON.stringify({ mcpServers: { talk: { command: "talk", args: ["a\u202eb"] } } }));
  const session = await daemon.session();
  const page = await opened.session(session.id);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Plugins", exact: true }).click();
  await page.getByText("There are no plugins.").waitFor();

  const source = page.getByRole("textbox", { name: "Source of a plugin" });
  await source.fill("--upload-pack=x");
  await page.getByRole("button", { name: "Show contents" }).click();
  await page.getByRole("alert").getByText("is an option, not a source").waitFor();
  await source.fill(kit);
  await page.getByRole("button", { name: "Show contents" }).click();
  const offer = page.getByRole("region", { name: "Contents of kit" });
  await offer.getByText("plugin_kit_talk").waitFor();
  expect(await offer.innerText()).not.toContain("\u202e"); // it would hide a part of the command
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  await offer.getByRole("button", { name: "Install", exact: true }).click();
  await page.getByText("It is used everywhere.").waitFor();

  writeFileSync(path.join(kit, "commands", "ship.md"), "Ship it.");
  await page.getByRole("button", { name: "Update kit" }).click();
  await offer.getByText("new: commands/ship.md").waitFor();
  await offer.getByRole("button", { name: "Install this version" }).click();
  await offer.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Disable kit" }).click();
  await page.getByText("Your config turns it off.").waitFor();
  await page.getByRole("button", { name: "Remove kit", exact: true }).click();
  await page.getByRole("button", { name: "Remove kit for good" }).click();
  await page.getByText("There are no plugins.").waitFor();
  expect(opened.browser.errors).toEqual([]);
});
