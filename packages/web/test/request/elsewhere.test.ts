import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath } from "../support/browser.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined };
const call = (tool: string, input: unknown) => ({ tool, input });

/** Records the notifications of the page in the browser, because a headless one shows nothing by itself. */
async function keepNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const told: string[] = [];
    const Real = window.Notification;
    class Kept extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        told.push(`${title}: ${options?.body ?? ""}`);
      }
    }
    Object.assign(window, { Notification: Kept, told });
  });
}

const told = (page: Page) => page.evaluate(() => Reflect.get(window, "told") as string[]);

/** As if another tab were in front. */
const hide = (page: Page) =>
  page.evaluate(() => Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" }));

test(
  "a request that opens while the page is hidden sends one notification if the user enabled that, and the title shows the count",
  here,
  async () => {
    await using opened = await Opened.start({}, { notifies: true });
    const session = await opened.daemon.session({
      model: script(opened.daemon, [{ calls: [call("run_command", { command: "git push" })] }]),
    });
    const page = await opened.session(session.id, {
      prepare: async (made) => {
        await keepNotifications(made);
        await made.context().grantPermissions(["notifications"]);
      },
    });
    const bell = page.getByRole("button", { name: "Notifications" });
    expect(await bell.getAttribute("aria-pressed")).toBe("false");
    await bell.click();
    await expect.poll(() => bell.getAttribute("aria-pressed")).toBe("true");
    await hide(page);
    await session.prompt("Release it");
    await session.untilOpen();
    await expect.poll(() => page.title()).toBe("(1) Release it · Baton");
    expect(await told(page)).toEqual(["Run this command?: Release it · code"]);
    expect(opened.browser.errors).toEqual([]);
  },
);

test("the page sends no notifications if the user did not enable them", here, async () => {
  await using opened = await Opened.start({}, { notifies: true });
  const session = await opened.daemon.session({
    model: script(opened.daemon, [{ calls: [call("run_command", { command: "git push" })] }]),
  });
  const page = await opened.session(session.id, { prepare: keepNotifications });
  await hide(page);
  await session.prompt("Release it");
  await expect.poll(() => page.title()).toBe("(1) Release it · Baton");
  expect(await told(page)).toEqual([]);
});

test("a daemon of another version is reported, with the next step", here, async () => {
  await using opened = await Opened.start({}, { notifies: true });
  const page = await opened.unconnectedPage({
    prepare: (made) =>
      made.routeWebSocket(/trpc/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => socket.send(String(message).replace(/"protocol":\d+/, '"protocol":9999')));
      }),
  });
  await page.getByRole("heading", { name: "The daemon has another version" }).waitFor();
  await page.getByText("this page is older").waitFor();
  await page.getByRole("button", { name: "Reload the page" }).waitFor();
});
