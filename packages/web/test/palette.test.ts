import axe from "axe-core";
import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath, leavePrompt } from "./support/browser.ts";
import { LOOKS, violationsIn } from "./support/checker.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 60_000 };
const call = (tool: string, input: unknown) => ({ tool, input });

test("the palette finds actions of the page and of the session, and sessions, by their names", here, async () => {
  await using opened = await Opened.start();
  const other = await opened.daemon.session({ model: script(opened.daemon, [{ text: "Hello." }]) });
  await other.runTurn("The other one");
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ text: "Hello." }]) });
  const page = await opened.session(session.id);
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  const command = async (typed: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command" }).fill(typed);
    await page.getByRole("option", { name: new RegExp(typed, "i"), selected: true }).waitFor(); // the list follows the session that was opened last
    await page.keyboard.press("Enter");
  };
  await command("switch to plan");
  await page.getByRole("button", { name: "Mode: plan" }).waitFor();
  await command("usage");
  await page.getByRole("link", { name: "Usage" }).waitFor();
  await command("other one");
  await page.getByRole("heading", { name: "The other one" }).waitFor();
  await command("review");
  await page.getByText("No changes").waitFor();
  await page.keyboard.press("Control+k");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Commands" }).waitFor({ state: "detached" });
  expect(opened.browser.errors).toEqual([]);
});

test("one key moves from request to request across sessions", here, async () => {
  await using opened = await Opened.start();
  for (const name of ["one", "two"]) {
    const session = await opened.daemon.session({
      model: script(opened.daemon, [{ calls: [call("run_command", { command: `touch ${name}` })] }]),
    });
    await session.prompt(name);
    await session.untilOpen();
  }
  const page = await opened.page("/new");
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  await page.locator(".inbox .item").nth(1).waitFor(); // the key moves to the requests that the page knows
  await page.keyboard.press("Escape");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (const name of ["one", "two", "one"]) {
    await page.keyboard.press("Shift+J");
    await page.getByRole("region", { name: `Run touch ${name}?` }).waitFor();
    await leavePrompt(page);
  }
});
