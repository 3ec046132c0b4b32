import type { Page } from "playwright-core";
import { TestDaemon, type DaemonOptions } from "../../../daemon/test/support/daemon.ts";
import { TestBrowser, type BrowserOptions, type Wide } from "./browser.ts";

/** A daemon and a browser that belong together. */
export class Opened implements AsyncDisposable {
  readonly daemon: TestDaemon;
  readonly browser: TestBrowser;

  private constructor(daemon: TestDaemon, browser: TestBrowser) {
    this.daemon = daemon;
    this.browser = browser;
  }

  static async start(options: DaemonOptions = {}, browser: BrowserOptions = {}): Promise<Opened> {
    const daemon = await TestDaemon.start(options);
    return new Opened(daemon, await TestBrowser.start(browser));
  }

  /** The page, logged in by a code, at an address inside it such as `/session/abc`. */
  async page(place = "/", wide: Wide = {}): Promise<Page> {
    const page = await this.unconnectedPage(wide);
    await page.getByText("Connected").first().waitFor({ state: "attached" });
    if (place !== "/") await page.evaluate((hash) => void (location.hash = hash), `#${place}`);
    return page;
  }

  /** The page without waiting for its connection. */
  async unconnectedPage(wide: Wide = {}): Promise<Page> {
    const { url } = await this.daemon.connect().api.daemon.openPage.mutate();
    return this.browser.page(url, wide);
  }

  async session(id: string, wide: Wide = {}): Promise<Page> {
    const page = await this.page(`/session/${id}`, wide);
    await page.getByRole("region", { name: "Transcript" }).waitFor();
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser[Symbol.asyncDispose]();
    await this.daemon[Symbol.asyncDispose]();
  }
}
