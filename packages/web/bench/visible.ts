import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { ModelServer } from "../../daemon/test/support/model-server.ts";
import { Opened } from "../test/support/opened.ts";
import { TestBrowser } from "../test/support/browser.ts";
import type { Row } from "../../daemon/bench/table.ts";

const STAMPS = { count: 300, everyMs: 10 };

/** Measures the age of a piece of text in the frame that first shows it, beside a bare socket. */
export async function visible(): Promise<Row> {
  return {
    what: "streamed text, model to visible on the page",
    unit: "ms",
    values: await onPage(),
    budget: "bare socket + 16 ms",
    reference: { what: "bare socket, same browser", values: await bare() },
  };
}

async function onPage(): Promise<number[]> {
  await using model = await ModelServer.start({ replies: [{ stamps: STAMPS }] });
  await using opened = await Opened.start({
    config: model.config,
  });
  const session = await opened.daemon.session();
  const page = await opened.session(session.id);
  await page.getByRole("heading", { name: "What should Baton work on?" }).waitFor();
  await watchStamps(page, ".turns");
  await session.runTurn("go");
  return await agesOn(page);
}

/** The floor: the same browser shows the data that a bare relay forwards. */
async function bare(): Promise<number[]> {
  await using model = await ModelServer.start({ replies: [{ stamps: STAMPS }] });
  const program = fileURLToPath(new URL("../../daemon/bench/bare/bare-relay-process.ts", import.meta.url));
  const relay = spawn(process.execPath, [program, model.url], { stdio: ["ignore", "pipe", "inherit"] });
  const { port } = JSON.parse(String(await new Promise((resolve) => relay.stdout.once("data", resolve)))) as { port: number };
  await using browser = await TestBrowser.start();
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end('<div class="turns"></div>'));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const page = await browser.page(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await watchStamps(page, ".turns");
  const ended = new Promise((done) => relay.once("exit", done));
  await page.evaluate((to) => {
    const place = document.querySelector(".turns");
    new WebSocket(`ws://127.0.0.1:${to}`).addEventListener("message", ({ data }) => {
      for (const [, stamp] of String(data).matchAll(/"content":"([\d.]+) "/g)) place?.append(`${stamp} `);
    });
  }, port);
  await ended;
  server.close();
  return await agesOn(page);
}

/** Checks at every frame which stamps have appeared on the page, and their age once the frame is drawn. */
async function watchStamps(page: Page, selector: string): Promise<void> {
  await page.evaluate(
    ([where, origin]) => {
      const ages: number[] = [];
      Object.assign(window, { ages });
      let newest = 0;
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => {
        const now = performance.timeOrigin + performance.now() - Number(origin);
        const text = document.querySelector(String(where))?.textContent ?? "";
        const stamps = [...text.slice(-4_000).matchAll(/\d{3,}\.\d{3}(?= |$)/g)]
          .map(([stamp]) => Number(stamp))
          .filter((stamp) => stamp > newest);
        newest = Math.max(newest, ...stamps);
        ages.push(...stamps.map((stamp) => now - stamp));
      });
      port1.start();
      const look = () => {
        port2.postMessage(undefined); // runs after the frame was drawn
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    [selector, performance.timeOrigin] as const,
  );
}

/** In milliseconds. The first values, during warm-up, do not count. */
const agesOn = async (page: Page): Promise<number[]> => (await page.evaluate(() => Reflect.get(window, "ages") as number[])).slice(20);
