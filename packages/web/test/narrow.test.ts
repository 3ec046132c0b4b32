import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

test("as narrow as an editor's side bar, all that the mode may do can be read", { skip: chromiumPath === undefined }, async () => {
  await using opened = await Opened.start();
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ text: "Hello." }]) });
  await session.prompt("go");
  await session.untilEnd();
  const page = await opened.session(session.id, { width: 300, height: 640 });
  const line = page.getByRole("group", { name: "The mode" }).filter({ visible: true });
  const items = line.getByRole("listitem");
  await items.first().waitFor();
  const edges = await items.evaluateAll((all) => all.map((item) => item.getBoundingClientRect()).map(({ left, right }) => [left, right]));
  expect(edges.filter(([left = 0, right = 0]) => left < 0 || right > 300)).toEqual([]);
  expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
