import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import axe from "axe-core";
import { expect, test } from "vitest";
import { ModelServer } from "../../../daemon/test/support/model-server.ts";
import { choose, chromiumPath } from "../support/browser.ts";
import { LOOKS, violationsIn } from "../support/checker.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 60_000 };
const CONFIG = `{
  // mine
  "limits": { "cost": 5 }, /* dollars */
  "defaultMode": "ask"
}
`;

test("settings can be changed and removed on the page, and the rest of the config stays as it is written", here, async () => {
  await using opened = await Opened.start({ configText: CONFIG });
  const page = await opened.page("/settings/general");
  const status = await opened.daemon.connect().api.daemon.status.query();
  const file = () => readFileSync(path.join(status.config, "config.jsonc"), "utf8");
  const cost = page.getByRole("textbox", { name: "Cost of a session" });
  await expect.poll(() => cost.inputValue()).toBe("5");
  await cost.fill("7.5");
  await cost.press("Enter");
  await expect.poll(file).toBe(CONFIG.replace("5", "7.5"));
  await page.getByRole("combobox", { name: "Sandbox for commands" }).selectOption("off");
  await expect.poll(file).toContain('"sandbox": "off"');
  const mode = page.getByRole("combobox", { name: "Default mode", exact: true });
  await mode.fill("");
  await mode.blur();
  await expect.poll(file).not.toContain("defaultMode");
  expect(file()).toContain("// mine");
  expect(file()).toContain("/* dollars */");

  const steps = page.getByRole("textbox", { name: "Steps of a turn" });
  await steps.fill("many");
  await steps.blur();
  await page.getByRole("alert").getByText("Enter a whole number.").waitFor();
  await steps.fill("-3");
  await steps.blur();
  await page.getByRole("alert").getByText("limits.steps").waitFor();
  expect(file()).not.toContain("steps");
  expect(opened.browser.errors).toEqual([]);
});

test("a key can be added and removed, the theme and the notifications can be chosen, and a checker finds nothing", here, async () => {
  await using opened = await Opened.start({}, { notifies: true });
  const page = await opened.page("/settings/general");
  await page.getByRole("textbox", { name: "API key" }).or(page.getByLabel("API key")).first().fill("sk-secret-key");
  await page.getByRole("button", { name: "Add key" }).click();
  await page.getByRole("listitem").filter({ hasText: "anthropic" }).waitFor();
  expect(await page.content()).not.toContain("sk-secret-key");
  await page.getByRole("button", { name: "Remove the key of anthropic" }).click();
  await page.getByText("There are no keys yet.").waitFor();
  await page.getByRole("combobox", { name: "Theme" }).selectOption("dark");
  await page.reload();
  await page.getByRole("combobox", { name: "Theme" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await page.context().grantPermissions(["notifications"]);
  await page.getByRole("combobox", { name: "Notifications", exact: true }).selectOption("on");
  await page.getByRole("button", { name: "Notifications", pressed: true }).waitFor();
  await page.getByRole("combobox", { name: "Notifications", exact: true }).selectOption("off");
  await page.getByRole("button", { name: "Notifications", pressed: false }).waitFor();
  await page.emulateMedia({ reducedMotion: "reduce" }); // so that no colour is measured during a transition
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  const narrow = await opened.page("/settings/general", { width: 360 });
  await narrow.getByRole("combobox", { name: "Theme" }).waitFor();
  expect(await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("the first visit leads to a local model and a folder, without a terminal", here, async () => {
  await using model = await ModelServer.start({ replies: [{ text: "Hello from here." }] });
  await using opened = await Opened.start();
  const page = await opened.page("/new");
  await page.getByRole("heading", { name: "Choose a model" }).waitFor();
  await page.emulateMedia({ reducedMotion: "reduce" }); // so that no colour is measured during a transition
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  const form = page.getByRole("form", { name: "Local model" });
  await form.getByRole("combobox", { name: "Server" }).selectOption("local");
  await form.getByRole("textbox", { name: "Address" }).fill(model.url);
  await form.getByRole("textbox", { name: "Name of the model" }).fill("small");
  await form.getByRole("button", { name: "Use this model" }).click();
  await page.getByRole("heading", { name: "Choose a model" }).waitFor({ state: "detached" });

  await page.getByLabel("Folder to work in").fill(path.dirname(opened.daemon.workspace));
  await page.getByRole("button", { name: "Browse" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose a folder" });
  await dialog.getByRole("button", { name: path.basename(opened.daemon.workspace), exact: true }).click();
  await dialog.getByText(opened.daemon.workspace, { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Choose this folder" }).click();
  expect(await page.getByLabel("Folder to work in").inputValue()).toBe(opened.daemon.workspace);
  await page.getByRole("textbox", { name: "Prompt" }).fill("hi");
  await page.keyboard.press("Enter");
  await page.getByText("Hello from here.").first().waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("the demo starts from the first visit, in a copy of the sample project, and runs its real tests", here, async () => {
  await using opened = await Opened.start();
  const page = await opened.page("/new");
  await page.getByRole("button", { name: "Start the demo" }).click();
  const question = page.getByRole("region", { name: /What should happen\?/ });
  await question.waitFor();
  await choose(question.getByRole("button", { name: /Book them/ }));
  const edit = page.getByRole("region", { name: /booking\.js/ }).first();
  await edit.waitFor();
  const [row] = await opened.daemon.connect().api.session.list.query({});
  expect(path.basename(row?.workspace ?? "")).toBe("seat-booking");
  expect(readdirSync(row?.workspace ?? "").toSorted()).toEqual(["README.md", "package.json", "src", "test"]);
  await choose(edit.getByRole("button", { name: "Allow once" }));
  const run = page.getByRole("region", { name: /^Run .*\?$/ });
  await run.waitFor();
  await choose(run.getByRole("button", { name: "Allow once" }));
  await page.getByText("This is the end of the demo.").first().waitFor();
  const { events } = await opened.daemon.connect().api.session.open.query({ sessionId: row?.id ?? "" });
  const views = events.flatMap((event) => (event.type === "tool.finished" ? (event.result.view ?? []) : []));
  expect(views.flatMap((view) => (view.type === "terminal" ? view.exitCode : []))).toEqual([0]);
  expect(readFileSync(path.join(row?.workspace ?? "", "src/booking.js"), "utf8")).toContain("wanted > left");
  expect(opened.browser.errors).toEqual([]);
});
