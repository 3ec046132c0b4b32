import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath } from "../support/browser.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined };
const call = (tool: string, input: unknown) => ({ tool, input });
const transcript = (page: Page) => page.getByRole("region", { name: "Transcript" });

/** Opens a session whose agent replied with this text. */
async function replied(opened: Opened, text: string, width = 1440): Promise<Page> {
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ text }]) });
  await session.runTurn("go");
  return opened.session(session.id, { width });
}

test("a table keeps its words and numbers whole and may be wider than the text", here, async () => {
  await using opened = await Opened.start();
  const row = "| string | 1000 | 1.10 | a longer description of what this column is for | another-identifier |";
  const text = `| Name | Size | Price | Description of it | Identifier |\n|---|---|---|---|---|\n${row}\n${row}`;
  for (const width of [1440, 500]) {
    const page = await replied(opened, text, width);
    const cell = page.getByRole("cell", { name: "string" }).first();
    const lines = (box: Element) => Math.round(box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight));
    for (const word of ["string", "1000", "1.10"])
      expect(
        await page
          .getByRole("cell", { name: word, exact: true })
          .first()
          .evaluate((box) => {
            const range = document.createRange();
            range.selectNodeContents(box);
            return range.getClientRects().length;
          }),
      ).toBe(1);
    expect(await cell.evaluate(lines)).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});

test("right-to-left text is aligned to the right", here, async () => {
  await using opened = await Opened.start();
  const page = await replied(opened, "مرحبا بالعالم، هذا نص طويل.\n\nHello, this is English.");
  const direction = (text: string) =>
    transcript(page)
      .getByText(text)
      .evaluate((box) => getComputedStyle(box).direction);
  expect(await direction("مرحبا")).toBe("rtl");
  expect(await direction("Hello")).toBe("ltr");
});

test("code shows its language and can be copied and wrapped, and tasks and footnotes are drawn", here, async () => {
  await using opened = await Opened.start();
  const text = "Read this.[^1]\n\n```ts\nconst a = 1;\n```\n\n- [x] first\n- [ ] second\n\n# Large\n\n### Small\n\n[^1]: The note.";
  const page = await replied(opened, text);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await transcript(page).getByText("ts", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Copy code" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const a = 1;");
  await page.getByRole("button", { name: "Wrap lines" }).click();
  expect(await page.locator(".prose pre").evaluate((box) => getComputedStyle(box).whiteSpace)).toBe("pre-wrap");
  expect(await page.getByRole("checkbox", { name: "done" }).isChecked()).toBe(true);
  expect(await page.getByRole("checkbox", { name: "open" }).isChecked()).toBe(false);
  const size = (name: string) => page.getByRole("heading", { name }).evaluate((box) => Number.parseFloat(getComputedStyle(box).fontSize));
  expect(await size("Large")).toBeGreaterThan(await size("Small"));
  const place = page.url();
  await transcript(page).getByRole("link", { name: "1", exact: true }).click();
  await transcript(page).getByText("The note.").waitFor();
  expect(page.url()).toBe(place);
});

test("the reasoning of a reply can be read afterwards", here, async () => {
  await using opened = await Opened.start();
  const session = await opened.daemon.session({
    model: script(opened.daemon, [{ reasoning: "I weigh it up.", text: "It is done." }]),
  });
  await session.runTurn("go");
  const page = await opened.session(session.id);
  await transcript(page).getByText("It is done.").waitFor();
  await transcript(page).getByText("Thought").click();
  await transcript(page).getByText("I weigh it up.").waitFor();
});

test.each([30_000, 300_000])(
  "an output of %d lines can be expanded to its last line without a jump, and folded again",
  here,
  async (count) => {
    await using opened = await Opened.start({ config: { permissions: { command: "allow" } } });
    const session = await opened.daemon.session({
      model: script(opened.daemon, [{ calls: [call("run_command", { command: `seq 1 ${count}` })] }, { text: "Counted." }]),
    });
    await session.runTurn("go");
    const page = await opened.session(session.id);
    const show = transcript(page).getByRole("button", { name: `Show all ${count.toLocaleString("en")} lines` });
    const before = await show.boundingBox();
    await show.click();
    const whole = page.getByLabel("Whole output");
    await expect.poll(() => whole.innerText()).toContain("\n15000\n");
    expect(Math.abs(((await whole.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(300);
    await page.getByRole("button", { name: "Show less" }).click();
    await show.waitFor();
  },
);

test("the to-do list of a turn is one list that changes", here, async () => {
  await using opened = await Opened.start();
  const todos = (done: string) => call("update_todo_list", { todos: [{ text: "Build it", state: done }] });
  const session = await opened.daemon.session({
    model: script(opened.daemon, [{ calls: [todos("open")] }, { calls: [todos("doing")] }, { calls: [todos("done")] }, { text: "Built." }]),
  });
  await session.runTurn("go");
  const page = await opened.session(session.id);
  await transcript(page).getByText("Built.", { exact: true }).waitFor();
  expect(await transcript(page).locator(".todos").count()).toBe(1);
  await transcript(page).locator(".todos .done").getByText("Build it").waitFor();
});

test("formulas are drawn, prices stay text, and the library for formulas loads only then", here, async () => {
  await using opened = await Opened.start();
  const plain = await replied(opened, "It costs $5 and $6.");
  const files = () => plain.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.includes("formula")).length);
  await transcript(plain).getByText("It costs $5 and $6.").waitFor();
  expect(await files()).toBe(0);
  const page = await replied(opened, "So $E = mc^2$ and\n\n$$\n\\int_0^1 \\frac{x^2}{2}\\,dx = \\frac{1}{6}\n$$\n\nand \\(a < b\\).");
  await expect.poll(() => page.locator(".prose math").count()).toBe(3);
  expect(await page.locator(".prose mfrac").count()).toBe(2);
  expect(opened.browser.errors).toEqual([]);
});

test(
  "a diagram is drawn as an image, shows its source on demand and if it is not valid, and loads its library only then",
  here,
  async () => {
    await using opened = await Opened.start();
    const flow = "graph TD\n  A[Book] -->|seats left| B{Enough?}\n  B --> C[Done]";
    const hostile = 'graph TD\n  A["<img src=x onerror=alert(1)>"] --> B\n  click A href "javascript:alert(1)"';
    const answer = `Plain first.\n\n\`\`\`mermaid\n${flow}\n\`\`\`\n\n\`\`\`mermaid\ngraph TD\n  A --> --> B [\n\`\`\`\n\n\`\`\`mermaid\n${hostile}\n\`\`\`\n\nThe end.`;
    const plain = await opened.daemon.session({ model: script(opened.daemon, [{ text: "No diagram." }]) });
    const session = await opened.daemon.session({ model: script(opened.daemon, [{ text: answer }]) });
    for (const each of [plain, session]) {
      await each.runTurn("go");
    }
    const page = await opened.session(plain.id);
    const alerts: string[] = [];
    page.on("dialog", (dialog) => void alerts.push(dialog.message()));
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await page.evaluate((id) => void (location.hash = `#/session/${id}`), session.id);
    const images = page.locator("img.diagram");
    await expect.poll(() => images.count(), { timeout: 30_000 }).toBe(2);
    expect(loaded.some((url) => /\/mermaid-/.test(url))).toBe(true);
    await expect
      .poll(() =>
        images.first().evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth > 50, image.naturalHeight > 100]),
      )
      .toEqual([true, true, true]);
    await page.getByText("The diagram cannot be drawn:").waitFor();
    await page.locator("code", { hasText: "A --> --> B [" }).waitFor();
    await page.getByRole("button", { name: "Show the source" }).first().click();
    await page.getByText("A[Book] -->|seats left| B{Enough?}").waitFor();
    expect(await images.count()).toBe(1);
    // The library reads the markup of labels in its frame, whose policy blocks scripts.
    const others = opened.browser.errors.filter((error) => !error.startsWith("Executing inline event handler violates"));
    expect(others).toEqual([]);
    expect(alerts).toEqual([]);
    expect(opened.browser.foreign).toEqual([]);
  },
);
