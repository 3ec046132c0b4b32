import { expect, test } from "vitest";
import { beginWalk, switchesOf, walk, walked } from "../../../daemon/test/support/mode-walk.ts";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath, untilQuiet } from "../support/browser.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined };

test("the user answers a question, a rejected plan, a blocked turn and a refused switch of mode on the page", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const { api } = daemon.connect();
  const id = await beginWalk(api, daemon.workspace, daemon.root);
  const page = await opened.session(id);
  for (const { asked, choice = 0, own, mode } of walk) {
    const request = page.getByRole("region", { name: asked });
    await request.waitFor();
    if (own !== undefined) await request.getByRole("textbox", { name: "Your own answer" }).fill(own);
    await untilQuiet(page);
    const [key, changed] = [own === undefined ? String(choice) : "Enter", page.getByRole("button", { name: `Mode: ${mode}` })];
    await page.keyboard.press(key);
    // A key that is pressed as soon as the request appears does not count. On a slow machine the page accepts keys later.
    await changed.waitFor({ timeout: 10_000 }).catch(() => page.keyboard.press(key));
    await changed.waitFor();
    await page.mouse.move(5, 5);
  }
  await page.getByRole("region", { name: "Transcript" }).getByText(walked.last).waitFor();
  expect(await switchesOf(api, id)).toEqual(walked.switches);
  expect(opened.browser.errors).toEqual([]);
});

test("a mode's card switches the session from which the settings were opened", here, async () => {
  await using opened = await Opened.start();
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ text: "Hello." }]) });
  await session.runTurn("go");
  const page = await opened.session(session.id);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Modes", exact: true }).click();
  for (const mode of ["plan", "ask"]) {
    const button = page.getByRole("button", { name: `Switch the session to ${mode}` });
    await button.click();
    await session.until(`the mode ${mode}`, ({ state }) => state.mode === mode);
    await button.waitFor({ state: "detached" }); // it is the active mode now
  }
  await page.getByRole("button", { name: "Switch the session to plan" }).waitFor();
});

test("the menu and a slash command ask the coordinator for a suitable mode", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const model = script(daemon, [{ text: "Hello." }, { text: "The code mode fits." }, { text: "Hello again." }, { text: "Still code." }]);
  const session = await daemon.session({ model });
  await session.runTurn("go");
  const page = await opened.session(session.id);
  await page.getByRole("button", { name: "Mode: code" }).click();
  await page.getByRole("menuitem", { name: "Ask the coordinator which mode fits" }).click();
  const coordinated = () => session.events.filter((event) => event.type === "mode.changed" && event.to === "coordinator").length;
  await session.until("the coordinator", () => coordinated() === 1);
  await page.getByRole("region", { name: "Transcript" }).getByText("The code mode fits.").waitFor();
  await session.untilEnd(2);

  await page.getByRole("textbox", { name: "Prompt" }).fill("/coordinate mind the tests");
  await page.keyboard.press("Enter");
  await session.until("the coordinator again", () => coordinated() === 2);
  expect(JSON.stringify(session.events)).toContain("The user says: mind the tests");
});
