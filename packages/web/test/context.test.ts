import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };

test("a session shows the content of its context by source", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  daemon.write("long.txt", "A line of text.\n".repeat(900));
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "read_file", input: { path: "long.txt" } }] }, { text: "Read." }]),
  });
  await session.runTurn("read it");
  const page = await opened.session(session.id, { width: 1_600 });
  const panel = page.getByRole("complementary");
  await panel.getByText("not counted by the model").waitFor();
  await panel.getByText("By source").click();
  await panel.getByText("Files read").waitFor();
  await panel.getByText("long.txt").last().waitFor();
  expect(await panel.getByText("System prompt").count()).toBe(1);
});
