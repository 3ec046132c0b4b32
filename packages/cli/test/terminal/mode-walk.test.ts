import path from "node:path";
import { expect, test } from "vitest";
import { beginWalk, switchesOf, walk, walked } from "../../../daemon/test/support/mode-walk.ts";
import { openSettledHome } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

test("the user answers a question, a rejected plan, a blocked turn and a refused switch of mode in the terminal", async () => {
  await using home = await openSettledHome();
  const { api, close } = await home.connect();
  const id = await beginWalk(api, home.workspace, path.dirname(home.workspace));
  const terminal = home.terminal(["attach", id], 100);
  for (const [i, { asked, choice, own, mode }] of walk.entries()) {
    await terminal.until(`◆ ${asked}`, walk.slice(0, i + 1).filter((each) => each.asked === asked).length);
    await terminal.until("your answer 1 2");
    terminal.press(own ?? String(choice));
    if (own !== undefined) {
      await terminal.until(`› ${own}`);
      terminal.press(KEY.enter);
    }
    await terminal.until(new RegExp(`^ *${mode} ·`, "m"));
  }
  await terminal.until(walked.last);
  expect(terminal.text()).toContain(`Write the plan to .baton/plans/${id}.md`);
  expect(await switchesOf(api, id)).toEqual(walked.switches);
  await close();
});
