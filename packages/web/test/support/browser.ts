import { spawnSync } from "node:child_process";
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from "playwright-core";

/** The system's Chromium. If it is missing and may be installed, it is installed. Undefined if there is none. */
export const chromiumPath: string | undefined = found() ?? installed();

/** Chromium without its own windows, tabs and notifications: the same page for a fifth less processor time. */
export const shellPath: string | undefined = process.env["CHROME_BIN"] ? undefined : which("chromium-headless-shell");

function found(): string | undefined {
  const { CHROME_BIN } = process.env;
  if (CHROME_BIN) return CHROME_BIN;
  return which("chromium") ?? which("chromium-browser") ?? which("google-chrome");
}

function which(name: string): string | undefined {
  const { status, stdout } = spawnSync("which", [name], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function installed(): string | undefined {
  if (process.getuid?.() === 0) {
    spawnSync("apt-get", ["update"], { stdio: "ignore" }); // without it a new machine has no list of packages
    spawnSync("apt-get", ["install", "-o", "DPkg::Lock::Timeout=300", "-y", "--no-install-recommends", "chromium"], { stdio: "ignore" });
    spawnSync("apt-get", ["install", "-o", "DPkg::Lock::Timeout=300", "-y", "--no-install-recommends", "chromium-headless-shell"], {
      stdio: "ignore",
    }); // not in every release
  }
  const path = found();
  if (path === undefined) console.warn("The page is not tried: there is no Chromium here. Install it, or name it in CHROME_BIN.");
  return path;
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--enable-precise-memory-info",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const PATIENCE_MS = 30_000;

export type Wide = {
  width?: number;
  height?: number;
  /** The browser's zoom: at 2 the window has half as many CSS pixels. */
  zoom?: number;
  /** A touch screen instead of a mouse. */
  touch?: boolean;
  /** Runs on the page before it loads an address. */
  prepare?: (page: Page) => Promise<void>;
};

/** `notifies`: the page may show notifications, which needs the whole Chromium. */
export type BrowserOptions = { notifies?: boolean };

/** One browser of each kind, by its path, for all tests of a file. It ends with their process, or earlier. */
const launched = new Map<string, Promise<Browser>>();

export async function endBrowser(): Promise<void> {
  for (const browser of launched.values()) await (await browser).close();
}

/** The windows of one test. Records the errors that a page logs, and its requests to other hosts. */
export class TestBrowser implements AsyncDisposable {
  readonly errors: string[] = [];
  readonly foreign: string[] = [];
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start({ notifies = false }: BrowserOptions = {}): Promise<TestBrowser> {
    const executablePath = notifies ? chromiumPath : (shellPath ?? chromiumPath);
    if (executablePath === undefined) throw new Error("there is no Chromium");
    const browser = launched.get(executablePath) ?? chromium.launch({ executablePath, args: FLAGS });
    launched.set(executablePath, browser);
    return new TestBrowser(await browser);
  }

  /** A page in a separate context, so that it shares nothing with the others. */
  async page(url: string, { width = 1440, height = 900, zoom = 1, touch = false, prepare }: Wide = {}): Promise<Page> {
    const viewport = { width: Math.round(width / zoom), height: Math.round(height / zoom) };
    const context = await this.#browser.newContext({ viewport, deviceScaleFactor: zoom, hasTouch: touch, isMobile: touch });
    this.#contexts.push(context);
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" && !/WebSocket connection|ERR_CONNECTION_(REFUSED|RESET)/.test(message.text()))
        this.errors.push(message.text());
    });
    page.on("pageerror", (error) => this.errors.push(error.stack ?? error.message));
    page.on("request", (request) => {
      if (new URL(request.url()).hostname !== "127.0.0.1" && request.url().startsWith("http")) this.foreign.push(request.url());
    });
    await prepare?.(page);
    await page.goto(url);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const context of this.#contexts) await context.close();
  }
}

/** A request accepts no answer before it has been visible for a moment. This waits until then. */
export async function untilQuiet(page: Page): Promise<void> {
  const began = await page.evaluate(() => performance.now());
  const seen = await page.evaluateHandle(() => ({ places: "", since: 0 }));
  await page.waitForFunction(
    ({ seen: last, began: from }) => {
      const now = performance.now();
      const places = Array.from(document.querySelectorAll("button"), (button) => {
        const { x, y } = button.getBoundingClientRect();
        return `${Math.round(x)} ${Math.round(y)}`;
      }).join();
      if (places !== last.places) [last.places, last.since] = [places, now];
      return now - last.since > 450 || now - from > 5_000; // streaming content moves forever
    },
    { seen, began },
    { polling: 50 },
  );
}

/** Clicks a choice like a user: once it is in view and does not move. */
export async function choose(choice: Locator): Promise<void> {
  await choice.hover(); // scrolls the choice into view, and tries again if the page redraws it
  await untilQuiet(choice.page());
  await choice.click();
}

/** Moves the focus out of the prompt if it is there, so that keys are for the waiting request. */
export async function leavePrompt(page: Page): Promise<void> {
  const typing = await page.getByRole("textbox", { name: "Prompt" }).evaluate((box) => box === document.activeElement);
  if (typing) await page.keyboard.press("Escape");
  await untilQuiet(page);
}
