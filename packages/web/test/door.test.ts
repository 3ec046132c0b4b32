import { once } from "node:events";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bundle } from "../../daemon/test/support/daemon.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

test.skipIf(chromiumPath === undefined)(
  "a code opens the page once and disappears from the address, and a reload keeps the login",
  async () => {
    await using opened = await Opened.start();
    const { url } = await opened.daemon.connect().api.daemon.openPage.mutate();
    const page = await opened.browser.page(url);
    await page.getByText("Connected").waitFor();
    expect(new URL(page.url()).hash).toBe("");
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await page.getByText("Connected").waitFor();
    await page.getByRole("heading", { name: "Choose a model" }).waitFor(); // a part that loads later, which a killed daemon could not serve
    await opened.daemon.kill();
    await page.getByText("Reconnecting").waitFor();
    await opened.daemon.start();
    await page.getByText("Connected").waitFor();

    const other = await opened.browser.page(url);
    await other.getByRole("heading", { name: "Open this page from the terminal" }).waitFor();
    await other.getByText("baton web", { exact: true }).waitFor();
    expect(opened.browser.errors.filter((text) => !text.includes("401"))).toEqual([]);
    expect(opened.browser.foreign).toEqual([]);
  },
);

test.skipIf(chromiumPath === undefined)(
  "a page shows when another build of the daemon has replaced the old one, and only then",
  async () => {
    await using opened = await Opened.start();
    const { daemon } = opened;
    const session = await daemon.session();
    const page = await opened.session(session.id);
    const notice = page.getByText("another build of Baton");
    const other = fileURLToPath(new URL("../../daemon/node_modules/.cache/other-build/", import.meta.url));
    cpSync(path.dirname(bundle), other, { recursive: true });
    writeFileSync(path.join(other, "other.js"), "");
    for (const [program, times] of [
      [bundle, 0],
      [path.join(other, "main.js"), 1],
    ] as const) {
      await daemon.kill();
      await page.getByText("Reconnecting").waitFor();
      await daemon.start({ program });
      await page.getByText("Reconnecting").waitFor({ state: "detached" });
      await expect.poll(() => notice.count()).toBe(times);
    }
    rmSync(other, { recursive: true });
  },
);

/** A page that asks the other tabs of its origin for access, and shows the answer in its title. */
const BEGGAR = `<script>
  const channel = new BroadcastChannel("baton.token");
  channel.onmessage = ({ data }) => { if (data.token) document.title = "got it"; };
  channel.postMessage("wanted");
  setTimeout(() => { document.title ||= "nothing"; }, 500);
</script>`;

test.skipIf(chromiumPath === undefined)(
  "another tab of the browser gets access, but no other program on the daemon's port does",
  async () => {
    await using opened = await Opened.start();
    const first = await opened.page();
    const tab = async () => {
      const page = await first.context().newPage();
      await page.goto(first.url());
      return page;
    };
    const second = await tab();
    await second.getByText("Connected").waitFor();
    await second.close();
    await opened.daemon.kill();
    await first.getByText("Reconnecting").waitFor();
    const squatter = createServer((_, response) => response.setHeader("content-type", "text/html").end(BEGGAR));
    squatter.listen(Number(new URL(first.url()).port), "127.0.0.1");
    await once(squatter, "listening");
    const beggar = await tab();
    await beggar.waitForFunction(() => document.title !== "");
    expect(await beggar.title()).toBe("nothing");
    squatter.closeAllConnections();
    squatter.close();
  },
);

test.skipIf(chromiumPath === undefined)("a token that is no longer valid shows how to log in again", async () => {
  await using opened = await Opened.start();
  const page = await opened.page();
  await page.evaluate(() => sessionStorage.setItem("baton.token", "taken-back"));
  await page.reload();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
});

/** The limit for the download before the first view, including the icon font: thousands of bytes, each file gzipped. */
const FIRST_LOAD_KB = 250;

test.skipIf(chromiumPath === undefined)("the first load is small", async () => {
  await using opened = await Opened.start();
  const sizes: Promise<number>[] = [];
  const page = await opened.page("/", {
    prepare: async (made) => void made.on("response", (response) => sizes.push(response.body().then((body) => gzipSync(body).length))),
  });
  await page.waitForFunction(() => document.fonts.check("16px codicon") && document.fonts.size > 0);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState("networkidle"); // files that load later count as well
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1_000;
  console.info(`first load: ${total.toFixed(0)} kB gzipped in ${sizes.length} files`);
  expect(sizes.length).toBeGreaterThan(3);
  expect(total).toBeLessThan(FIRST_LOAD_KB);
});

test.skipIf(chromiumPath === undefined)("a new session shows unreadable settings, and starts in the mode that they name", async () => {
  await using opened = await Opened.start({ configText: '{\n  "defaultMode": "ask",\n  "modle": "x/y"\n}' });
  const page = await opened.page("/new");
  await page.getByText("1 error in your config").waitFor();
  await page.getByText('Unknown key "modle". Did you mean "model"?').first().waitFor();
  await page.getByRole("button", { name: /^Mode/ }).getByText("Ask").waitFor();
});

test.skipIf(chromiumPath === undefined)("an address with a folder opens a session in that folder", async () => {
  await using opened = await Opened.start();
  const { url } = await opened.daemon.connect().api.daemon.openPage.mutate();
  const page = await opened.browser.page(`${url}/new/${encodeURIComponent(opened.daemon.workspace)}`);
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  await page
    .getByText(opened.daemon.workspace.split("/").at(-1) ?? "")
    .first()
    .waitFor();
  expect(new URL(page.url()).hash).toBe(`#/new/${encodeURIComponent(opened.daemon.workspace)}`);
});
