import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath, untilQuiet } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };
const call = (tool: string, input: unknown) => ({ tool, input });
const transcript = (page: Page) => page.getByRole("region", { name: "Transcript" });
const fromEnd = (page: Page) =>
  transcript(page).evaluate(({ scrollHeight, scrollTop, clientHeight }) => Math.round(scrollHeight - scrollTop - clientHeight));
const height = (page: Page) => transcript(page).evaluate(({ scrollHeight }) => scrollHeight);

/** The box of the last visible element. It is measured at once, because a streaming part may be redrawn at any time. */
const lastBox = (page: Page, selector: string) =>
  page.evaluate((of) => {
    const boxes = Array.from(document.querySelectorAll(of), (element) => element.getBoundingClientRect());
    return boxes.findLast(({ width, height: tall }) => width > 0 && tall > 0);
  }, selector);

/** Ways to scroll up, from the smallest. The pointer is over the named element. */
const UP: Record<string, (page: Page) => Promise<void>> = {
  "one notch": (page) => page.mouse.wheel(0, -120),
  "three notches": async (page) => {
    for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -120);
  },
  "a trackpad": async (page) => {
    for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -4);
  },
  PageUp: async (page) => {
    await transcript(page).focus();
    await page.keyboard.press("PageUp");
  },
};
const OVER = { text: ".prose p", prompt: ".prompt", gutter: ".scroll" };

/** A session with one long reply, whose next reply streams for as long as a test needs. */
async function sessionWithLongReplies({ daemon }: Opened) {
  const sentence = (n: number) => `Sentence ${n} of a long reply, which goes on and on for as long as it is read.\n\n`;
  const long = Array.from({ length: 1_500 }, (_, n) => sentence(n)).join("");
  const session = await daemon.session({
    model: script(daemon, [
      { text: Array.from({ length: 40 }, (_, n) => sentence(n)).join("") },
      { text: long, stream: { characters: 80, everyMs: 30 } },
    ]),
  });
  await session.runTurn("begin");
  return session;
}

test("a user who scrolls up while a reply streams stays there, and a button leads back to the newest text", here, async () => {
  await using opened = await Opened.start();
  const session = await sessionWithLongReplies(opened);
  const page = await opened.session(session.id);
  await session.prompt("go on");
  await page.locator(".prose[aria-busy=true] p").nth(2).waitFor();
  for (const [over, selector] of Object.entries(OVER))
    for (const [way, up] of Object.entries(UP)) {
      await expect.poll(() => fromEnd(page)).toBeLessThan(32);
      const region = await transcript(page).boundingBox();
      const box = await lastBox(page, selector);
      if (!box || !region) throw new Error("nothing to point at");
      await page.mouse.move(
        box.x + (over === "gutter" ? 4 : 40),
        Math.min(Math.max(box.y + 4, region.y + 60), region.y + region.height - 250),
      );
      const before = await height(page);
      await up(page);
      await expect.poll(() => height(page)).toBeGreaterThan(before + 400);
      expect({ over, way, away: (await fromEnd(page)) > 300 }).toEqual({ over, way, away: true });
      await page.getByRole("button", { name: "Jump to newest" }).click();
      await page.getByRole("button", { name: "Jump to newest" }).waitFor({ state: "detached" });
    }
  expect(opened.browser.errors).toEqual([]);
});

test("a user who scrolls up at the moment in which the content becomes shorter stays there", here, async () => {
  await using opened = await Opened.start();
  const session = await sessionWithLongReplies(opened);
  const page = await opened.session(session.id);
  await expect.poll(() => fromEnd(page)).toBeLessThan(32);
  await transcript(page).evaluate(async (scroller) => {
    const line = document.createElement("div");
    line.style.height = "40px";
    scroller.querySelector(":scope > .dock")?.append(line);
    await new Promise((done) => setTimeout(done, 100));
    window.addEventListener("scroll", () => line.remove(), { once: true, capture: true });
  });
  await transcript(page).hover({ position: { x: 4, y: 200 } });
  await page.mouse.wheel(0, -90);
  await page.getByRole("button", { name: "Jump to newest" }).waitFor();
  expect(await fromEnd(page)).toBeGreaterThan(32);
});

/** Moves a finger over the page in steps of some pixels. Down shows what is above. */
async function drag(page: Page, { from, step, steps }: { from: number; step: number; steps: number }): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints: y === undefined ? [] : [{ x: 200, y }] });
  await touch("touchStart", from);
  for (let n = 1; n <= steps; n++) await touch("touchMove", from + n * step);
  await touch("touchEnd");
  await devtools.detach();
}

/** Ways to scroll up with a finger. */
const DRAGS = { "a short drag": { step: 4, steps: 16 }, "a long drag": { step: 12, steps: 30 }, "a flick": { step: 60, steps: 5 } };

test("a user who scrolls up with a finger while a reply streams stays there, and a tap leads back to the newest text", here, async () => {
  await using opened = await Opened.start();
  const session = await sessionWithLongReplies(opened);
  const page = await opened.session(session.id, { width: 390, height: 844, touch: true });
  await session.prompt("go on");
  await page.locator(".prose[aria-busy=true] p").nth(2).waitFor();
  for (const [way, moves] of Object.entries(DRAGS)) {
    await expect.poll(() => fromEnd(page)).toBeLessThan(32);
    await drag(page, { from: 200, ...moves });
    const before = await height(page);
    await expect.poll(() => momentum(page)).toBe(0);
    const row = await rowAt(page, 300);
    await expect.poll(() => height(page)).toBeGreaterThan(before + 800);
    expect({ way, away: (await fromEnd(page)) > 800, row: await rowAt(page, 300) }).toEqual({ way, away: true, row });
    await page.getByRole("button", { name: "Jump to newest" }).tap();
    await page.getByRole("button", { name: "Jump to newest" }).waitFor({ state: "detached" });
  }
  expect(opened.browser.errors).toEqual([]);
});

/** The pixels by which the transcript scrolls by itself in a tenth of a second. */
const momentum = (page: Page) =>
  transcript(page).evaluate(async (scroller) => {
    const { scrollTop } = scroller;
    await new Promise((done) => setTimeout(done, 100));
    return Math.abs(scroller.scrollTop - scrollTop);
  });

/** The text and the place of the row at a height. */
const rowAt = (page: Page, y: number) =>
  page.evaluate((at) => {
    const row = [0, 12, 24].flatMap((more) => document.elementsFromPoint(195, at + more)).find((element) => element.matches("p, li"));
    return row && [row.textContent, Math.round(row.getBoundingClientRect().top)];
  }, y);

test.each(["click", "key"])("an answered request becomes one line in its place, with the pointer at rest, by %s", here, async (how) => {
  await using opened = await Opened.start();
  const steps = Array.from({ length: 6 }, (_, n) => ({
    text: `Step ${n + 1}.`,
    calls: [call("run_command", { command: `touch f${n + 1}` })],
  }));
  const session = await opened.daemon.session({ model: script(opened.daemon, [...steps, { text: "All done." }]) });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.session(session.id, { height: 700 });
  const card = page.locator(".request");
  await card.first().waitFor();
  const allow = await card.getByRole("button", { name: "Allow once" }).boundingBox();
  if (!allow) throw new Error("no button");
  await page.mouse.move(allow.x + 10, allow.y + 10);
  for (let n = 1; n <= 6; n++) {
    await card.getByText(`touch f${n}`).first().waitFor();
    expect(await card.count()).toBe(1); // only open requests are orange
    await untilQuiet(page);
    if (how === "key") await page.keyboard.press("1");
    else await card.getByRole("button", { name: "Allow once" }).click();
  }
  await transcript(page).getByText("All done.").waitFor();
  expect(await card.count()).toBe(0);
  const text = await transcript(page).innerText();
  const order = Array.from({ length: 6 }, (_, n) => [text.indexOf(`Step ${n + 1}.`), text.indexOf(`touch f${n + 1}`)]).flat();
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(text.match(/Allowed once by you, here/g)?.length).toBe(6);
  expect(await fromEnd(page)).toBeLessThan(32);
});

test("answers to the requests of several subtasks in their parent are listed with their subtask", here, async () => {
  const names = ["Look at A", "Look at B", "Look at C", "Look at D"];
  const replies = {
    orchestrator: [{ calls: names.map((message) => call("new_task", { mode: "code", message })) }, { text: "All of it is done." }],
    code: [{ calls: [call("run_command", { command: "touch it" })] }, { calls: [call("attempt_completion", { result: "It is done." })] }],
  };
  await using opened = await Opened.start({
    config: (root) => ({
      modes: Object.fromEntries(Object.entries(replies).map(([mode, each]) => [mode, { model: script({ root }, each) }])),
    }),
  });
  const session = await opened.daemon.session({ mode: "orchestrator" });
  await session.prompt("do it all");
  const page = await opened.session(session.id);
  const card = page.locator(".request");
  await expect.poll(() => card.count()).toBe(4);
  const CHOICES = ["Deny", "Allow once", "Deny", "Allow once"];
  for (const [nth, name] of names.entries()) {
    const one = card.filter({ hasText: `in ${name}` });
    await one.scrollIntoViewIfNeeded();
    const button = one.getByRole("button", { name: CHOICES[nth] ?? "" });
    await button.hover();
    await untilQuiet(page);
    await button.click();
    await one.waitFor({ state: "detached" });
    const task = page.locator(".task").filter({ hasText: name });
    await task.getByText(`${CHOICES[nth] === "Deny" ? "Denied" : "Allowed once"} by you, here: Run touch it`).waitFor();
  }
  await transcript(page).getByText("All of it is done.").waitFor();
  expect(await page.getByText("This needs no answer any more.").count()).toBe(0);
  expect(await card.count()).toBe(0);
});
