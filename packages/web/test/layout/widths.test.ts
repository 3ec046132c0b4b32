import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath } from "../support/browser.ts";
import { LOOKS, violationsIn } from "../support/checker.ts";
import { openedRepository } from "../support/repository-page.ts";

/** A text of each tab of the settings that appears when its data has arrived. */
const TABS = {
  general: "Default model",
  modes: "architect",
  permissions: "Always enforced",
  toolsets: "No toolset is active",
  hooks: "There are no hooks for this folder.",
  plugins: "There are no plugins.",
  usage: "By model",
};

/** Elements that end to the right of the page, unless a part that scrolls contains them. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const scrolls = (element: Element): boolean => {
      const { overflowX, position } = getComputedStyle(element);
      if (/auto|scroll/.test(overflowX) && !element.matches(".scroll")) return true;
      return position !== "fixed" && element.parentElement !== null && scrolls(element.parentElement);
    };
    return [...document.querySelectorAll(".main :is(button, input, select, textarea, a, td, h1, h2, p, code)")]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        return width > 0 && right > innerWidth + 1 && !scrolls(element);
      })
      .map((element) => element.outerHTML.slice(0, 120));
  });

test(
  "in every view, at the widths of a tablet and a small laptop, nothing is cut off and an accessibility checker finds nothing",
  { skip: chromiumPath === undefined, timeout: 180_000 },
  async () => {
    await using opened = await openedRepository(
      { "a.txt": "one\n" },
      {
        config: {
          permissions: { edit: "allow", command: { "git push *": "deny" }, read: { "~/secrets/*": "deny" } },
          mcpServers: { files: { command: "node", args: ["--eval", "setInterval(() => undefined, 1_000_000)"] } },
        },
      },
    );
    const { daemon } = opened;
    const session = await daemon.session({
      model: script(daemon, [
        { text: "I change it.", calls: [{ tool: "edit_file", input: { path: "a.txt", old_text: "one", new_text: "two" } }] },
        { calls: [{ tool: "run_command", input: { command: "sleep 300 # a server that keeps running", background: true } }] },
        { calls: [{ tool: "run_command", input: { command: "npm publish" } }] },
      ]),
    });
    await session.prompt("change it");
    await session.untilOpen();
    const workspace = encodeURIComponent(daemon.workspace);
    const views = {
      "/new": "What should Baton work on?",
      "/board": "Needs you",
      [`/session/${session.id}`]: "Run npm publish?",
      [`/review/${session.id}`]: "Whole session",
      ...Object.fromEntries(Object.entries(TABS).map(([tab, text]) => [`/settings/${tab}/${workspace}`, text])),
    };
    const page = await opened.page("/", { width: 768, height: 900 });
    await page.emulateMedia({ reducedMotion: "reduce" }); // so that no colour is measured during a transition
    await page.evaluate(axe.source);
    const found: string[] = [];
    for (const [view, text] of Object.entries(views)) {
      await page.evaluate((hash) => void (location.hash = hash), `#${view}`);
      await page.locator(".main").getByText(text).first().waitFor({ state: "attached" });
      for (const width of [768, 1024]) {
        await page.setViewportSize({ width, height: 900 });
        for (const line of await cutOff(page)) found.push(`${view.slice(0, 24)} ${width} ${line}`);
      }
      for (const line of await violationsIn(LOOKS.slice(0, 2), page)) found.push(`${view.slice(0, 24)} ${line}`);
    }
    expect(found).toEqual([]);
    expect(opened.browser.errors).toEqual([]);
  },
);
