import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { choose, chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };
const background = (command: string) => ({ tool: "run_command", input: { command, background: true } });

test("a session lists its background commands with live output, and stops one", here, async () => {
  await using opened = await Opened.start({ config: { permissions: { command: "allow" } } });
  const { daemon } = opened;
  const session = await daemon.session({
    model: script(daemon, [{ calls: [background("echo up; sleep 1; echo later; sleep 300"), background("exit 3")] }, { text: "Started." }]),
  });
  await session.runTurn("serve");
  const page = await opened.session(session.id, { width: 1_600 });
  const list = page.getByRole("complementary").getByRole("list").filter({ hasText: "sleep 300" });
  await list.getByText("exit 3", { exact: true }).last().waitFor();
  await list.getByText("running").waitFor();
  await choose(list.getByText("echo up; sleep 1")); // the parts of the panel above it may still arrive
  await list.getByRole("group", { name: "Output" }).getByText("later").waitFor();
  await list.getByRole("button", { name: "Stop echo up" }).click();
  await list.getByText("stopped").waitFor();
  expect(await list.getByRole("button", { name: "Stop" }).count()).toBe(0);
});

test("where there is no details panel, the header lists the background commands and stops one", here, async () => {
  await using opened = await Opened.start({ config: { permissions: { command: "allow" } } });
  const { daemon } = opened;
  const session = await daemon.session({
    model: script(daemon, [
      { text: "I start it.", calls: [background("echo up; sleep 300"), background("echo second; sleep 300")] },
      { text: "Started." },
    ]),
  });
  await session.runTurn("serve");
  for (const [width, command, left] of [
    [1_024, "echo second", 1],
    [390, "echo up", 0],
  ] as const) {
    const page = await opened.session(session.id, { width });
    await page.getByRole("button", { name: `Background commands, ${left + 1} running` }).click();
    const menu = page.getByRole("dialog", { name: /^Background commands/ });
    await menu.getByText("running").first().waitFor();
    await menu.getByRole("button", { name: new RegExp(`^Stop ${command}`) }).click();
    await expect.poll(() => session.state.processes.length).toBe(left);
    if (left > 0) await page.getByRole("button", { name: `Background commands, ${left} running` }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  expect(opened.browser.errors).toEqual([]);
});

test("a user types into the terminal of a command, which takes the size of the page", here, async () => {
  await using opened = await Opened.start({ config: { permissions: { command: { "*": "allow", "bash --norc --noprofile": "allow" } } } });
  const { daemon } = opened;
  const session = await daemon.session({
    model: script(daemon, [
      { calls: [{ tool: "run_command", input: { command: "bash --norc --noprofile", terminal: true } }] },
      { text: "ok" },
    ]),
  });
  await session.runTurn("shell");
  const page = await opened.session(session.id, { width: 1_600 });
  const blocked: string[] = [];
  page.on("console", (message) => blocked.push(message.text()));
  const list = page.getByRole("complementary").getByRole("list").filter({ hasText: "bash --norc" });
  const open = list.getByRole("button", { name: "Open the terminal of bash" });
  await open.click();
  const terminal = page.getByRole("dialog").getByRole("group", { name: "Terminal of bash" });
  await terminal.getByText("bash-").first().waitFor();
  await expect.poll(() => terminal.locator("textarea").evaluate((element) => element === document.activeElement)).toBe(true);
  const shows = (wanted: RegExp) => expect.poll(() => terminal.locator(".xterm-rows").innerText(), { timeout: 20_000 }).toMatch(wanted);
  await page.keyboard.type("echo $((6 * 7))x; stty size; printf '\\033[38;2;200;0;0mcolored\\033[0m\\n'");
  await page.keyboard.press("Enter");
  await terminal.locator(".xterm-rows").getByText("42x").waitFor();
  const size = /(\d+) (\d+)/;
  await expect.poll(() => terminal.locator(".xterm-rows").innerText()).toMatch(size);
  const [, rows, columns] = size.exec(await terminal.locator(".xterm-rows").innerText()) ?? [];
  expect([rows, columns]).not.toEqual(["30", "100"]);
  expect(await terminal.locator(".xterm-rows > div").count()).toBe(Number(rows));
  const frame = terminal.locator(".xterm-viewport");
  expect(await frame.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe("rgba(0, 0, 0, 0)"); // that of the page
  expect(
    await terminal
      .getByText("colored")
      .last()
      .evaluate((element) => getComputedStyle(element).color),
  ).not.toBe(
    await terminal
      .getByText("42x")
      .last()
      .evaluate((element) => getComputedStyle(element).color),
  );
  await page.keyboard.press("Control+]");
  await terminal.waitFor({ state: "detached" });
  expect(await open.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await terminal.locator(".xterm-rows").getByText("42x").waitFor();
  await page.keyboard.type("echo started; cat -v");
  await page.keyboard.press("Enter");
  await shows(/\nstarted\n/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await shows(/\n\^\[\n/);
  await page.keyboard.press("Control+d");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Control+c");
  await shows(/\^C\n/); // the kernel drops keys that arrive together with it
  await page.keyboard.type("exit 4");
  await page.keyboard.press("Enter");
  await list.getByText("exit 4", { exact: true }).last().waitFor();
  expect(blocked).toEqual([]);
});

test("after kill -9 a running command shows its output until then once, below the explanation", here, async () => {
  await using opened = await Opened.start({ config: { permissions: { command: "allow" } } });
  const { daemon } = opened;
  const command = "echo first line; echo second line; sleep 60";
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "run_command", input: { command } }] }, { text: "I check." }]),
  });
  const page = await opened.session(session.id);
  const turn = session.runTurn("go").catch(() => undefined);
  await page.getByText("second line", { exact: false }).nth(1).waitFor();
  await page.waitForTimeout(500); // the file of the output is written four times a second
  await daemon.kill();
  await daemon.start();
  await turn;
  await page.getByText("I check.").first().waitFor();
  const shown = page.locator(".call.unknown .body");
  expect((await shown.innerText()).split("\n").filter((line) => line !== "")).toEqual([
    expect.stringMatching(/^Outcome unknown: .* Check the current state before you continue\.$/),
    "first line",
    "second line",
  ]);
});
