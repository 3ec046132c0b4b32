import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 60_000 };
const call = (tool: string, input: unknown) => ({ tool, input });

test("the inbox stays in view while sessions scroll, folds after five requests, and is one Tab stop with arrow keys", here, async () => {
  await using opened = await Opened.start();
  const done = script(opened.daemon, [{ text: "Hello." }]);
  for (let i = 0; i < 40; i++) {
    const session = await opened.daemon.session({ model: done });
    await session.runTurn(`Session ${i}`);
  }
  const commands = Array.from({ length: 9 }, (_, i) => call("run_command", { command: `touch file-${i}` }));
  const busy = await opened.daemon.session({ model: script(opened.daemon, [{ calls: commands }]) });
  await busy.prompt("touch them");
  await busy.untilOpen(9);
  const page = await opened.session(busy.id);
  const inbox = page.getByRole("region", { name: "Needs you" });
  await expect.poll(() => inbox.getByRole("link").count()).toBe(5);
  await inbox.getByRole("button", { name: "and 4 more" }).waitFor();
  const list = page.getByRole("group", { name: "All sessions" });
  const before = await inbox.boundingBox();
  await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  expect(await inbox.boundingBox()).toEqual(before);

  // from the top of the page it takes a few Tab stops to the conversation, and one to skip to it
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const stops = await page.evaluate(
    () => [...document.querySelectorAll(".side :is(a, button, input)")].filter((each) => (each as HTMLElement).tabIndex === 0).length,
  );
  expect(stops).toBeLessThan(12);
  await list.getByRole("link").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Session 38");
  await page.keyboard.press("End");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Session 0");
  await page.getByRole("button", { name: "Skip to the conversation" }).focus();
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 150))).toContain("<textarea");
  expect(opened.browser.errors).toEqual([]);
});

test(
  "a session that ended while another was open is unread until the user opens it, and an archived one is in its list",
  here,
  async () => {
    await using opened = await Opened.start();
    const session = await opened.daemon.session({ model: script(opened.daemon, [{ text: "Hello." }]) });
    const page = await opened.page("/new");
    await session.runTurn("Greet me");
    const row = page.getByRole("navigation", { name: "Sessions" }).getByRole("link", { name: "Greet me" });
    await row.getByText("done, unread").waitFor({ state: "attached" });
    await row.click();
    await row.getByText("done", { exact: true }).waitFor({ state: "attached" });
    await page.reload();
    await row.getByText("done", { exact: true }).waitFor({ state: "attached" });
    await session.wish({ type: "archive", archived: true });
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Archived" }).click();
    await row.getByText("archived").waitFor();
  },
);

test("the same request in several sessions is one row, and is answered together after all of them were shown", here, async () => {
  await using opened = await Opened.start();
  const sessions = await Promise.all(
    ["one", "two", "three"].map(async (name) => {
      const session = await opened.daemon.session({
        model: script(opened.daemon, [{ calls: [call("run_command", { command: "touch made" })] }, { text: "Done." }]),
      });
      await session.prompt(name);
      await session.untilOpen();
      return session;
    }),
  );
  const page = await opened.page("/new");
  const inbox = page.getByRole("region", { name: "Needs you" });
  await inbox.getByRole("button", { name: "3 requests in 3 sessions" }).click();
  const dialog = page.getByRole("dialog", { name: "Run touch made?" });
  for (const name of ["one", "two", "three"]) await dialog.getByText(name).first().waitFor();
  await dialog.getByRole("checkbox", { name: "two" }).uncheck();
  await dialog.getByRole("button", { name: "Allow 2 once" }).click();
  await dialog.waitFor({ state: "detached" });
  await Promise.all([sessions[0]?.untilEnd(), sessions[2]?.untilEnd()]);
  await inbox.getByRole("link", { name: "Run touch made" }).getByText("two").waitFor();
});

test("the search finds words in conversations, and a match leads to its position, even in an earlier part", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const long = Array.from({ length: 6 }, (_, i) => `Paragraph ${i} of an answer.`).join("\n\n");
  const replies = Array.from({ length: 260 }, (_, i) => ({
    text: i === 20 ? `${long}\n\nThe albatross lands here.` : long,
    calls: [call("read_file", { path: "a.txt", start_line: i + 1, end_line: i + 1 })],
  }));
  daemon.write("a.txt", "a line\n".repeat(300));
  const session = await daemon.session({ model: script(daemon, [...replies, { text: "All over." }]) });
  await session.wish({ type: "prompt", promptId: crypto.randomUUID(), text: "look for birds", delivery: "queue", stepLimit: 5_000 });
  await session.untilEnd();
  const page = await opened.page("/new");
  const box = page.getByRole("searchbox", { name: "Search sessions and conversations" });
  await box.fill("albatross");
  const match = page.getByRole("link", { name: /albatross/ });
  await match.waitFor();
  expect(await match.locator("mark").textContent()).toBe("albatross");
  await page.getByText("No session has this name.").waitFor();
  await match.focus();
  await page.keyboard.press("Enter");
  const place = page.getByRole("region", { name: "Transcript" }).getByText("The albatross lands here.");
  await place.waitFor();
  await expect.poll(() => place.evaluate((text) => text.closest(".row-of")?.classList.contains("found"))).toBe(true);
  const inView = () =>
    place.evaluate((text) => {
      const [at, view] = [text.getBoundingClientRect(), text.closest(".scroll")?.getBoundingClientRect()];
      return view !== undefined && at.top >= view.top && at.bottom <= view.bottom;
    });
  expect(await inView()).toBe(true);
  await page.waitForTimeout(500);
  expect(await inView()).toBe(true);
  await box.fill("birds");
  await page
    .getByRole("link")
    .filter({ has: page.locator("mark", { hasText: "birds" }) })
    .click();
  await page.getByRole("article", { name: "You" }).getByText("look for birds").waitFor();
  await box.fill("pelican");
  await page.getByText("No conversation has these words.").waitFor();
  expect(opened.browser.errors).toEqual([]);
});
