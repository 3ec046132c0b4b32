import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { addTotals, noTotals, totalsPer, type UsageTotals } from "@baton/core/session/usage/usage-totals";
import { formatCost, formatTokens } from "@baton/core/text/format";
import type { DaemonOptions } from "../../../daemon/test/support/daemon.ts";
import { script } from "../../../daemon/test/support/script.ts";
import { anthropic } from "../../../daemon/test/support/wire/anthropic.ts";
import { WireServer } from "../../../daemon/test/support/wire/server.ts";
import { chromiumPath } from "../support/browser.ts";
import { LOOKS, violationsIn } from "../support/checker.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 120_000 };

const server = await WireServer.start(anthropic, { replies: [{ text: "Done." }] });
afterAll(() => server[Symbol.asyncDispose]());

/** Two models, of which one is ten times as expensive as the other. */
const config: DaemonOptions["config"] = {
  providers: {
    p: {
      ...server.provider,
      apiKey: "k",
      models: {
        large: { cost: { input: 10_000, cache_read: 1_000, cache_write: 20_000, output: 100_000 } },
        small: { cost: { input: 1_000, cache_read: 100, cache_write: 2_000, output: 10_000 } },
      },
    },
  },
};

/** A session of one turn, run to its end. */
async function ended({ daemon }: Opened, model: string): Promise<string> {
  using session = await daemon.session({ model });
  await session.runTurn(`with ${model}`);
  return session.id;
}

const at = (part: string, folder: string) => `/settings/${part}/${encodeURIComponent(folder)}`;

/** The findings of the checker in light and in dark, wide and narrow. */
async function violations(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    for (const line of await violationsIn(LOOKS.slice(0, 2), page)) found.push(`${width} ${line}`);
  }
  return found;
}

test("the usage of sessions is listed by day, by model and by session, with the daemon's numbers", here, async () => {
  await using opened = await Opened.start({ config });
  const { api } = opened.daemon.connect();
  const page = await opened.page(at("usage", opened.daemon.workspace));
  await page.getByRole("heading", { name: "No usage in the last 14 days" }).waitFor();

  const large = await ended(opened, "p/large");
  await ended(opened, "p/small");
  await ended(opened, "p/small");
  const used = await api.usage.since.query({ day: "2000-01-01" });
  const all = used.reduce<UsageTotals>(addTotals, noTotals);
  expect(all).toMatchObject({ steps: 3, unpriced: false });
  const figure = (what: string) => page.locator(".stats > div", { hasText: what }).locator(".big");
  await page.locator(".stats").getByText("median of 3 sessions").waitFor();
  await expect.poll(() => figure("14 days").textContent()).toBe(formatCost(all));
  await expect.poll(() => figure("today").textContent()).toBe(formatCost(all));
  await expect.poll(() => figure("read from cache").textContent()).toBe("50 %");
  const smallest = used.toSorted((a, b) => a.cost - b.cost)[0];
  await expect.poll(() => figure("median").textContent()).toBe(formatCost(smallest ?? noTotals));

  const models = page.getByRole("list", { name: "By model" });
  for (const { key, ...sum } of totalsPer("model", used))
    await expect.poll(() => models.textContent()).toContain(`${key}${formatCost(sum)}${formatTokens(sum.input + sum.output)}`);
  await expect
    .poll(() => page.getByRole("table").first().getByRole("row").nth(1).getByRole("cell").first().textContent())
    .toBe("with p/large");
  await expect.poll(() => page.getByRole("link", { name: "with p/large" }).last().getAttribute("href")).toBe(`#/session/${large}`);
  const days = page.getByRole("table", { name: "Day by day" }).getByRole("row");
  await expect.poll(() => days.count()).toBe(3);
  await expect
    .poll(() => days.last().getByRole("cell").allTextContents())
    .toEqual([formatTokens(all.input), "50 %", formatTokens(all.output), "", String(all.steps), formatCost(all)]);
  const bars = page.getByRole("img", { name: /^Cost per day/ }).locator("rect");
  await expect.poll(() => bars.count()).toBe(2);
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Tokens" }).click();
  await expect.poll(() => figure("14 days").textContent()).toBe(formatTokens(all.input + all.output));
  await opened.daemon.kill();
  await page.getByText("Reconnecting").waitFor();
  await page.getByRole("button", { name: "90 days" }).click();
  await page.getByRole("table", { name: "Day by day" }).waitFor();
  expect(opened.browser.errors).toEqual([]);
});

/** A rule of the user on a separate line, so that its position can be shown. */
const configText = `{
  "permissions": [
    { "action": "command", "resource": "npm publish *", "effect": "deny" },
    { "action": "read", "resource": "*.secret", "effect": "deny" }
  ]
}`;

test("the preview of a verdict shows its rule and position, and after a grant is revoked the call asks again", here, async () => {
  await using opened = await Opened.start({ configText });
  const { daemon } = opened;
  const command = "npm run build --if-present";
  using session = await daemon.session({ model: script(daemon, [{ calls: [{ tool: "run_command", input: { command } }] }]) });
  await session.prompt("build it");
  await session.untilOpen();
  const page = await opened.page(at("permissions", daemon.workspace));
  await page.getByText("No grants. “This workspace” in an approval adds one.").waitFor();
  await session.answer({ choice: "workspace" });
  await session.untilEnd();
  await page.getByRole("cell", { name: "this workspace" }).waitFor(); // it appears without a new query

  const rules = page.getByRole("table").filter({ hasText: "npm publish *" });
  expect(
    await rules
      .first()
      .getByRole("row", { name: /npm publish/ })
      .getByRole("cell")
      .allTextContents(),
  ).toEqual(["deny", "command", "npm publish *", "user", "config.jsonc:3", "Change"]);
  expect(await rules.count()).toBe(2); // among the rules, and above them, because nothing overrides a deny of the user
  expect(await page.getByRole("row", { name: /everything else/ }).count()).toBe(0);
  const builtIn = page.getByRole("button", { name: /built-in rules, before all others/ });
  await builtIn.click();
  await page.getByRole("row", { name: "ask * everything else defaults built in" }).waitFor();
  await builtIn.click();
  await page.getByRole("row", { name: /everything else/ }).waitFor({ state: "detached" });

  const tester = page.getByRole("form", { name: "What would happen?" });
  const answer = tester.locator(".answer");
  const parts = tester.getByRole("list", { name: "Verdict for each part" });
  await tester.getByRole("textbox", { name: "Command" }).fill("cat a.secret && npm publish");
  await answer.getByText("Denied", { exact: true }).waitFor();
  await parts.getByText("config.jsonc:3").waitFor();
  await parts.getByText("config.jsonc:4").waitFor();
  const [checked] = await daemon
    .connect()
    .api.permission.check.query([{ action: "command", resource: "cat a.secret && npm publish", mode: "code", cwd: daemon.workspace }]);
  if (!checked || "error" in checked) throw new Error("it was a question");
  expect(await answer.textContent()).toBe(`Denied${checked.why}`);
  expect(await parts.getByRole("listitem").count()).toBe(checked.accesses.length);
  expect(await violations(page)).toEqual([]);

  await tester.getByRole("textbox", { name: "Command" }).fill(command);
  await answer.getByText("Allowed", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Revoke command npm run/ }).click();
  await answer.getByText("Asks first").waitFor();
  await page.getByText("No grants. “This workspace”").waitFor();

  await tester.getByRole("combobox", { name: "Action" }).selectOption("tool");
  await tester.getByRole("combobox", { name: "Tool" }).fill("edit_file");
  await tester.getByRole("textbox", { name: "Input, as JSON" }).fill("{");
  await tester.getByText("The input is not JSON.").waitFor();
  await tester.getByRole("textbox", { name: "Input, as JSON" }).fill('{ "path": "a.txt", "old_text": "a", "new_text": "b" }');
  await page.getByRole("combobox", { name: "Mode" }).selectOption("ask");
  await page.getByRole("heading", { name: "Rules in ask (the last match decides)" }).waitFor();
  await answer.getByText("This mode does not offer edit_file.").waitFor();
  expect(daemon.read("a.txt")).toBe("");
  expect(opened.browser.errors).toEqual([]);
});

test("a rule can be added with the keyboard, and the preview follows it", here, async () => {
  await using opened = await Opened.start({ configText: '{\n  // mine\n  "permissions": { "command": "allow" }\n}\n' });
  const page = await opened.page(at("permissions", opened.daemon.workspace));
  await page.getByRole("button", { name: "Add rule" }).focus();
  await page.keyboard.press("Enter");
  const form = page.getByRole("form", { name: "New rule" });
  await form.getByRole("combobox", { name: "Effect" }).selectOption("deny");
  await form.getByRole("textbox", { name: "Resource" }).fill("git push *");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS.slice(0, 2), page)).toEqual([]);
  await page.keyboard.press("Enter");
  await form.waitFor({ state: "detached" });
  await page
    .getByRole("row", { name: /deny command git push \*/ })
    .first()
    .waitFor();
  await page.getByRole("form", { name: "What would happen?" }).getByRole("textbox").fill("git push origin main");
  await page
    .getByText(/denied|deny/i)
    .first()
    .waitFor();
  const { config } = await opened.daemon.connect().api.daemon.status.query();
  const text = readFileSync(path.join(config, "config.jsonc"), "utf8");
  expect(text).toContain("// mine");
  expect(JSON.parse(text.replace("// mine", ""))).toEqual({ permissions: { command: { "*": "allow", "git push *": "deny" } } });
  expect(opened.browser.errors).toEqual([]);
});

const OWN_RULES = `{
  // mine
  "permissions": [
    { "action": "command", "resource": "git push *", "effect": "deny" }, // not from here
    { "action": "command", "resource": "npm publish *", "effect": "ask" }
  ],
  "network": { "allow": ["example.com"] }
}
`;

test("a rule of the user's own config can be changed and removed with the keyboard, and open requests follow it", here, async () => {
  await using opened = await Opened.start({ configText: OWN_RULES });
  const { daemon } = opened;
  daemon.write(".baton/config.jsonc", '{\n  "permissions": { "command": { "rm *": "deny" } }\n}\n');
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "run_command", input: { command: "npm run build --if-present" } }] }, { text: "Done." }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.page(at("permissions", daemon.workspace));
  const { config } = await daemon.connect().api.daemon.status.query();
  const file = () => readFileSync(path.join(config, "config.jsonc"), "utf8");
  const change = (rule: string) => page.getByRole("button", { name: `Change the rule ${rule}` });
  await change("deny command git push *").waitFor();
  await page.getByRole("row", { name: "deny command rm * project .baton/config.jsonc:2" }).waitFor();
  expect(await page.getByRole("button", { name: /^Change the rule/ }).count()).toBe(2); // not those of the project, of the mode, of `network` and of Baton

  await change("ask command npm publish *").focus();
  await page.keyboard.press("Enter");
  const form = page.getByRole("form", { name: "Rule command npm publish *" });
  const resource = form.getByRole("textbox", { name: "Resource" });
  expect(await resource.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS.slice(0, 2), page)).toEqual([]);
  await form.getByRole("combobox", { name: "Effect" }).selectOption("allow");
  await resource.fill("*");
  await form.getByRole("alert").getByText("This rule is broad").waitFor();
  await resource.fill("npm run *");
  await page.keyboard.press("Enter");
  await change("allow command npm run *").waitFor();
  expect(file()).toBe(OWN_RULES.replace('"npm publish *", "effect": "ask"', '"npm run *", "effect": "allow"'));
  await session.untilEnd(); // the rule allows the open request

  await change("deny command git push *").click();
  writeFileSync(path.join(config, "config.jsonc"), OWN_RULES.replace("git push", "git pull"));
  await page.getByRole("form", { name: "Rule command git push *" }).getByRole("button", { name: "Remove the rule" }).click();
  await page.getByRole("alert").getByText("is no longer at config.jsonc:4").waitFor();
  await page.keyboard.press("Escape");
  await change("deny command git pull *").click();
  await page.getByRole("form", { name: "Rule command git pull *" }).getByRole("button", { name: "Remove the rule" }).click();
  await expect.poll(file).not.toContain("git pull");
  await page.getByRole("form", { name: "Rule command git pull *" }).waitFor({ state: "detached" });
  expect(await change("deny command git pull *").count()).toBe(0);
  expect(file()).toContain("// not from here");
  expect(opened.browser.errors).toEqual([]);
});
