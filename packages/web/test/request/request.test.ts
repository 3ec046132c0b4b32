import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { choose, chromiumPath, leavePrompt, untilQuiet } from "../support/browser.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined };
const call = (tool: string, input: unknown) => ({ tool, input });
const textOn = (page: Page, text: string) => page.getByRole("region", { name: "Transcript" }).getByText(text);

const LONG_PLAN = `# The plan\n\n${Array.from({ length: 60 }, (_, i) => `${i + 1}. Step ${i + 1} of it, with \`some code\`.`).join("\n")}\n\nThe last line of the plan.`;

test(
  "a plan is shown completely with the effect of each choice, a digit counts once its choices are visible, and then the mode changes",
  here,
  async () => {
    await using opened = await Opened.start();
    const session = await opened.daemon.session({ mode: "plan" });
    const file = `.baton/plans/${session.id}.md`;
    const model = script(opened.daemon, [
      { calls: [call("write_file", { path: file, content: LONG_PLAN })] },
      { calls: [call("exit_plan", {})] },
      { text: "Built." },
    ]);
    await session.prompt("plan it", { model });
    await session.untilOpen();
    await session.untilOpen();
    const page = await opened.session(session.id);
    const card = page.getByRole("region", { name: "Build this plan?" });
    await card.getByText("The last line of the plan.").waitFor();
    expect(await card.locator(".plan").evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(2);
    await card.getByRole("button", { name: "Start building Switches to" }).waitFor();
    await card.getByRole("button", { name: "Keep planning" }).waitFor();

    await leavePrompt(page);
    await page.keyboard.press("1");
    await page.getByText("The choices were not in view, so nothing was answered.").waitFor();
    await untilQuiet(page);
    await page.keyboard.press("1");
    await textOn(page, "Built.").waitFor();
    await page.getByRole("note", { name: "Mode changed from plan to build" }).getByText("you, with exit_plan").waitFor();
    await textOn(page, "From the daemon").waitFor();
    await page.getByRole("button", { name: "Mode: build" }).waitFor();
    expect(opened.browser.errors).toEqual([]);
  },
);

test("at the limit of steps the page asks whether to continue, and a key ends the turn there", here, async () => {
  await using opened = await Opened.start();
  const look = { calls: [call("list_files", {})] };
  const model = script(opened.daemon, [look, { text: "Done." }, look]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go", { stepLimit: 1 });
  await session.untilOpen();
  const page = await opened.session(session.id);
  const card = page.getByRole("region", { name: "Go on?" });
  await card.getByText("This turn has taken 1 steps, which is its limit.").waitFor();
  await page.getByRole("link", { name: "Go on?" }).waitFor(); // in the inbox
  await leavePrompt(page);
  await page.keyboard.press("1");
  await textOn(page, "Done.").waitFor();

  await session.prompt("again", { stepLimit: 1 });
  await session.untilOpen();
  await card.getByRole("button", { name: "Stop here" }).waitFor();
  await untilQuiet(page);
  await page.keyboard.press("2");
  await textOn(page, "Stopped at a limit: this turn has taken 1 steps.").waitFor();
  await session.untilEnd(2);
  expect(opened.browser.errors).toEqual([]);
});

test("a long change scrolls in its own box down to its last line, and a remark describes its line ends", here, async () => {
  await using opened = await Opened.start();
  opened.daemon.write("dos.txt", "one\r\ntwo\r\n");
  const content = Array.from({ length: 400 }, (_, i) => `this is line ${i + 1}.`).join("\n");
  const model = script(opened.daemon, [
    { calls: [call("write_file", { path: "long.txt", content })] },
    { calls: [call("write_file", { path: "dos.txt", content: "one\ntwo\n" })] },
    { text: "Done." },
  ]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.session(session.id);
  const card = page.getByRole("region", { name: /^Create .*\?$/ });
  await card.getByText("this is line 1.", { exact: true }).waitFor();
  const box = card.getByRole("group", { name: "Lines" });
  expect(await box.evaluate((lines) => lines.clientHeight < innerHeight / 2 && lines.scrollHeight > 400 * 15)).toBe(true);
  expect(await card.getByText("this is line 400.", { exact: true }).count()).toBe(0); // not drawn before it is near
  await box.evaluate((lines) => lines.scrollTo(0, lines.scrollHeight));
  await card.getByText("this is line 400.", { exact: true }).waitFor();
  await choose(card.getByRole("button", { name: "Allow once" }));
  const ends = page.getByRole("region", { name: /^Edit .*\?$/ });
  await ends.getByText("line ends change from CRLF to LF").waitFor();
  expect(await ends.getByText("u{d}").count()).toBe(0);
  expect(opened.browser.errors).toEqual([]);
});

test("a subtask's request appears in the parent and in the inbox, and can be answered from there", here, async () => {
  const replies = {
    orchestrator: [{ calls: [call("new_task", { mode: "code", message: "Look into the race" })] }, { text: "All of it is done." }],
    code: [
      { calls: ["one", "two", "three", "four"].map((name) => call("run_command", { command: `touch ${name}` })) },
      { calls: [call("attempt_completion", { result: "There is no race." })] },
    ],
  };
  await using opened = await Opened.start({
    config: (root) => ({
      modes: Object.fromEntries(Object.entries(replies).map(([mode, each]) => [mode, { model: script({ root }, each) }])),
    }),
  });
  const session = await opened.daemon.session({ mode: "orchestrator" });
  await session.prompt("do it all");
  const page = await opened.session(session.id);
  await page.getByRole("button", { name: "4 requests of Look into the race: show them" }).click();
  const card = page.getByRole("region", { name: /^Run .*\?$/ });
  await card.first().getByText("in Look into the race").waitFor();
  await page.locator(".task").getByText("Waits for your answer, below").waitFor();
  const tree = page.getByRole("navigation", { name: "Sessions" });
  expect(await tree.getByText("needs you", { exact: true }).count()).toBe(2); // the subtask, and the parent because of it
  expect(await tree.getByRole("link", { name: "Run touch" }).count()).toBe(4);
  const list = await opened.daemon.connect().api.request.list.query();
  expect(new Set(list.map(({ rootSessionId }) => rootSessionId))).toEqual(new Set([session.id]));

  await page.mouse.move(5, 5);
  for (let left = 4; left > 0; left--) {
    await expect.poll(() => card.count()).toBe(left);
    await leavePrompt(page);
    await page.keyboard.press("1");
  }
  await textOn(page, "All of it is done.").waitFor();
  await page.locator(".task").getByText("There is no race.").waitFor();
  await page.locator(".task").getByRole("link", { name: "Look into the race" }).click();
  await page.getByText("From the daemon").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("the page asks about an undecided folder, and shows its state until an answer and after a denial", here, async () => {
  await using opened = await Opened.start();
  opened.daemon.write("AGENTS.md", "# Rules");
  const page = await opened.page("/new");
  await page.getByLabel("Folder to work in").fill(opened.daemon.workspace);
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("textbox", { name: "Another model" }).fill(script(opened.daemon, [{ text: "Hello." }]));
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Prompt" }).fill("hi");
  await page.keyboard.press("Enter");
  const card = page.getByRole("region", { name: `Do you trust what is in ${opened.daemon.workspace}?` });
  await card.getByText("AGENTS.md").waitFor();
  await card.getByRole("button", { name: "Trust it Its modes" }).waitFor();
  await textOn(page, "Hello.").waitFor(); // it delays nothing
  await leavePrompt(page);
  await page.keyboard.press("2");
  await card.waitFor({ state: "detached" });
  await page.getByText("not trusted").waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Trust this folder" }).click();
  await page.getByText("not trusted").waitFor({ state: "detached" });
  expect(await opened.daemon.connect().api.workspace.status.query({ cwd: opened.daemon.workspace })).toMatchObject({ trust: "trusted" });
  expect(opened.browser.errors).toEqual([]);
});

test("longer grants are listed with the rules, and after a revocation Baton asks again", here, async () => {
  await using opened = await Opened.start();
  const touch = (file: string) => ({ calls: [call("run_command", { command: `touch ${file}` })] });
  const session = await opened.daemon.session({
    model: script(opened.daemon, [touch("a"), { text: "One." }, touch("a"), { text: "Two." }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.session(session.id);
  await untilQuiet(page);
  await page.getByRole("button", { name: "This workspace" }).click();
  await session.untilEnd();
  const open = async () => {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Permissions" }).click();
    return page.getByRole("dialog", { name: "Permissions" });
  };
  const dialog = await open();
  await dialog.getByText("this workspace, 20").waitFor();
  await dialog.getByText("everything else").first().waitFor();
  await dialog.getByRole("button", { name: "Revoke command" }).click();
  await dialog.getByText("No grants.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await session.prompt("again");
  await page.getByRole("region", { name: /^Run .*\?$/ }).waitFor();
});

test("the page warns about a rule for everything before it is remembered, and the rail shows active grants at once", here, async () => {
  await using opened = await Opened.start();
  const calls = (...commands: string[]) => ({ calls: commands.map((command) => call("run_command", { command })) });
  const session = await opened.daemon.session({ model: script(opened.daemon, [calls("make one"), { text: "Done." }]) });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.session(session.id);
  const rail = page.getByRole("complementary", { name: "Mode and cost" }).getByRole("list", { name: "What the agent may do" });
  await rail.getByRole("listitem").filter({ hasText: "command" }).getByText("asks").waitFor();
  const card = page.getByRole("region", { name: /^Run .*\?$/ });
  await card.waitFor();
  expect(await card.getByRole("alert").count()).toBe(0);
  await card.getByRole("button", { name: "Edit" }).click();
  await card.getByRole("textbox", { name: "Rule to remember" }).fill("command *");
  await page.keyboard.press("Enter");
  await card.getByRole("alert").getByText("would allow every command without asking").waitFor();
  await untilQuiet(page);
  await card.getByRole("button", { name: "This workspace" }).click();
  await textOn(page, "Done.").waitFor();
  const command = rail.getByRole("listitem").filter({ hasText: "command" });
  await expect.poll(() => command.innerText()).toMatch(/command\s+allowed/);
  await page.reload();
  await expect.poll(() => command.innerText()).toMatch(/command\s+allowed/);
});

test("deleting and moving binary files asks with a description of the effect", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  daemon.write("data.bin", "\u0000".repeat(3_000));
  daemon.write("logo.bin", "\u0000\u0001");
  const model = script(daemon, [
    { calls: [call("delete_file", { path: "data.bin" })] },
    { calls: [call("move_file", { path: "logo.bin", to: "img/logo.bin" })] },
    { text: "Done." },
  ]);
  const session = await daemon.session({ model });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.session(session.id);
  const deletion = page.getByRole("region", { name: "Delete data.bin?" });
  await deletion.getByText("data.bin: 3,000 bytes. Its content is not text, so it is not shown.").waitFor();
  expect(await deletion.getByText("run_command").count()).toBe(0);
  await untilQuiet(page);
  await deletion.getByRole("button", { name: "Allow once" }).click();
  const move = page.getByRole("region", { name: /^Move logo.bin/ });
  await move.getByText("→ img/logo.bin").first().waitFor();
});

test("a file that is rewritten completely shows the added lines beside the removed ones", here, async () => {
  await using opened = await Opened.start();
  const lines = (word: string) => Array.from({ length: 5_000 }, (_, i) => `${word} ${i}\n`).join("");
  opened.daemon.write("big.txt", lines("old"));
  const model = script(opened.daemon, [
    { calls: [call("read_file", { path: "big.txt" })] },
    { calls: [call("write_file", { path: "big.txt", content: lines("new") })] },
  ]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go");
  await session.untilOpen();
  for (const width of [1440, 500]) {
    const page = await opened.session(session.id, { width });
    const card = page.getByRole("region", { name: /^Edit .*\?$/ });
    for (const text of ["old 0", "new 0", "old 39", "new 39"])
      await card.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();
  }
});
