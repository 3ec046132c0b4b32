import { expect, test } from "vitest";
import { openHome } from "../../cli/test/support/home.ts";
import { chromiumPath, Editor } from "./support/editor.ts";
import { command, ready } from "./support/window.ts";

test.skipIf(chromiumPath === undefined)(
  "the editor marks a step of the walkthrough as done when the user completes it",
  { timeout: 240_000 },
  async () => {
    await using home = openHome();
    await using editor = await Editor.start({ env: home.env });
    const page = await editor.window(home.workspace);
    await ready(page);
    await command(page, "Welcome: Open Walkthrough...");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Get Started with Baton" }).first().click();
    const step = (title: string) => page.locator(".getting-started-step", { hasText: title });
    const isDone = (title: string) => step(title).locator(".codicon-getting-started-step-checked").count();
    await step("Connect to the daemon").waitFor();
    await expect.poll(() => isDone("Connect to the daemon"), { timeout: 60_000 }).toBe(1);
    for (const title of ["Open the Baton view", "Choose a model", "Start a session", "Review what changed", "Write a commit message"])
      expect([title, await isDone(title)]).toEqual([title, 0]);

    await step("Open the Baton view").click();
    await step("Open the Baton view").getByRole("button", { name: "Open Baton" }).click();
    await expect.poll(() => isDone("Open the Baton view")).toBe(1);

    const model = home.script({ text: "Hello." });
    home.configure({ model });
    await expect.poll(() => isDone("Choose a model"), { timeout: 30_000 }).toBe(1);
    expect(await isDone("Start a session")).toBe(0);
    await home.run(["run", "Say hello"]);
    await expect.poll(() => isDone("Start a session"), { timeout: 30_000 }).toBe(1);
    expect(await isDone("Write a commit message")).toBe(0);
    await command(page, "Baton: Write a Commit Message");
    await expect.poll(() => isDone("Write a commit message")).toBe(1);
  },
);
