import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath } from "../support/browser.ts";
import { LOOKS, violationsIn } from "../support/checker.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 120_000 };
const fixture = fileURLToPath(new URL("../../../daemon/test/support/mcp/mcp-server.ts", import.meta.url));
const good = { command: process.execPath, args: [fixture, "good"] };
const call = (tool: string, input: unknown = {}) => ({ tool, input });

test("a toolset can be built with clicks, assigned to a session and to a mode, and deleted", here, async () => {
  await using opened = await Opened.start({
    config: { mcpServers: { good }, permissions: [{ action: "mcp", resource: "*", effect: "allow" }] },
  });
  const { daemon } = opened;
  const both = { calls: [call("good__say", { text: "said" }), call("good__environment")] };
  const session = await daemon.session({ model: script(daemon, [both, { text: "One." }, both, { text: "Two." }]) });
  const outcomes = () => session.finished.slice(-2).map(({ result }) => result.outcome);
  const page = await opened.session(session.id);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Tools of this session" }).click();

  await page.getByRole("textbox", { name: "Name of the new toolset" }).fill("Talk");
  await page.getByText("A name has 2 to 50 characters").waitFor();
  await page.getByRole("textbox", { name: "Name of the new toolset" }).fill("talk");
  const keep = page.getByRole("button", { name: "Save", exact: true });
  expect(await keep.isDisabled()).toBe(true); // nothing is chosen yet
  await page.getByRole("searchbox", { name: "Search tools" }).fill("say");
  await page.getByRole("checkbox", { name: "good__say" }).check();
  await keep.click();
  const own = page.getByRole("combobox", { name: "Toolset of this session" });
  await own.selectOption("talk");
  await session.until("its toolset", ({ state }) => state.toolset?.equipped?.name === "talk");
  await session.runTurn("go");
  expect(outcomes()).toEqual(["ok", "failed"]);

  await own.selectOption("");
  await session.until("no toolset", ({ state }) => state.toolset?.equipped === undefined);
  await page.getByRole("combobox", { name: "A mode" }).selectOption("code");
  await page.getByRole("combobox", { name: "Toolset of code" }).selectOption("talk");
  await page.getByRole("button", { name: /^talk/ }).getByText("in code").waitFor();
  await session.runTurn("go", 2);
  expect(outcomes()).toEqual(["ok", "failed"]);

  await page.getByRole("button", { name: /^talk/ }).click();
  await page.getByRole("checkbox", { name: "good__say" }).waitFor();
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(1);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("talk (deleted: no tools)").waitFor({ state: "attached" });
  const { api } = daemon.connect();
  expect(
    (await api.daemon.tools.query({ cwd: daemon.workspace, mode: "code" })).offered.filter(({ name }) => name.startsWith("good__")),
  ).toEqual([]);
});

test("a project's server is shown, approved and refused, and the checker finds nothing", here, async () => {
  await using opened = await Opened.start({ config: { mcpServers: { good, broken: { command: "/no/such/program" } } } });
  const { daemon } = opened;
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  daemon.write(".mcp.json", JSON.stringify({ mcpServers: { theirs: { ...good, env: { SECRET: "x" } } } }));
  await api.workspace.trust.mutate({ commandId: crypto.randomUUID(), cwd, trusted: true });
  await api.toolset.act.mutate({ cwd, tool: "build-toolset", input: { name: "talk", tools: [{ namespacedName: "good__say" }] } });
  const page = await opened.page(`/settings/toolsets/${encodeURIComponent(cwd)}`);
  const servers = page.getByRole("region", { name: "Servers" });
  const theirs = servers.locator("details", { hasText: "theirs" });
  await page.getByRole("button", { name: /^talk/ }).waitFor(); // the toolsets arrive last and move the servers down
  await theirs.getByText("needs your approval").waitFor();
  await theirs.locator("summary").click();
  await theirs.getByText("SECRET=x").waitFor();
  await theirs.getByRole("button", { name: "Refuse" }).click();
  await theirs.getByText("refused by you").waitFor();
  await theirs.getByRole("button", { name: "Approve exactly this" }).click();
  await theirs.getByText("Let the agent use these tools?").first().waitFor();
  await theirs.getByRole("button", { name: "Approve exactly this" }).click();
  await page.getByRole("checkbox", { name: "theirs__say" }).waitFor();
  const broken = servers.locator("details", { hasText: "broken" });
  await broken.getByText("failed", { exact: true }).waitFor();
  await broken.locator("summary").click();
  await broken.getByRole("button", { name: "Show log" }).click();
  await broken.locator("pre").waitFor();

  await page.getByRole("button", { name: /^talk/ }).click();
  await page.getByRole("heading", { name: "talk" }).waitFor();
  await page.evaluate(axe.source);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await violationsIn(LOOKS.slice(0, 2), page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});

test("a server of the user can be added, edited without showing its values, and removed", here, async () => {
  await using opened = await Opened.start({ config: { model: "a/b" } });
  const page = await opened.page(`/settings/toolsets/${encodeURIComponent(opened.daemon.workspace)}`);
  const servers = page.getByRole("region", { name: "Servers" });
  const form = page.getByRole("dialog", { name: "Add an MCP server" });
  const isOpen = async () => {
    if (!(await form.isVisible())) await servers.getByRole("button", { name: "Add" }).click(); // the list may still be loading
    return form.isVisible();
  };
  await expect.poll(isOpen, { timeout: 20_000 }).toBe(true);
  await form.getByRole("textbox", { name: /^Name/ }).fill("mine");
  await form.getByRole("textbox", { name: /^Command/ }).fill(good.command);
  await form.getByRole("textbox", { name: /^Arguments/ }).fill(good.args.join("\n"));
  await form.getByRole("textbox", { name: /^Variables/ }).fill("TOKEN=very-secret");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS.slice(0, 2), page)).toEqual([]);
  await form.getByRole("button", { name: "Save" }).click();
  await servers.getByText("mine", { exact: true }).click();
  await servers.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit mine" });
  expect(await edit.getByRole("textbox", { name: /^Variables/ }).inputValue()).toBe("TOKEN=(unchanged)");
  await edit.getByRole("textbox", { name: /^Working/ }).fill("/tmp");
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.waitFor({ state: "detached" });
  const { api } = opened.daemon.connect();
  const status = await api.daemon.status.query();
  const config = () => JSON.parse(readFileSync(path.join(status.config, "config.jsonc"), "utf8")) as { mcpServers?: object };
  await expect.poll(config).toMatchObject({ mcpServers: { mine: { ...good, cwd: "/tmp", env: { TOKEN: "very-secret" } } } });
  await servers.getByRole("button", { name: "Remove" }).click();
  await servers.getByRole("button", { name: "Remove it now" }).click();
  await servers.getByText("mine", { exact: true }).waitFor({ state: "detached" });
  expect(opened.browser.errors).toEqual([]);
});

test("the page lists tools that are files with their problems, and allows one", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  daemon.write(".baton/tools/weather.sh", "echo sunny\n");
  daemon.write(".baton/tools/weather.tool.json", JSON.stringify({ description: "The weather.", input: { type: "object" }, access: {} }));
  daemon.write(".baton/tools/broken.tool.json", "{");
  const session = await daemon.session();
  const page = await opened.session(session.id);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "MCP servers", exact: true }).click();
  const tools = page.getByRole("region", { name: "Script tools" });
  await tools.getByText("broken.tool.json").waitFor();
  await tools.getByText("Waits for your approval").waitFor();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  await tools.getByRole("button", { name: "Allow weather" }).click();
  await tools.getByRole("button", { name: "Allow weather" }).waitFor({ state: "detached" });
  const { tools: listed } = await daemon.connect().api.tool.list.query({ cwd: daemon.workspace });
  expect(listed.map(({ name, status }) => [name, status])).toEqual([["weather", "approved"]]);
});
