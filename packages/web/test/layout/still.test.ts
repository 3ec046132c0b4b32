import type { Page } from "playwright-core";
import { test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath, untilQuiet } from "../support/browser.ts";
import { Opened } from "../support/opened.ts";

const tall = (nth: number) =>
  ["touch a1.txt", "touch b2.txt", "mkdir -p made", "chmod 700 made", "cp notes.txt made/", `echo made-${nth}`].join(" && ");

/** Events that may change the layout between two clicks at the same point. */
const CHANGES: Record<string, (page: Page) => Promise<unknown>> = {
  "a message": () => Promise.resolve(), // the refusal of the first click causes one
  "another message": (page) => page.getByRole("button", { name: "Deny" }).first().press("Enter"),
  "a lower window": (page) => resize(page, 0, -40),
  "a narrower window": (page) => resize(page, -30, 0),
  "larger letters": (page) => page.evaluate(() => void (document.documentElement.style.fontSize = "19px")),
  "text above": (page) =>
    page.evaluate(() => {
      const line = document.createElement("p");
      line.textContent = "Text that streams in above the request. ".repeat(8);
      document.querySelector(".requests")?.before(line);
    }),
  "a taller dock": (page) => page.getByRole("textbox", { name: "Prompt" }).fill("one\ntwo\nthree"),
};

async function resize(page: Page, wider: number, higher: number): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: width + wider, height: height + higher });
}

async function middleOf(page: Page, choice: string): Promise<{ x: number; y: number }> {
  const button = page.locator(".request").getByRole("button", { name: choice }).first();
  await button.scrollIntoViewIfNeeded();
  await untilQuiet(page);
  const box = await button.boundingBox();
  if (!box) throw new Error(`no ${choice}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function click(page: Page): Promise<void> {
  await page.mouse.down();
  await page.mouse.up();
}

/** The nightly run tests all cases at all widths. A push tests a quarter of the cases at the smallest width, and another one at the largest. */
const EVERY_WIDTH = Boolean(process.env["BATON_EVERY_WIDTH"]);
const WIDTHS = EVERY_WIDTH ? [300, 360, 768, 1440] : [300, 1440];
const ZOOMS = [1, 1.5, 2];

test.concurrent.for(WIDTHS)(
  "%i px wide: two clicks at the same point give no other answer than the choice that was there first",
  { skip: chromiumPath === undefined, timeout: 240_000 },
  async (width, { expect }) => {
    await using opened = await Opened.start();
    const zoom = (nth: number) => ZOOMS[(WIDTHS.indexOf(width) + nth) % ZOOMS.length] ?? 1;
    const cases = [
      ...ZOOMS.map((each) => ({ zoom: each, change: "a message", label: "Allow once", choice: "once" })),
      ...Object.keys(CHANGES).map((change, nth) => ({ zoom: zoom(nth), change, label: "Allow once", choice: "once" })),
      { zoom: 1, change: "a message", label: "Deny", choice: "deny" },
    ].filter((_, nth) => EVERY_WIDTH || nth % (2 * WIDTHS.length) === WIDTHS.indexOf(width));
    const replies = cases.map((_, nth) => ({ calls: [{ tool: "run_command", input: { command: tall(nth) } }] }));
    const session = await opened.daemon.session({ model: script(opened.daemon, [...replies, { text: "Done." }]) });
    opened.daemon.write("notes.txt", "notes\n");
    await session.prompt("go");
    const answers = () => session.events.flatMap((event) => (event.type === "request.answered" ? [event.answer.choice] : []));
    const given: unknown[] = [];
    const wrong: unknown[] = [];
    for (const each of cases) {
      const page = await opened.session(session.id, { width, height: 700, zoom: each.zoom });
      const before = answers().length;
      await page.locator(".request").waitFor();
      const { x, y } = await middleOf(page, each.label);
      await page.mouse.move(x, y);
      await page.getByRole("textbox", { name: "Prompt" }).press("ArrowLeft"); // a key elsewhere: the click comes too early
      await click(page);
      await CHANGES[each.change]?.(page);
      await untilQuiet(page);
      await click(page);
      await untilQuiet(page);
      const now = answers().slice(before);
      given.push(...now);
      if (now.some((choice) => choice !== each.choice)) wrong.push({ ...each, now });
      await page.context().close();
    }
    expect(wrong).toEqual([]);
    expect(given).toContain("once"); // if nothing moved, the second click is an answer
    expect(session.state.grants).toEqual([]);
    expect(opened.browser.errors).toEqual([]);
  },
);
