import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath, leavePrompt } from "./support/browser.ts";
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

test(
  "as narrow as a side bar, a request shows what is asked and all that can be answered, whatever explains it in between",
  {
    skip: chromiumPath === undefined,
  },
  async () => {
    await using opened = await Opened.start();
    const command = "npm test && npm run build && npm run migrate && npm publish";
    const session = await opened.daemon.session({
      model: script(opened.daemon, [{ calls: [{ tool: "run_command", input: { command } }] }, { text: "Out." }]),
    });
    await session.prompt("go");
    await session.untilOpen();
    const page = await opened.session(session.id, { width: 300, height: 700 });
    const ask = page.getByRole("region", { name: "Run this command?" });
    const dock = await page.locator(".dock").boundingBox();
    for (const part of [ask.getByText(command, { exact: true }), ask.getByRole("button", { name: "Deny" })]) {
      const box = await part.boundingBox();
      expect(box && dock && box.y > 0 && box.y + box.height <= dock.y + 1).toBe(true);
    }
    const [first, last] = await Promise.all(
      ["Mode: code", "Stop the turn"].map((name) => page.getByRole("button", { name }).boundingBox()),
    );
    expect(Math.abs((first?.y ?? 0) - (last?.y ?? 99))).toBeLessThan(4); // in one row
    await leavePrompt(page);
    await page.keyboard.press("4");
    await page.getByText("refused").first().waitFor();
  },
);

test(
  "a high contrast theme of an editor that is light has the colours for light ground",
  { skip: chromiumPath === undefined },
  async () => {
    await using opened = await Opened.start();
    const page = await opened.page();
    const scheme = (classes: string) =>
      page.evaluate((named) => {
        document.body.className = named;
        return getComputedStyle(document.body).colorScheme;
      }, classes);
    expect(await scheme("vscode-high-contrast-light vscode-high-contrast")).toBe("light");
    expect(await scheme("vscode-high-contrast")).toBe("dark");
  },
);
