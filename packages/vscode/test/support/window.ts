import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Editor } from "./editor.ts";

/** Waits until the extension is active and connected, so that its item is in the status bar. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.statusbar-item[id*="baton.waiting"]').waitFor();
}

/**
 * Opens a window and waits until it is ready. On a busy machine VS Code sometimes starts two extension hosts for one window. Both then follow
 * its requests, but a command reaches only one. Such a window is closed, and another one is opened.
 */
export async function openWindow(editor: Editor, folder: string, size: { width?: number; height?: number } = {}): Promise<Page> {
  for (let tries = 1; ; tries++) {
    const before = editor.startedHosts;
    const page = await editor.window(folder, size);
    await ready(page);
    const started = editor.startedHosts - before;
    if (started === 1) return page;
    if (tries === 5) throw new Error(`VS Code started ${started} extension hosts for one window, five times in a row`);
    await setFocus(page, false); // its extension hosts outlive it
    await page.close();
  }
}

/**
 * Reloads the window and waits until it is ready and `shown` ends. Does so again if VS Code started two extension hosts for it, at first or
 * later. If the window does not show what it should, the error has the texts of all its pages.
 */
export async function reloadWindow(editor: Editor, page: Page, shown: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = editor.startedHosts;
    await page.reload();
    await ready(page);
    const problem = await shown().then(
      () => undefined,
      (error: unknown) => error,
    );
    const started = editor.startedHosts - before;
    if (started === 1 && problem === undefined) return;
    if (started === 1 || tries === 5)
      throw new Error(`After ${tries} reloads and ${started} extension hosts, the window shows:\n${await textOf(page)}`, {
        cause: problem,
      });
  }
}

/** The texts of all pages in the window. */
async function textOf(page: Page): Promise<string> {
  const texts = page.frames().map(async (frame) => {
    const text = await frame
      .locator("body")
      .innerText({ timeout: 2_000 })
      .catch((error: unknown) => String(error));
    return `${frame.url().slice(0, 100)}\n${text.slice(0, 1_000)}`;
  });
  return (await Promise.all(texts)).join("\n---\n");
}

/** Opens the view in the side bar and returns its page. */
export async function openView(page: Page): Promise<FrameLocator> {
  await ready(page);
  await page.locator(".activitybar .action-item", { has: page.locator('a[aria-label^="Baton"]') }).click();
  const view = pageIn(page);
  await view.getByText("Connected").first().waitFor({ state: "attached" });
  return view;
}

/** The page inside the window: two frames deep. */
export const pageIn = (page: Page): FrameLocator => page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");

/** The visible element in any frame of the window, for pages in several tabs. Waits for one. */
export async function visibleIn(page: Page, find: (frame: Frame) => Locator): Promise<Locator> {
  let found: Locator | undefined;
  const look = async () => {
    for (const frame of page.frames()) {
      const element = find(frame).first();
      if (await element.isVisible().catch(() => false)) found = element; // a frame may be removed during the check
    }
    return found;
  };
  await expect.poll(look, { timeout: 60_000 }).toBeDefined();
  if (!found) throw new Error("no frame has the element");
  return found;
}

/**
 * Sets whether a window has the focus, because every page of this browser assumes that it has it. The editor reads the document after either
 * event, and ignores an event that repeats the previous one, so it gets both. The browser draws only the front page at full speed.
 */
export async function setFocus(page: Page, has: boolean): Promise<void> {
  await page.bringToFront();
  await page.evaluate(async (value) => {
    document.hasFocus = () => value;
    for (const type of ["focus", "blur"]) window.dispatchEvent(new FocusEvent(type));
    // The editor handles a loss of focus in a separate task, and drops it if something takes the focus before that.
    await new Promise((handled) => setTimeout(handled, 20));
  }, has);
  await untilHandled(page);
}

/**
 * Waits until the extension knows which window has the focus, even on a busy machine: it receives the change of focus and a command over one
 * channel, in order.
 */
async function untilHandled(page: Page): Promise<void> {
  await command(page, "Baton: Open Session…");
  const title = page.getByText("Open a session", { exact: true });
  await title.waitFor();
  await page.keyboard.press("Escape");
  await title.waitFor({ state: "hidden" });
}

/** A button in the title bar of the active editor. */
export const titleButton = (page: Page, name: string) => page.locator(`.editor-actions a[aria-label^="${name}"]`).first();

/** Runs a command by its name, as a user does from the palette. */
export const command = (page: Page, name: string): Promise<void> => fromPalette(page, `>${name}`, name);

/** Opens a file of the workspace, as a user does from the palette. */
export async function openFile(page: Page, name: string): Promise<void> {
  await fromPalette(page, name, name);
  await page.locator(".tab.active", { hasText: name }).waitFor();
}

/** Switches the mode in the list of the status bar. */
export const chooseMode = (page: Page, mode: string): Promise<void> =>
  fromList(page, () => page.locator('[id*="baton.mode"]').click({ timeout: LIST_MS }), mode);

const fromPalette = (page: Page, text: string, row: string): Promise<void> =>
  fromList(
    page,
    async () => {
      await page.keyboard.press("F1");
      await page.locator(".quick-input-widget input").fill(text, { timeout: LIST_MS });
    },
    row,
  );

/** How long a list stays open if nothing takes the focus from it. */
const LIST_MS = 10_000;

/** Chooses a row of a list. A view that has just changed may take the focus from the list, so this opens it again then. */
async function fromList(page: Page, open: () => Promise<void>, row: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await open();
      return await page.locator(".quick-input-list .monaco-list-row", { hasText: row }).first().click({ timeout: LIST_MS });
    } catch (error) {
      if (tries === 5) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/** A request accepts no answer before it has been visible for a moment. This waits until then. */
export async function untilQuiet(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((from) => performance.now() - from > 450, since, { polling: 50 });
}

/** Clicks a choice of a request like a user: once it is in view, and again if the page did not accept the click because the choice had moved. */
export async function choose(page: Page, choice: Locator): Promise<void> {
  for (let tries = 1; tries <= 5; tries++) {
    await choice.hover(); // scrolls the choice into view, and tries again if the page redraws it
    await untilQuiet(page);
    const shown = await choice.elementHandle();
    await choice.click();
    const answered = shown?.waitForElementState("hidden", { timeout: LIST_MS });
    if (await answered?.then(() => true).catch(() => false)) return;
  }
}

/** Restores a window as it was opened: no editors, and the view at its list. */
export async function tidy(page: Page, view: FrameLocator): Promise<void> {
  await command(page, "View: Close All Editors");
  const back = view.getByRole("link", { name: /^Inbox and sessions/ });
  if (await back.isVisible()) await back.click();
}
