import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };
const call = (tool: string, input: unknown) => ({ tool, input });

test("a session can be renamed, found, forked, rewound, exported and archived", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const session = await daemon.session({ model: script(daemon, [{ text: "The first answer." }, { text: "The second answer." }]) });
  await session.runTurn("the first question");
  await session.runTurn("the second question", 2);
  const page = await opened.session(session.id);
  const transcript = page.getByRole("region", { name: "Transcript" });
  await transcript.getByText("The second answer.").waitFor();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title of the session" }).fill("Payouts, looked into");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Payouts, looked into" }).waitFor();

  await page.getByRole("button", { name: "More" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as Markdown" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("payouts-looked-into.md");
  expect(readFileSync(await file.path(), "utf8")).toBe(
    "# Payouts, looked into\n\n> the first question\n\nThe first answer.\n\n> the second question\n\nThe second answer.\n",
  );

  await page.getByRole("button", { name: "More" }).click();
  const html = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as HTML" }).click();
  expect((await html).suggestedFilename()).toBe("payouts-looked-into.html");
  expect(readFileSync(await (await html).path(), "utf8")).toMatch(/^<!doctype html>[\s\S]*Payouts, looked into[\s\S]*The second answer\./);
  await page.getByText("No secrets were found.").waitFor();

  const second = page.getByRole("article", { name: "You" }).nth(1);
  await second.hover();
  await second.getByRole("button", { name: "Fork before this" }).click();
  await page.waitForFunction((id) => !location.hash.includes(id), session.id);
  await page.getByText("The first answer.").first().waitFor();
  await expect.poll(() => page.getByRole("textbox", { name: "Prompt" }).inputValue()).toBe("the second question");
  expect(await page.getByText("The second answer.").count()).toBe(0);

  await page.goBack();
  await second.hover();
  await second.getByRole("button", { name: "Rewind …" }).click();
  const dialog = page.getByRole("dialog", { name: "Rewind to before this prompt?" });
  await dialog.getByText("1 prompt and 0 calls leave the conversation").waitFor();
  await dialog.getByRole("button", { name: "Rewind" }).click();
  await transcript.getByText("The second answer.").waitFor({ state: "detached" });
  expect(await page.getByRole("textbox", { name: "Prompt" }).inputValue()).toBe("the second question");

  await page.getByRole("button", { name: "More" }).click();
  const all = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export events" }).click();
  const lines = readFileSync(await (await all).path(), "utf8")
    .trimEnd()
    .split("\n");
  const { api } = daemon.connect();
  const events = lines.map((line) => JSON.parse(line) as LoggedEvent); // the function that `baton import` applies to each line
  const imported = await api.session.import.mutate({
    commandId: crypto.randomUUID(),
    workspace: daemon.workspace,
    events,
    from: 0,
    last: true,
  });
  const copy = await api.session.open.query({ sessionId: imported.id ?? "" });
  expect(copy.state.turns).toBe(1); // the other session was rewound

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await page.getByRole("searchbox", { name: "Search sessions and conversations" }).fill(session.id);
  await page.getByRole("link", { name: "archived" }).waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("files are restored with or without the conversation, unless the user has changed them later", here, async () => {
  await using opened = await Opened.start({ config: { permissions: { edit: "allow" } } });
  const { daemon } = opened;
  daemon.write("a.txt", "mine\n");
  const write = (path: string, content: string) => ({ calls: [call("write_file", { path, content })] });
  const model = script(daemon, [write("a.txt", "one\n"), { text: "First." }, write("new/b.txt", "two\n"), { text: "Second." }]);
  const session = await daemon.session({ model });
  await session.runTurn("change it");
  await session.runTurn("and another", 2);
  const page = await opened.session(session.id);
  const dialogOf = async (nth: number) => {
    const prompt = page.getByRole("article", { name: "You" }).nth(nth);
    await prompt.hover();
    await prompt.getByRole("button", { name: "Rewind …" }).click();
    return page.getByRole("dialog", { name: "Rewind to before this prompt?" });
  };
  daemon.write("a.txt", "mine again\n");
  const first = await dialogOf(0);
  await first.getByText("restore a.txt – changed outside of this session").waitFor();
  await first.getByText("remove new/b.txt").waitFor();
  await first.getByRole("button", { name: "Restore the other files only" }).click();
  await expect.poll(() => existsSync(path.join(daemon.workspace, "new/b.txt"))).toBe(false);
  expect(daemon.read("a.txt")).toBe("mine again\n");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Redo the last undo" }).click();
  await expect.poll(() => existsSync(path.join(daemon.workspace, "new/b.txt")) && daemon.read("new/b.txt")).toBe("two\n");
  expect(daemon.read("a.txt")).toBe("mine again\n");

  await (await dialogOf(1)).getByRole("button", { name: "Rewind, and restore files" }).click();
  await page.getByText("Second.").waitFor({ state: "detached" });
  await expect.poll(() => existsSync(path.join(daemon.workspace, "new/b.txt"))).toBe(false);
  expect(await page.getByRole("textbox", { name: "Prompt" }).inputValue()).toBe("and another");

  daemon.write("a.txt", "one\n");
  await (await dialogOf(0)).getByRole("button", { name: "Restore files only" }).click();
  await expect.poll(() => daemon.read("a.txt")).toBe("mine\n");
  await page.getByText("First.").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("during work prompts can be queued, edited, withdrawn and steered, and the turn can be stopped", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const model = script(daemon, [{ text: "word ".repeat(2_000), stream: { characters: 5, everyMs: 20 } }]);
  const session = await daemon.session({ model });
  const page = await opened.session(session.id);
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await prompt.fill("go");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Stop the turn" }).waitFor();
  await page.locator(".prose[aria-busy=true]").getByText("word word").waitFor();
  await prompt.fill("then this");
  await page.keyboard.press("Enter");
  const queue = page.getByRole("group", { name: "Queued prompts" });
  await queue.getByText("then this").waitFor();
  await queue.getByRole("button", { name: "Edit this prompt" }).click();
  await queue.getByRole("textbox", { name: "Queued prompt" }).fill("then that");
  await page.keyboard.press("Enter");
  await queue.getByText("then that").waitFor();
  await queue.getByRole("button", { name: "Take this prompt back" }).click();
  await expect.poll(() => prompt.inputValue()).toBe("then that");
  await prompt.focus();
  await page.keyboard.press("Alt+Enter");
  await queue.getByText("Sent next").waitFor();
  await page.keyboard.press("Escape");
  await queue.getByText("Held because the turn was stopped.").waitFor();
  await queue.getByRole("button", { name: "Send now" }).click();
  await page.getByRole("article", { name: "You" }).getByText("then that").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("files and commands are completed, a key switches modes, and a draft survives a reload", here, async () => {
  await using opened = await Opened.start();
  opened.daemon.write("src/booking.ts", "export {};\n");
  mkdirSync(path.join(opened.daemon.home, "commands"));
  const header = "---\ndescription: Cut a release\nargument-hint: '[version]'\n---\n";
  writeFileSync(path.join(opened.daemon.home, "commands", "release.md"), `${header}Release $1.\n`);
  const session = await opened.daemon.session();
  const page = await opened.session(session.id);
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await prompt.focus();
  await page.keyboard.type("look at @book");
  await page.getByRole("option", { name: "@src/booking.ts" }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => prompt.inputValue()).toBe("look at @src/booking.ts ");
  await page.keyboard.press("Shift+Tab");
  await page.getByRole("button", { name: "Mode: architect" }).waitFor();
  await page.reload();
  await expect.poll(() => prompt.inputValue()).toBe("look at @src/booking.ts ");
  const isReady = () => expect.poll(() => page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true); // the page is connected
  await isReady();
  await prompt.fill("/rel");
  await page.getByRole("option", { name: "/release [version] Cut a release" }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => prompt.inputValue()).toBe("/release ");
  await prompt.fill("/relaese 2.0");
  await isReady();
  await page.keyboard.press("Enter");
  await page.getByText("There is no command /relaese. Did you mean /release?").waitFor();
  await expect.poll(() => prompt.inputValue()).toBe("/relaese 2.0");
  expect(session.events.some(({ type }) => type === "prompt.received")).toBe(false);
  await prompt.fill("/mod");
  await page.getByRole("option", { name: "/mode switch" }).waitFor();
  await prompt.fill("/mode ask");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Mode: ask" }).waitFor();
  expect(opened.browser.errors).toEqual([]);

  const everything = fileURLToPath(new URL("../../daemon/node_modules/.bin/mcp-server-everything", import.meta.url));
  await opened.daemon.connect().api.mcp.add.mutate({ name: "all", server: { command: everything, args: ["stdio"] } });
  await prompt.fill("/mcp:all:args");
  await page.getByRole("option", { name: "/mcp:all:args-prompt <city> [state]" }).waitFor();
  await prompt.fill("look at @architecture");
  await page.getByRole("option", { name: "@all:demo://resource/static/document/architecture.md" }).waitFor();
});

test("a running command shows its output, and a folded group of reads opens", here, async () => {
  await using opened = await Opened.start({ config: { permissions: [{ action: "command", resource: "*", effect: "allow" }] } });
  const model = script(opened.daemon, [
    { calls: [call("list_files", {}), call("read_file", { path: "a.txt" })] },
    { calls: [call("run_command", { command: "sh slow.sh" })] },
    { text: "Done." },
  ]);
  opened.daemon.write("a.txt", "hello\n");
  opened.daemon.write("slow.sh", "#!/bin/sh\necho first line\nwhile [ ! -f go ]; do sleep 0.05; done\necho last line\n");
  const session = await opened.daemon.session({ model });
  const page = await opened.session(session.id);
  await session.prompt("go");
  const transcript = page.getByRole("region", { name: "Transcript" });
  await transcript.locator(".running").getByText("first line").waitFor();
  await transcript.getByText("Looked around").click();
  await transcript
    .locator(".what")
    .filter({ hasText: /^a\.txt$/ })
    .waitFor();
  opened.daemon.write("go", "");
  await transcript.getByText("last line").waitFor();
  await transcript.getByText("Done.").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("one button continues a failed turn, and then disappears", here, async () => {
  await using opened = await Opened.start();
  const model = script(opened.daemon, [{ fail: { code: "unauthorized", times: 1 }, text: "Now it goes." }]);
  const session = await opened.daemon.session({ model });
  await session.runTurn("go");
  const page = await opened.session(session.id);
  const transcript = page.getByRole("region", { name: "Transcript" });
  await transcript.getByText("The turn failed").waitFor();
  await transcript.getByRole("button", { name: "Continue" }).click();
  await transcript.getByText("Now it goes.").waitFor();
  expect(await transcript.getByRole("button", { name: "Continue" }).count()).toBe(0);
});

test("without a model the first visit asks for one, the keyboard alone is enough, and the turn runs", here, async () => {
  await using opened = await Opened.start();
  const model = script(opened.daemon, [{ text: "Hello." }]);
  const page = await opened.page("/new");
  await page.getByRole("combobox", { name: "Folder to work in" }).fill(opened.daemon.workspace);
  await page.getByRole("textbox", { name: "Prompt" }).fill("hello");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Transcript" }).getByText("hello").waitFor(); // the session has replaced the form
  await page.getByRole("button", { name: "Model: no model" }).click();
  await page.keyboard.type(model);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Model: scripted" }).waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).fill("hello again");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Transcript" }).getByText("Hello.").waitFor();
  expect(await page.getByText('There is no model ""').count()).toBe(0);
});

test("the session that changed last is listed first, with the time of the change", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const sessions = [];
  for (let n = 1; n <= 10; n++) {
    const session = await daemon.session({ model: script(daemon, [{ text: "One." }, { text: "Two." }]) });
    await session.runTurn(`Session ${n}`);
    sessions.push(session);
  }
  const page = await opened.page();
  const titles = async () => {
    const texts = await page
      .getByRole("navigation", { name: "Sessions" })
      .getByRole("link", { name: /Session \d+/ })
      .allInnerTexts();
    return texts.map((text) => Number(/Session (\d+)/.exec(text)?.[1]));
  };
  await expect.poll(titles).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  for (const n of [3, 7]) {
    await sessions[n - 1]?.prompt("again");
    await sessions[n - 1]?.untilEnd(2);
  }
  await expect.poll(titles).toEqual([7, 3, 10, 9, 8, 6, 5, 4, 2, 1]);
  await page.getByRole("link", { name: /Session 7.*now/ }).waitFor();
});

test("the output of a running command appears once after the connection was cut", here, async () => {
  await using opened = await Opened.start({ config: { permissions: [{ action: "command", resource: "*", effect: "allow" }] } });
  opened.daemon.write("slow.sh", "echo first; echo second; while [ ! -e stop ]; do sleep 0.1; done; echo third\n");
  const model = script(opened.daemon, [{ calls: [call("run_command", { command: "sh slow.sh" })] }, { text: "Done." }]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go");
  let cut: () => void = () => {};
  const page = await opened.session(session.id, {
    prepare: (made) =>
      made.routeWebSocket(/trpc/, (socket) => {
        const server = socket.connectToServer();
        cut = () => [socket, server].forEach((end) => void end.close());
      }),
  });
  const output = page.locator(".term.live pre");
  await expect.poll(() => output.innerText()).toBe("first\nsecond");
  for (let i = 0; i < 2; i++) {
    cut();
    await page.getByText("Reconnecting").waitFor();
    await page.getByText("Reconnecting").waitFor({ state: "detached" });
  }
  expect(await output.innerText()).toBe("first\nsecond");
  opened.daemon.write("stop", "");
  await page.getByRole("region", { name: "Transcript" }).getByText("Done.").waitFor();
});
