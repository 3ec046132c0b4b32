import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import type { Page } from "playwright-core";
import { chromiumPath, leavePrompt, untilQuiet } from "../support/browser.ts";
import { Opened } from "../support/opened.ts";

test("at the width of an editor's side bar, all rights of the mode can be read", { skip: chromiumPath === undefined }, async () => {
  await using opened = await Opened.start();
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ text: "Hello." }]) });
  await session.runTurn("go");
  const page = await opened.session(session.id, { width: 300, height: 640 });
  const line = page.getByRole("group", { name: "The mode" }).filter({ visible: true });
  const items = line.getByRole("listitem");
  await items.first().waitFor();
  const edges = await items.evaluateAll((all) => all.map((item) => item.getBoundingClientRect()).map(({ left, right }) => [left, right]));
  expect(edges.filter(([left = 0, right = 0]) => left < 0 || right > 300)).toEqual([]);
  expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test(
  "at the width of a side bar, a request shows its content and all choices, however long the explanation between them is",
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
    const ask = page.getByRole("region", { name: /^Run .*\?$/ });
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
    await page.getByText("denied").first().waitFor();
  },
);

test(
  "at the width of a side bar, a new or opened request has no half-hidden choice, however tall its change is",
  { skip: chromiumPath === undefined, timeout: 120_000 },
  async () => {
    await using opened = await Opened.start();
    const { daemon } = opened;
    const asking = async (lines: number) => {
      const content = Array.from({ length: lines }, (_, i) => `line ${i} of the new file\n`).join("");
      const write = { calls: [{ tool: "write_file", input: { path: `${lines}.txt`, content } }] };
      return daemon.session({ model: script(daemon, [write, { text: "Written." }]) });
    };
    /** The choices that the lower edge cuts off, or that another element covers. */
    const hidden = async (page: Page) => {
      await page.getByRole("button", { name: "Deny" }).waitFor();
      await untilQuiet(page);
      return page.evaluate(() => {
        const dock = document.querySelector(".dock")?.getBoundingClientRect().top ?? 0;
        return [...document.querySelectorAll(".choices .btn")].flatMap((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          if (top >= dock - 1) return [];
          const reached = [left + 3, right - 3].every((x) => button.contains(document.elementFromPoint(x, (top + bottom) / 2)));
          return bottom <= dock - 16 && reached ? [] : [`${button.textContent}: ${top} to ${bottom}, dock at ${dock}`];
        });
      });
    };
    const size = { width: 300, height: 700 };
    for (const lines of process.env["BATON_EVERY_WIDTH"] ? [6, 11, 13, 15, 17, 19, 40] : [6, 13, 17, 40]) {
      const session = await asking(lines);
      const there = await opened.session(session.id, size);
      await session.prompt("go");
      await session.untilOpen();
      expect(await hidden(there), `${lines} lines, comes`).toEqual([]);
      await there.close();
      const page = await opened.session(session.id, size);
      expect(await hidden(page), `${lines} lines, is opened`).toEqual([]);
      expect(
        await page.getByRole("heading", { name: /^Create .*\?$/ }).evaluate((title) => title.getBoundingClientRect().top),
      ).toBeGreaterThan(40);
      await page.close();
    }
  },
);

test("at the width of a side bar, every menu is inside the page", { skip: chromiumPath === undefined }, async () => {
  await using opened = await Opened.start();
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ text: "Hello." }]) });
  await session.runTurn("go");
  for (const width of [260, 300, 420, 700]) {
    const page = await opened.session(session.id, { width, height: 640 });
    const openers = page.locator("button[aria-haspopup]").filter({ visible: true });
    const count = await openers.count();
    expect(count).toBeGreaterThan(2);
    for (let nth = 0; nth < count; nth++) {
      await openers.nth(nth).click();
      const { left, right } = await page.locator(".menu").evaluate((menu) => menu.getBoundingClientRect());
      const scrolled = await page.evaluate(
        () => [document.documentElement, ...document.querySelectorAll("*")].filter(({ scrollLeft }) => scrollLeft > 0).length,
      );
      expect([left >= 0, right <= width, scrolled], `menu ${nth} at ${width}: ${left} to ${right}`).toEqual([true, true, 0]);
      await page.keyboard.press("Escape");
    }
    await page.close();
  }
});

test("a light high contrast theme of an editor has the colours for a light background", { skip: chromiumPath === undefined }, async () => {
  await using opened = await Opened.start();
  const page = await opened.page();
  const scheme = (classes: string) =>
    page.evaluate((named) => {
      document.body.className = named;
      return getComputedStyle(document.body).colorScheme;
    }, classes);
  expect(await scheme("vscode-high-contrast-light vscode-high-contrast")).toBe("light");
  expect(await scheme("vscode-high-contrast")).toBe("dark");
});

test(
  "the first visit on a phone begins with the choice of a model, and back leads to the list",
  { skip: chromiumPath === undefined },
  async () => {
    await using opened = await Opened.start();
    const page = await opened.page("/", { width: 390, height: 844 });
    await page.getByRole("heading", { name: "Choose a model" }).waitFor();
    await page.getByRole("button", { name: "Start the demo" }).waitFor();
    await page.getByRole("link", { name: "Inbox and sessions" }).click();
    await page.getByRole("searchbox", { name: "Search sessions and conversations" }).waitFor();
  },
);

test("on a phone, the number of open requests is in one line beside a long title", { skip: chromiumPath === undefined }, async () => {
  await using opened = await Opened.start();
  const calls = Array.from({ length: 11 }, (_, i) => ({ tool: "run_command", input: { command: `touch ${i}` } }));
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ calls }]) });
  await session.prompt("Make twice0 add instead of multiply, and add a module with the answer to all questions");
  await session.untilOpen(11);
  const page = await opened.session(session.id, { width: 390, height: 844 });
  const box = await page.locator("header .badge").getByText("11", { exact: true }).boundingBox();
  expect(box?.height).toBeLessThan(24);
  expect(box?.width).toBeGreaterThan(box?.height ?? 99);
});
