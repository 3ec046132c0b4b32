import { expect, test } from "vitest";
import { beginWalk, switchesOf, walk, walked } from "../../daemon/test/support/mode-walk.ts";
import { chromiumPath, untilQuiet } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };

test("a question, a plan that is sent back, a blocked turn and a refused switch, each answered on the page", here, async () => {
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
    // A key that comes as soon as the request stands there counts for nothing, and a slow machine is late to let it count.
    await changed.waitFor({ timeout: 10_000 }).catch(() => page.keyboard.press(key));
    await changed.waitFor();
    await page.mouse.move(5, 5);
  }
  await page.getByRole("region", { name: "Transcript" }).getByText(walked.last).waitFor();
  expect(await switchesOf(api, id)).toEqual(walked.switches);
  expect(opened.browser.errors).toEqual([]);
});
