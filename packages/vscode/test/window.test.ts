import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PromptId } from "@baton/core/protocol/ids";
import type { FrameLocator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { breakPackage, conversationOf, OWN_TESTS, PROMPT, repair } from "../../cli/test/support/broken-package.ts";
import { call, openSettledHome, type Home } from "../../cli/test/support/home.ts";
import { beginWalk, switchesOf, walk, walked } from "../../daemon/test/support/mode-walk.ts";
import { ModelServer } from "../../daemon/test/support/model-server.ts";
import { chromiumPath, Editor } from "./support/editor.ts";
import {
  choose,
  chooseMode,
  command,
  openFile,
  openView,
  openWindow,
  pageIn,
  setFocus,
  tidy,
  titleButton,
  untilQuiet,
  visibleIn,
} from "./support/window.ts";

/** The tabs, messages and lists of a window, to explain why an expected input did not open. */
async function whatIsShown(at: Page): Promise<string> {
  const texts = (selector: string) => at.locator(selector).allInnerTexts();
  return JSON.stringify({
    tabs: await texts(".tab"),
    messages: await texts(".notification-list-item"),
    input: await texts(".quick-input-widget"),
  });
}

describe.skipIf(chromiumPath === undefined)("a user works in a window of the editor", { timeout: 240_000 }, () => {
  let home: Home;
  let model: ModelServer;
  let editor: Editor;
  let page: Page;
  let view: FrameLocator;

  beforeAll(async () => {
    model = await ModelServer.start({ replies: repair });
    home = await openSettledHome();
    breakPackage(home.workspace);
    writeFileSync(path.join(home.workspace, "bad.json"), '{ "a": }\n');
    home.configure(model.config);
    editor = await Editor.start({ env: home.env, settings: { "baton.sendActiveFile": true } });
    page = await openWindow(editor, home.workspace);
    view = await openView(page);
  }, 240_000);

  afterEach(async ({ task }) => {
    const shots = process.env["EDITOR_SHOTS"];
    if (shots && task.result?.state === "fail") await editor.shoot(shots, task.name);
    await editor.closeOthers(page);
    await tidy(page, view);
  });

  afterAll(async () => {
    await editor?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  test("a session repairs a published package with an edit answered in the editor's diff and a command answered in the page, and the conversation equals that in the terminal", async () => {
    await using headless = await openSettledHome();
    breakPackage(headless.workspace);
    headless.configure(model.config);
    expect((await headless.run(["run", "--json", "--on-request", "allow", PROMPT])).code).toBe(0);

    await view.getByRole("textbox", { name: "Prompt" }).fill(PROMPT); // it starts there, because there is nothing to list yet
    await view.getByRole("button", { name: /^Send/ }).click();

    await page.locator(".tab", { hasText: "Change this file? index.js" }).waitFor();
    await page.locator(".statusbar-item", { hasText: "1" }).and(page.locator('[id*="baton.waiting"]')).waitFor();
    await page.locator(".editor .view-line", { hasText: "0x[0-9a-f]+" }).first().waitFor();
    await untilQuiet(page);
    await titleButton(page, "Allow Once").waitFor();
    await command(page, "Baton: Allow Once"); // as a user does without a mouse

    const ask = view.getByRole("region", { name: /^Run .*\?$/ });
    await ask.getByText(OWN_TESTS, { exact: true }).first().waitFor();
    await choose(page, ask.getByRole("button", { name: "Allow once" }));
    await view.getByText("All tests of the package pass.").waitFor();

    expect(readFileSync(path.join(home.workspace, "index.js"), "utf8")).toContain("0x[0-9a-f]+");
    expect(await conversationOf(home)).toEqual(await conversationOf(headless));
    expect(await page.locator(".tab", { hasText: "Change this file?" }).count()).toBe(0);

    await page.getByRole("button", { name: "Changed Files Section" }).click();
    await page.locator(".monaco-list-row", { hasText: "index.js" }).filter({ hasText: "+1 −1" }).click();
    await page.locator(".tab", { hasText: "index.js (this session)" }).waitFor();
  });

  test("two windows and a terminal see one session, and the first answer counts for all", async () => {
    const scripted = home.script(
      { text: "I look.", calls: [call("run_command", { command: "echo seen by all" })] },
      { text: "All have seen it." },
    );
    const second = await openWindow(editor, home.workspace); // its view stays closed

    const running = home.run(["run", "--on-request", "wait", "--model", scripted, "Look at it together"]);
    await page.bringToFront();
    await view.locator(".inbox .item", { hasText: "echo seen by all" }).click();
    await view.getByRole("region", { name: /^Run .*\?$/ }).waitFor();
    const notification = second.locator(".notification-list-item", { hasText: "echo seen by all" });
    await second.bringToFront();
    await notification.getByRole("button", { name: "Allow once" }).click();

    expect((await running).code).toBe(0);
    await view.getByRole("region", { name: "Transcript" }).getByText("All have seen it.").waitFor();
    for (const each of [page, second]) await each.locator('[id*="baton.waiting"]', { hasText: "Baton" }).waitFor();
    await setFocus(second, false); // its extension host outlives it, and must not take the requests of later windows
    await second.close();
  });

  test("a diff opens in the window that prompted, or else in the focused one, and a denial can include a note for the agent", async () => {
    const edit = (content: string) => ({ calls: [call("write_file", { path: "windows.txt", content })] });
    const second = await openWindow(editor, home.workspace);
    const secondView = await openView(second);
    const focus = async (front: Page, back: Page) => {
      await setFocus(back, false);
      await setFocus(front, true);
    };
    const diff = (at: Page) => at.locator(".tab", { hasText: "windows.txt" });
    const deny = async (at: Page, note: string) => {
      await at.bringToFront();
      await diff(at).waitFor();
      const box = at.locator(".quick-input-widget input");
      const title = at.locator(".quick-input-widget").getByText("Deny this change").first();
      const asked = async () => {
        if (await title.isVisible()) return "asked"; // an earlier click opened it late
        await untilQuiet(at); // on a busy machine the extension can learn about the diff later than the window draws it
        await titleButton(at, "Deny").click();
        return title.waitFor({ timeout: 10_000 }).then(
          () => "asked",
          () => whatIsShown(at),
        );
      };
      await expect.poll(asked, { timeout: 90_000 }).toBe("asked");
      await box.fill(note);
      await box.press("Enter");
      await diff(at).waitFor({ state: "detached" });
    };

    for (const [front, back, frontView] of [
      [page, second, view],
      [second, page, secondView],
    ] as const) {
      await focus(front, back);
      const scripted = home.script(edit("one\n"), { text: "Not written." }, edit("two\n"), { text: "Not written either." });
      const running = home.run(["run", "--on-request", "wait", "--model", scripted, `Write for ${front === page ? "one" : "two"}`]);
      await deny(front, "");
      expect(await diff(back).count()).toBe(0);
      await running;

      const inbox = frontView.getByRole("link", { name: /^Inbox and sessions/ });
      if (await inbox.isVisible()) await inbox.click();
      await frontView
        .locator(".item", { hasText: `Write for ${front === page ? "one" : "two"}` })
        .first()
        .click();
      await focus(back, front); // the user continues elsewhere, and the diff stays in the window that prompted
      await frontView.getByRole("textbox", { name: "Prompt" }).fill("Again");
      await frontView.getByRole("button", { name: /^Send/ }).click();
      await diff(front).waitFor();
      expect(await diff(back).count()).toBe(0);
      await deny(front, "Not this file, please.");
      await frontView.getByText("Not this file, please.").first().waitFor();
      expect(await frontView.getByText("This was answered by you").count()).toBe(0);
      await inbox.click();
    }
    await second.close();
    await setFocus(page, true);
  });

  test("modes, permissions, toolsets and usage of the folder open in a tab", async () => {
    await command(page, "Baton: Open Settings");
    await page.locator(".tab.active", { hasText: "Baton Settings" }).waitFor();
    await (await visibleIn(page, (frame) => frame.getByRole("link", { name: "MCP servers", exact: true }))).click();
    await visibleIn(page, (frame) => frame.getByRole("heading", { name: "Toolsets", level: 1 }));
  });

  test("the board of the folder opens in a tab, and a card opens its session", async () => {
    await command(page, "Baton: Open Board");
    await page.locator(".tab.active", { hasText: "Baton Board" }).waitFor();
    const card = await visibleIn(page, (frame) =>
      frame.getByRole("region", { name: "Board" }).locator("[data-card]", { hasText: "minimist takes" }),
    );
    await card.click();
    await visibleIn(page, (frame) => frame.getByRole("heading", { name: /^minimist takes/ }));
  });

  test("a daemon that dies during an answer comes back, and the answer counts once", async () => {
    const scripted = home.script(
      { text: "I touch it.", calls: [call("run_command", { command: "echo once >> told.txt" })] },
      { text: "Told." },
    );
    const running = home.run(["run", "--on-request", "wait", "--model", scripted, "Tell it once"]);
    await view.locator(".inbox .item", { hasText: "told.txt" }).click();
    const ask = view.getByRole("region", { name: /^Run .*\?$/ });
    await ask.waitFor();
    await untilQuiet(page);
    process.kill(home.daemonPid(), "SIGSTOP"); // the client sends the answer, and no daemon reads it
    await ask.getByRole("button", { name: "Allow once" }).click();
    process.kill(home.daemonPid(), "SIGKILL");
    await view.getByRole("region", { name: "Transcript" }).getByText("Told.", { exact: true }).waitFor();
    expect(readFileSync(path.join(home.workspace, "told.txt"), "utf8")).toBe("once\n");
    await running;
  });

  test("if a dead daemon cannot be started, the view keeps its content and shows the reason, and a button starts the daemon after the repair", async () => {
    await view.locator(".item", { hasText: "Tell it once" }).first().click();
    const reply = view.getByRole("region", { name: "Transcript" }).getByText("Told.", { exact: true });
    await reply.waitFor();
    const program = path.join(editor.folder, "bin", "baton");
    renameSync(program, `${program}.away`);
    process.kill(home.daemonPid(), "SIGKILL");
    await view.getByText("was not found. Install Baton").waitFor();
    expect(await reply.isVisible()).toBe(true);

    renameSync(`${program}.away`, program);
    await view.getByRole("button", { name: "Start it" }).click();
    await view.getByText("Reconnecting").waitFor({ state: "detached" });
    await home.run(["run", "--model", home.script({ text: "Another." }), "Come too"]);
    await view.getByRole("link", { name: /^Inbox and sessions/ }).click();
    await view.locator(".item", { hasText: "Come too" }).first().waitFor();
  });

  test("a selection is added to the prompt, and the editor's lists change mode and session", async () => {
    await view.locator(".item", { hasText: "Tell it once" }).first().click();
    await view.getByRole("region", { name: "Transcript" }).waitFor();
    await openFile(page, "index.js");
    await page.locator(".editor .view-line", { hasText: "minimist" }).or(page.locator(".editor .view-line").first()).first().click();
    await page.keyboard.press("Control+a");
    await command(page, "Baton: Add Selection to Prompt");
    const prompt = view.getByRole("textbox", { name: "Prompt" });
    await expect.poll(() => prompt.inputValue()).toMatch(/^@index\.js:1-\d+ $/);
    await prompt.fill("@sel");
    await view.getByRole("option", { name: /@index\.js:1-\d+ selection/ }).click();
    await expect.poll(() => prompt.inputValue()).toMatch(/^@index\.js:1-\d+ $/);

    await chooseMode(page, "architect");
    await page.locator('[id*="baton.mode"]', { hasText: "architect" }).waitFor();
    await view.getByRole("button", { name: "Mode: architect" }).waitFor();
  });

  test("the view suggests problems of the active file as mentions, and a switch of mode names the files that it cannot change", async () => {
    await view.locator(".item", { hasText: "minimist takes" }).first().click();
    await view.getByRole("region", { name: "Transcript" }).waitFor();
    await openFile(page, "bad.json");
    await page.locator(".squiggly-error").first().waitFor();
    await view.getByRole("textbox", { name: "Prompt" }).fill("@val");
    const offered = view.getByRole("option", { name: /@bad\.json:1: Value expected.*problem/ });
    await offered.click();
    await expect.poll(() => view.getByRole("textbox", { name: "Prompt" }).inputValue()).toMatch(/^@bad\.json:1: Value expected/);
    await view.getByRole("textbox", { name: "Prompt" }).fill("");

    await chooseMode(page, "architect");
    await view.getByText("bad.json is open in the editor; architect cannot change it").first().waitFor();
  });

  test("the user answers a question, a rejected plan, a blocked turn and a refused switch of mode in the window", async () => {
    const { api, close } = await home.connect();
    const id = await beginWalk(api, home.workspace, path.dirname(home.workspace));
    await view.locator(".inbox .item", { hasText: "Which colour?" }).click();
    for (const { asked, choice = 0, own, mode } of walk) {
      const request = view.getByRole("region", { name: asked });
      await request.waitFor();
      if (own !== undefined) await request.getByRole("textbox", { name: "Your own answer" }).fill(own);
      const answer =
        own === undefined ? request.locator(".choices-of > button").nth(choice - 1) : request.getByRole("button", { name: /^Answer/ });
      await choose(page, answer);
      await page.locator('[id*="baton.mode"]', { hasText: mode }).waitFor();
      await page.mouse.move(5, 5);
    }
    await view.getByRole("region", { name: "Transcript" }).getByText(walked.last).waitFor();
    expect(await switchesOf(api, id)).toEqual(walked.switches);
    await close();
  });

  test("an undone change is removed from the list of changed files, and a later one is added", async () => {
    const write = (name: string) => ({ calls: [call("write_file", { path: name, content: "new\n" })] });
    const scripted = home.script(write("first.txt"), { text: "First." }, write("second.txt"), { text: "Second." });
    await home.run(["run", "--on-request", "allow", "--model", scripted, "Write the files"]);
    const back = view.getByRole("link", { name: /^Inbox and sessions/ });
    if (await back.isVisible()) await back.click();
    await view.locator(".item", { hasText: "Write the files" }).first().click();
    await view.getByRole("region", { name: "Transcript" }).getByText("First.").first().waitFor();
    const section = page.getByRole("button", { name: "Changed Files Section" });
    if ((await section.getAttribute("aria-expanded")) === "false") await section.click();
    const file = (name: string) => page.locator(".monaco-list-row", { hasText: name }).filter({ hasText: "+1 −0" });
    await file("first.txt").waitFor();

    const { api, close } = await home.connect();
    const row = (await api.session.list.query({ workspace: home.workspace })).find(({ title }) => title === "Write the files");
    const send = (wish: Parameters<typeof api.session.send.mutate>[0]["wish"]) =>
      api.session.send.mutate({ sessionId: row?.id ?? "", commandId: crypto.randomUUID(), wish });
    await send({ type: "undo", conversation: false });
    await file("first.txt").waitFor({ state: "detached" });
    await send({ type: "prompt", promptId: PromptId.parse(crypto.randomUUID()), text: "Go on", delivery: "queue" });
    const waiting = async () => (await api.request.list.query()).find(({ sessionId }) => sessionId === row?.id)?.id;
    await expect.poll(waiting).toBeDefined();
    await api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: (await waiting()) ?? "", answer: { choice: "once" } });
    await close();
    await file("second.txt").waitFor();
    expect(await file("first.txt").count()).toBe(0);
  });

  test("a session in an editor tab is the same page, and its paths open files", async () => {
    const wide = await openWindow(editor, home.workspace, { width: 1900 });
    await command(wide, "Baton: Open Session in an Editor Tab");
    const tab = pageIn(wide);
    await tab.getByRole("region", { name: "Transcript" }).waitFor();
    await tab.locator(".side a.item", { hasText: "minimist takes" }).click();
    await tab.locator(".changed [data-path]", { hasText: "index.js" }).filter({ visible: true }).click();
    await wide.locator(".tab.active", { hasText: "index.js" }).waitFor();
  });
});
