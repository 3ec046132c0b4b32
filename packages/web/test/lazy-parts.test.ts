import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };
const ASSETS = "**/assets/**";
const openSettings = (page: Page) => page.evaluate(() => void (location.hash = "#/settings/general"));
const settings = (page: Page) => page.getByRole("textbox", { name: "Steps of a turn" });

test.each(["script", "stylesheet"])(
  "a part of the page whose %s the daemon did not serve loads once it answers again",
  here,
  async (type) => {
    await using opened = await Opened.start();
    const page = await opened.page();
    let refused = 0;
    const refuse = (route: Route) =>
      route.request().resourceType() === type && ++refused ? route.abort("connectionrefused") : route.continue();
    await page.route(ASSETS, refuse);
    await openSettings(page);
    await expect.poll(() => refused).toBeGreaterThan(0);
    await page.unroute(ASSETS, refuse);
    await settings(page).waitFor();
    const withoutStyles = () =>
      page.evaluate(() => [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter((link) => !link.sheet).length);
    expect(await withoutStyles()).toBe(0);
  },
);

test("a part that the daemon no longer has is named in its place, and the rest of the page works", here, async () => {
  await using opened = await Opened.start();
  const page = await opened.page();
  await page.route(ASSETS, (route) => route.fulfill({ status: 404 }));
  await openSettings(page);
  await page.getByRole("alert").getByText("This part of the page did not load").waitFor();
  await page.unroute(ASSETS);
  await page.getByRole("button", { name: "Reload the page" }).click();
  await settings(page).waitFor();
});
