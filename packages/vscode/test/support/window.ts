import type { FrameLocator, Page } from "playwright-core";

/** Waits until the extension is active and connected: its sign stands in the status bar. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.statusbar-item[id*="baton.waiting"]').waitFor();
}

/** Opens the view in the side bar and gives the page that is drawn in it. */
export async function openView(page: Page): Promise<FrameLocator> {
  await ready(page);
  await page.locator(".activitybar .action-item", { has: page.locator('a[aria-label^="Baton"]') }).click();
  const view = pageIn(page);
  await view.getByText("Connected").first().waitFor({ state: "attached" });
  return view;
}

/** The page inside the window: two frames deep. */
export const pageIn = (page: Page): FrameLocator => page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");

/** A button in the title bar of the editor that is active. */
export const titleButton = (page: Page, name: string) => page.locator(`.editor-actions a[aria-label^="${name}"]`).first();

/** Runs a command by its name, as a person does from the palette. */
export async function command(page: Page, name: string): Promise<void> {
  await palette(page, `>${name}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
}

/** Types into the palette. A view that has just been opened may take the focus from it once, so it is opened again then. */
async function palette(page: Page, text: string): Promise<void> {
  const input = page.locator(".quick-input-widget input");
  for (let tries = 1; ; tries++) {
    await page.keyboard.press("F1");
    try {
      return await input.fill(text, { timeout: 4_000 });
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

/** Opens a file of the workspace, as a person does from the palette. */
export async function openFile(page: Page, name: string): Promise<void> {
  await palette(page, name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
  await page.locator(".tab.active", { hasText: name }).waitFor();
}

/** A request takes no answer before it has stood still for a moment: until then. */
export async function untilQuiet(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((from) => performance.now() - from > 450, since, { polling: 50 });
}

/** Leaves a window as it was opened: no editors, and the view at its list. */
export async function tidy(page: Page, view: FrameLocator): Promise<void> {
  await command(page, "View: Close All Editors");
  const back = view.getByRole("link", { name: /^Inbox and sessions/ });
  if (await back.isVisible()) await back.click();
}
