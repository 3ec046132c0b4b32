import type { Page } from "playwright-core";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { ModelServer } from "../../daemon/test/support/model-server.ts";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath, leavePrompt, untilQuiet } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 120_000 };

/** Presses Tab until the focus is on an element with this name, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const isField = element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
      const label = isField ? element.labels?.[0]?.textContent : undefined;
      return element?.getAttribute("aria-label") ?? label ?? element?.textContent ?? "";
    });
    if (focused === name) return;
    passed.push(focused.slice(0, 30));
  }
  throw new Error(`Tab does not reach ${name}. It passes ${passed.join(", ")}.`);
}

test("the keyboard alone leads from an empty home to the first approved change", here, async () => {
  const call = { name: "write_file", input: { path: "hello.txt", content: "Hello.\n" } };
  await using model = await ModelServer.start({
    replies: [{ calls: [{ tool: call.name, input: call.input }] }, { text: "It is written." }],
  });
  await using opened = await Opened.start();
  const page = await opened.page();
  await page.getByRole("heading", { name: "Choose a model" }).waitFor();
  await tabTo(page, "Server");
  await page.keyboard.type("another"); // selects the option by its first letters
  await tabTo(page, "Address");
  await page.keyboard.type(model.url);
  await tabTo(page, "Name of the model");
  await page.keyboard.type("small");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Choose a model" }).waitFor({ state: "detached" });
  await tabTo(page, "Folder to work in");
  await page.keyboard.type(opened.daemon.workspace);
  await tabTo(page, "Prompt");
  await page.keyboard.type("Write hello.txt");
  await page.keyboard.press("Enter");
  const trust = page.getByRole("region", { name: /^Do you trust/ });
  await trust.waitFor();
  await leavePrompt(page);
  await page.keyboard.press("1");
  await trust.waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Create hello.txt?" }).waitFor();
  await leavePrompt(page);
  await page.keyboard.press("1");
  await page.getByText("It is written.").first().waitFor();
  expect(opened.daemon.read("hello.txt")).toBe("Hello.\n");
  expect(opened.browser.errors).toEqual([]);
});

test("ten requests in five sessions are answered by keys alone, each with the answer that was meant for it", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const sessions = await Promise.all(
    Array.from({ length: 5 }, async (_, i) => {
      const calls = ["a", "b"].map((name) => ({ tool: "write_file", input: { path: `${name}${i}.txt`, content: `${name}\n` } }));
      const session = await daemon.session({ model: script(daemon, [{ calls }, { text: "Done." }]) });
      await session.prompt(`Task ${i}`);
      await session.untilOpen(2);
      return session;
    }),
  );
  const page = await opened.page();
  const inbox = page.getByRole("navigation", { name: "Sessions" });
  await inbox.getByText("10", { exact: true }).waitFor();
  await page.keyboard.press("Escape"); // out of the prompt, and out of the folder
  await page.keyboard.press("Escape");
  const open = () => sessions.reduce((sum, { state }) => sum + openRequests(state).length, 0);
  for (let left = 10; left > 0; left--) {
    if (left % 2 === 0) await page.keyboard.press("Shift+J");
    const card = page.locator(".request.now");
    await card.waitFor();
    const title = (await card.getByRole("heading").first().textContent()) ?? "";
    const [, name = ""] = /Create (\w\d\.txt)\?/.exec(title) ?? [];
    // A card that has just moved takes no key, and a slow machine draws late. A person presses the key again while the same card is there.
    for (let tries = 0; tries < 3 && open() === left; tries++) {
      await untilQuiet(page);
      if ((await card.getByRole("heading").first().textContent()) === title) await page.keyboard.press(name.startsWith("a") ? "1" : "4");
      for (let waits = 0; waits < 50 && open() === left; waits++) await page.waitForTimeout(100);
    }
    expect(open()).toBe(left - 1);
    if (left % 2 === 1 && left > 1) await page.getByText("Shift+J leads to the next one.").waitFor();
  }
  for (const [i, session] of sessions.entries()) {
    await session.untilEnd();
    expect([daemon.read(`a${i}.txt`), daemon.read(`b${i}.txt`)]).toEqual(["a\n", ""]);
  }
  expect(opened.browser.errors).toEqual([]);
});
