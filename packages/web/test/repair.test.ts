import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { breakPackage, conversationOf, PROMPT, repair } from "../../cli/test/support/broken-package.ts";
import { openHome, type Home } from "../../cli/test/support/home.ts";
import { ModelServer } from "../../daemon/test/support/model-server.ts";
import { chromiumPath, leavePrompt, TestBrowser, untilQuiet } from "./support/browser.ts";

/** Other events come between those of the conversation. */
const SEQS = ["seq", "receivedSeq"];

function brokenHome(model: ModelServer): Home {
  const home = openHome();
  breakPackage(home.workspace);
  home.configure(model.config);
  return home;
}

test.skipIf(chromiumPath === undefined)(
  "a session repairs a published package through the page's own widgets, and the conversation equals that in the terminal",
  { timeout: 90_000 },
  async () => {
    await using model = await ModelServer.start({ replies: repair });
    await using headless = brokenHome(model);
    expect((await headless.run(["run", "--json", "--on-request", "allow", PROMPT])).code).toBe(0);

    await using home = brokenHome(model);
    await home.run(["sessions"]); // starts the daemon
    const { api, close } = await home.connect();
    await using browser = await TestBrowser.start();
    const page = await browser.page((await api.daemon.openPage.mutate()).url);
    await close();

    await page.getByLabel("Folder to work in").fill(home.workspace);
    await page.getByRole("textbox", { name: "Prompt" }).fill(PROMPT);
    await page.keyboard.press("Enter");
    const trust = page.getByRole("region", { name: /^Do you trust/ });
    await trust.waitFor();
    await untilQuiet(page);
    await trust.getByRole("button", { name: "Do not trust it" }).click(); // as without a user in a headless run
    await page.mouse.move(5, 5);
    const edit = page.getByRole("region", { name: /^Edit .*\?$/ });
    await edit.getByText("0x[0-9a-f]+").filter({ visible: true }).first().waitFor();
    await leavePrompt(page);
    await untilQuiet(page);
    await page.keyboard.press("1");
    const command = page.getByRole("region", { name: /^Run .*\?$/ });
    await command.getByText("node node_modules/tape/bin/tape 'test/*.js'", { exact: true }).first().waitFor();
    await untilQuiet(page);
    await command.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("All tests of the package pass.").waitFor();
    await page.mouse.move(5, 5);
    await page.getByText("# pass  153").waitFor();

    expect(readFileSync(path.join(home.workspace, "index.js"), "utf8")).toContain("0x[0-9a-f]+");
    expect(await conversationOf(home, SEQS)).toEqual(await conversationOf(headless, SEQS));
    expect(model.violations).toEqual([]);
    expect(browser.errors).toEqual([]);
  },
);

test.skipIf(chromiumPath === undefined)(
  "a session can be completed with the keyboard alone, without the pointer",
  { timeout: 90_000 },
  async () => {
    await using model = await ModelServer.start({ replies: repair });
    await using home = brokenHome(model);
    await home.run(["sessions"]);
    const { api, close } = await home.connect();
    await using browser = await TestBrowser.start();
    const page = await browser.page((await api.daemon.openPage.mutate()).url);
    await close();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");

    await page.getByRole("textbox", { name: "Prompt" }).waitFor();
    await press("Escape"); // out of the prompt, to the folder
    await page.keyboard.type(home.workspace);
    const isInPrompt = () => page.evaluate(() => document.activeElement instanceof HTMLTextAreaElement);
    for (let i = 0; i < 8 && !(await isInPrompt()); i++) await press("Tab"); // past the choices between the folder and the prompt
    await page.keyboard.type(PROMPT);
    await press("Enter");
    await page.getByRole("region", { name: /^Do you trust/ }).waitFor();
    await page.getByRole("region", { name: /^Edit .*\?$/ }).waitFor();
    await leavePrompt(page);
    await press("2");
    await page.getByRole("region", { name: /^Do you trust/ }).waitFor({ state: "detached" });
    await leavePrompt(page);
    await press("n"); // the answer includes a note for the agent
    await page.keyboard.type("go on");
    await press("Enter");
    await untilQuiet(page);
    await press("1");
    const command = page.getByRole("region", { name: /^Run .*\?$/ });
    await command.waitFor();
    await untilQuiet(page);
    await press("Tab"); // into the card: its first choice, which the space bar presses
    for (let i = 0; i < 20 && !(await focused()).includes("Allow once"); i++) await press("Tab");
    await press(" ");
    await page.getByText("All tests of the package pass.").waitFor();
    await page.getByText("“go on”").waitFor();
    expect(readFileSync(path.join(home.workspace, "index.js"), "utf8")).toContain("0x[0-9a-f]+");

    await page.getByRole("button", { name: "Stop the turn" }).waitFor({ state: "detached" });
    await leavePrompt(page); // which has the focus now that no request is open
    await press("g", "s"); // search, the session, and back to the prompt
    await page.keyboard.type("minimist");
    await page.getByRole("status").getByRole("link").waitFor();
    await press("Tab", "Enter");
    await page.getByRole("textbox", { name: "Prompt" }).waitFor();
    expect(browser.errors).toEqual([]);
  },
);
