import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { call, openSettledHome, type Home } from "../../cli/test/support/home.ts";
import { chromiumPath, Editor } from "./support/editor.ts";
import { command, openView, openWindow, pageIn, reloadWindow, untilQuiet } from "./support/window.ts";

describe.skipIf(chromiumPath === undefined)("a user opens a window of the editor", { timeout: 240_000 }, () => {
  let home: Home;
  let editor: Editor;

  beforeAll(async () => {
    home = await openSettledHome();
    editor = await Editor.start({ env: home.env, trust: true, settings: { "security.workspace.trust.startupPrompt": "never" } });
  }, 240_000);
  afterEach(() => editor.closeWindows());
  afterAll(async () => {
    await editor?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  test("in a workspace that is not trusted, the view is read-only", async () => {
    const scripted = home.script({ text: "I look.", calls: [call("run_command", { command: "echo looked" })] }, { text: "Looked." });
    await home.run(["run", "--on-request", "fail", "--model", scripted, "Look around"]);
    const page = await openWindow(editor, home.workspace);
    const view = await openView(page);
    await view.locator(".inbox .item", { hasText: "echo looked" }).click();
    const ask = view.getByRole("region", { name: /^Run .*\?$/ });
    await ask.waitFor();
    await untilQuiet(page);
    await ask.getByRole("button", { name: "Allow once" }).click();
    await view.getByText("This workspace is not trusted in the editor").first().waitFor();
    expect(JSON.parse((await home.run(["inbox", "--json"])).out)).toHaveLength(1);
  });

  test("after the editor trusts a folder, Baton asks once whether it also trusts the folder", async () => {
    editor.set({ "security.workspace.trust.enabled": true });
    for (const [name, button, trust] of [
      ["first", "Trust in Baton Too", "trusted"],
      ["other", "Do Not Trust in Baton", "restricted"],
    ] as const) {
      const folder = path.join(path.dirname(home.workspace), `undecided-${name}`);
      mkdirSync(folder);
      writeFileSync(path.join(folder, "AGENTS.md"), "Say yes.\n");
      const stands = async () => (JSON.parse((await home.run(["trust", "--status", "--json", folder])).out) as { trust: string }).trust;
      const page = await openWindow(editor, folder);
      await command(page, "Workspaces: Manage Workspace Trust");
      await page.getByRole("button", { name: "Trust", exact: true }).first().click();
      await page.getByText("You trust this folder").first().waitFor();
      const asked = page.locator(".notification-list-item", { hasText: "If you trust it in Baton too" });
      await asked.getByText("AGENTS.md").waitFor();
      expect(await stands()).toBe("unknown");
      await asked.getByRole("button", { name: button }).click();
      await expect.poll(stands).toBe(trust);
      await page.close();
    }
  });

  test("without a daemon and its program, the view shows the reason and the next step, and continues once the program exists", async () => {
    const { "baton.executable": program } = editor.settings;
    editor.set({ "security.workspace.trust.enabled": true, "baton.executable": "no-such-baton" });
    await home.run(["daemon", "stop"]);
    const page = await openWindow(editor, home.workspace);
    await page.locator(".activitybar .action-item", { has: page.locator('a[aria-label^="Baton"]') }).click();
    const view = pageIn(page);
    await view.getByText("untrusted workspace").first().waitFor();
    const trusted = page.getByText("Trusted Folders & Workspaces");
    const asked = async () => {
      if (!(await trusted.isVisible())) await view.getByRole("link", { name: "Trust this folder" }).click();
      return trusted.isVisible();
    };
    await expect.poll(asked).toBe(true);
    await page.getByRole("button", { name: "Trust", exact: true }).first().click();
    await page.keyboard.press("Escape");

    await view.getByText("no-such-baton").first().waitFor();
    await view.getByText("was not found").waitFor();
    await command(page, "Baton: Connect");
    await view.getByText("was not found").waitFor();
    expect(await view.getByText("Offline").count()).toBe(0);
    await view.getByRole("link", { name: "Try again" }).waitFor();
    await view.getByRole("link", { name: "Install Baton with npm" }).waitFor();
    await view.getByRole("link", { name: "Set the path of the program" }).waitFor();

    editor.set({ "baton.executable": program });
    await view.getByText("Connected").first().waitFor({ state: "attached" });
  });

  test("without a folder, the view shows every session, and a daemon of another version shows the next step", async () => {
    editor.set({ "security.workspace.trust.enabled": false });
    const scripted = home.script({ text: "Nothing to do." });
    await home.run(["run", "--model", scripted, "From elsewhere"]);
    const page = await editor.window(undefined);
    const view = await openView(page);
    await view.locator(".item", { hasText: "From elsewhere" }).first().waitFor();
    await editor.closeWindows();

    const file = home.file("daemon.json");
    const found = JSON.parse(readFileSync(file, "utf8")) as { protocol: number };
    writeFileSync(file, JSON.stringify({ ...found, protocol: found.protocol + 1, version: "9.9.9" }));
    const other = await openWindow(editor, home.workspace);
    await other.locator(".activitybar .action-item", { has: other.locator('a[aria-label^="Baton"]') }).click();
    await pageIn(other).getByText("another version (9.9.9").waitFor();
    const restart = pageIn(other).getByRole("link", { name: "Restart the daemon" });
    const connected = pageIn(other).getByText("Connected");
    let clickedAt = -Infinity;
    const reached = async () => {
      // A page that was only just drawn may not receive the click, and the link may go between the check and the click. A restart takes a while.
      if (performance.now() - clickedAt > 15_000 && (await restart.isVisible().catch(() => false))) {
        clickedAt = performance.now();
        await restart.click({ timeout: 2_000 }).catch(() => undefined);
      }
      return connected.count().catch(() => 0); // a page that is being drawn again
    };
    await expect.poll(reached, { timeout: 120_000, interval: 1_000 }).toBeGreaterThan(0);
  });

  test("with two folders, the view shows the sessions of both, and a tab is restored with the window", async () => {
    editor.set({ "security.workspace.trust.enabled": false });
    const second = path.join(path.dirname(home.workspace), "second");
    mkdirSync(second);
    const file = path.join(path.dirname(home.workspace), "both.code-workspace");
    writeFileSync(file, JSON.stringify({ folders: [{ path: home.workspace }, { path: second }] }));
    await home.run(["run", "--model", home.script({ text: "One." }), "In the first"]);
    await home.run(["run", "--cwd", second, "--model", home.script({ text: "Two." }), "In the second"]);
    const page = await openWindow(editor, file);
    const view = await openView(page);
    for (const title of ["In the first", "In the second"]) await view.locator(".item", { hasText: title }).first().waitFor();
    await view.locator(".item", { hasText: "In the second" }).first().click();
    await view.getByRole("region", { name: "Transcript" }).getByText("Two.").waitFor();
    await command(page, "Baton: Open Session in an Editor Tab");
    await page.locator(".tab.active", { hasText: "In the second" }).waitFor();
    await command(page, "View: Toggle Primary Side Bar Visibility"); // so that the tab is the only page
    await page.waitForTimeout(7_000); // in a browser the editor saves its layout every few seconds
    await reloadWindow(editor, page, async () => {
      await page.locator(".tab.active", { hasText: "In the second" }).waitFor();
      await pageIn(page).getByRole("region", { name: "Transcript" }).getByText("Two.").waitFor();
    });
  });
});
