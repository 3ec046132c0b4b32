import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { choose, chromiumPath, untilQuiet } from "../support/browser.ts";
import { Opened } from "../support/opened.ts";

const call = (tool: string, input: unknown) => ({ tool, input });
/** The text of the conversation. */
const textOn = (page: Page, text: string) => page.getByRole("region", { name: "Transcript" }).getByText(text);
const here = { skip: chromiumPath === undefined };

/** A session that waits for two commands, and then replies that it is done. */
async function waiting(opened: Opened, commands = ["touch one", "touch two"]): Promise<string> {
  const model = script(opened.daemon, [
    { calls: commands.map((command) => call("run_command", { command })) },
    { text: "It is all done." },
  ]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go");
  await session.untilOpen(commands.length);
  return session.id;
}

/** Presses the digit in the moment in which the first request appears. From outside, a test would be too slow. */
function pressAtOnce(): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".request")) return;
    observer.disconnect();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
  }).observe(document, { childList: true, subtree: true });
}

test("a digit answers only the current request, after a moment, and Enter alone never allows", here, async () => {
  await using opened = await Opened.start();
  const page = await opened.session(await waiting(opened));
  const first = page.getByRole("region", { name: /^Run .*\?$/ }).nth(0);
  await page.addInitScript(pressAtOnce);
  await page.reload();
  await first.waitFor();
  await page.getByText("Too early: press it again.").waitFor();
  expect(await page.getByRole("region", { name: /^Run .*\?$/ }).count()).toBe(2);

  await untilQuiet(page);
  await page.keyboard.press("Enter");
  await first.getByRole("button", { name: "Allow once" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Enter alone answers nothing").waitFor();
  expect(await page.getByRole("region", { name: /^Run .*\?$/ }).count()).toBe(2);

  await untilQuiet(page);
  await page.keyboard.press("1");
  await page.keyboard.press("1"); // pressed twice: the second press does not answer the next request
  await expect.poll(() => page.getByRole("region", { name: /^Run .*\?$/ }).count()).toBe(1);
  await page
    .getByRole("region", { name: /^Run .*\?$/ })
    .getByText("touch two")
    .first()
    .waitFor();

  await page.getByRole("textbox", { name: "Prompt" }).pressSequentially("1 2 3 4");
  expect(await page.getByRole("region", { name: /^Run .*\?$/ }).count()).toBe(1);
  await page.getByRole("textbox", { name: "Prompt" }).fill("");
  await choose(page.getByRole("button", { name: "Deny" }));
  await textOn(page, "It is all done.").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("after an answer the keyboard focus returns to the prompt, or moves to the next request", here, async () => {
  await using opened = await Opened.start();
  const run = (command: string) => ({ calls: [call("run_command", { command })] });
  const model = script(opened.daemon, [run("touch one"), run("touch two"), { text: "It is all done." }]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.session(session.id);
  await untilQuiet(page);
  await page.keyboard.press("1");
  await page.locator(".request").getByText("touch two").first().waitFor();
  await untilQuiet(page);
  await page.keyboard.press("1");
  await textOn(page, "It is all done.").waitFor();
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await expect.poll(() => prompt.evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.type("now fix it");
  expect(await prompt.inputValue()).toBe("now fix it");
});

test("a click answers the request under it, even if another one is current", here, async () => {
  await using opened = await Opened.start();
  const page = await opened.session(await waiting(opened));
  const second = page.locator(".request").filter({ hasText: "touch two" }).first();
  await second.waitFor();
  await untilQuiet(page);
  await second.getByRole("button", { name: "Deny" }).click();
  await textOn(page, "Denied by you, here").waitFor();
  await expect.poll(() => page.locator(".request").count()).toBe(1);
  await page.locator(".request").getByText("touch one").first().waitFor();
});

test("an answer contains the edited note and the edited rule", here, async () => {
  await using opened = await Opened.start();
  const id = await waiting(opened, ["make one"]);
  const page = await opened.session(id);
  await page.getByRole("region", { name: /^Run .*\?$/ }).waitFor();
  await untilQuiet(page);
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: "Rule to remember" }).fill("command make *");
  await page.keyboard.press("Enter");
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: "Note for the agent" }).fill("but nothing else");
  await page.keyboard.press("Enter");
  await untilQuiet(page);
  await page.keyboard.press("2");
  await textOn(page, "It is all done.").waitFor();
  await page.getByText("Allowed for this session by you, here").waitFor();
  await page.getByText("“but nothing else”").waitFor();
  const { state } = await opened.daemon.connect().api.session.open.query({ sessionId: id });
  expect(state.grants.map(({ rule }) => rule)).toEqual([{ action: "command", resource: "make *", effect: "allow" }]);
});

test("a digit or a text of the user answers a question", here, async () => {
  await using opened = await Opened.start();
  const asked = { question: "Which one?", follow_up: [{ text: "this" }, { text: "that" }] };
  const model = script(opened.daemon, [
    { calls: [call("ask_followup_question", asked)] },
    { calls: [call("ask_followup_question", { ...asked, question: "And **now**?\n\n- mind the cost" })] },
    { text: "Thank you." },
  ]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.session(session.id);
  await page.getByRole("region", { name: "Which one?" }).waitFor();
  await untilQuiet(page);
  await page.keyboard.press("2");
  const second = page.getByRole("region", { name: "And now?" });
  await second.getByRole("listitem").getByText("mind the cost", { exact: true }).waitFor();
  await second.getByRole("textbox", { name: "Your own answer" }).fill("neither of 2");
  await untilQuiet(page);
  await page.keyboard.press("Enter");
  await textOn(page, "Thank you.").waitFor();
  await page.getByText("Answered “neither of 2” by you, here").waitFor();
});

test("the first answer from two pages wins, and the other page shows that", here, async () => {
  await using opened = await Opened.start();
  const id = await waiting(opened, ["touch one"]);
  const [one, two] = [await opened.session(id), await opened.session(id)];
  for (const page of [one, two]) await page.getByRole("region", { name: /^Run .*\?$/ }).waitFor();
  await untilQuiet(two);
  await one.getByRole("button", { name: "Allow once" }).click();
  await two.getByText("This was answered by you, on another page: Allowed once.").waitFor();
  for (const page of [one, two]) await textOn(page, "It is all done.").waitFor();
});

test("the second answer shows who answered first", here, async () => {
  await using opened = await Opened.start();
  const id = await waiting(opened, ["touch one"]);
  const held = { on: false, isAnswered: false, release: () => {} };
  const page = await opened.session(id, {
    prepare: (made) =>
      made.routeWebSocket(/trpc/, (socket) => {
        const server = socket.connectToServer();
        const heldBack: (string | Buffer)[] = [];
        socket.onMessage((message) => {
          held.isAnswered ||= String(message).includes('"deny"');
          server.send(message);
        });
        server.onMessage((message) => (held.on && message !== "PONG" ? void heldBack.push(message) : socket.send(message)));
        held.release = () => {
          held.on = false;
          for (const message of heldBack.splice(0)) socket.send(message);
        };
      }),
  });
  await page.getByRole("region", { name: /^Run .*\?$/ }).waitFor();
  const other = opened.daemon.attach(id, "terminal");
  await other.untilOpen();
  await untilQuiet(page);
  held.on = true; // From here on, this page learns only that it is still connected.
  await other.answer({ choice: "once" });
  const deny = async () => {
    await page.getByRole("button", { name: "Deny" }).click(); // the page ignores a click right after a change of its layout
    return held.isAnswered;
  };
  await expect.poll(deny, { interval: 500 }).toBe(true);
  held.release();
  await page.getByText("Your answer was second: the request was already answered by you, in a terminal, with “once”.").waitFor();
  await textOn(page, "It is all done.").waitFor();
  expect(await page.getByText("by you, here").count()).toBe(0); // the line of the request names the terminal
});

test("a daemon that is killed during an open approval restores it, the draft stays, and nothing is answered meanwhile", here, async () => {
  await using opened = await Opened.start();
  const id = await waiting(opened, ["touch one"]);
  const page = await opened.session(id);
  await page.getByRole("region", { name: /^Run .*\?$/ }).waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).fill("what I was about to say");
  await opened.daemon.kill();
  await page.getByText("Reconnecting").waitFor();
  expect(await page.getByRole("button", { name: "Allow once" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await untilQuiet(page);
  await page.keyboard.press("1");
  await page.getByText("Not connected. You can answer after the page has reconnected.").waitFor();
  await opened.daemon.start();
  await page.getByText("Reconnecting").waitFor({ state: "detached" });
  expect(await page.getByRole("textbox", { name: "Prompt" }).inputValue()).toBe("what I was about to say");
  await untilQuiet(page);
  await page.getByRole("button", { name: "Allow once" }).click();
  await textOn(page, "It is all done.").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("a message disappears when its reason does", here, async () => {
  await using opened = await Opened.start();
  const id = await waiting(opened, ["touch one"]);
  const page = await opened.session(id);
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await page.getByRole("region", { name: /^Run .*\?$/ }).waitFor();
  await opened.daemon.kill();
  await page.getByText("Reconnecting").waitFor();
  await prompt.fill("say more");
  await prompt.press("Enter");
  await page.getByText("Not connected. The prompt stays here").waitFor();
  await opened.daemon.start();
  await page.getByText("Reconnecting").waitFor({ state: "detached" });
  await page.getByText("Not connected. The prompt stays here").waitFor({ state: "detached" });

  await prompt.fill("/rename");
  await prompt.press("Enter");
  await page.getByText("/rename needs a title.").waitFor();
  await prompt.fill("say more");
  await prompt.press("Enter");
  await page.getByText("/rename needs a title.").waitFor({ state: "detached" });
});

test(
  "digits are hidden while the prompt takes them, and Escape does not stop a turn whose request was just answered elsewhere",
  here,
  async () => {
    await using opened = await Opened.start({ config: { permissions: [{ action: "command", resource: "sleep *", effect: "allow" }] } });
    const long = call("run_command", { command: "sleep 30" });
    const model = script(opened.daemon, [{ calls: [call("run_command", { command: "touch one" })] }, { calls: [long] }, { text: "Done." }]);
    const session = await opened.daemon.session({ model });
    await session.prompt("go");
    await session.untilOpen();
    const page = await opened.session(session.id);
    const digit = page.locator(".request .choices kbd").first();
    const seen = () => digit.evaluate((key) => getComputedStyle(key).visibility);
    expect(await seen()).toBe("visible");
    const prompt = page.getByRole("textbox", { name: "Prompt" });
    await prompt.click();
    expect(await seen()).toBe("hidden");
    await prompt.press("1");
    expect(await prompt.inputValue()).toBe("1");

    await session.answer({ choice: "session" });
    await page.locator(".request").waitFor({ state: "detached" });
    await prompt.press("Escape");
    await page.getByText("The request was answered elsewhere, so nothing was stopped.").waitFor();
    expect(session.state.turn).toBeDefined();
  },
);

test.each([
  ["at 200 %", { width: 1440, height: 900, zoom: 2 }],
  ["on a short screen", { width: 1280, height: 520 }],
])("%s the reason, the choices and the content of the request are in view", here, async (_, wide) => {
  await using opened = await Opened.start();
  const id = await waiting(opened, ["rm -rf made/one made/two made/three && touch a1.txt && touch b2.txt && chmod 700 made && echo made"]);
  const page = await opened.session(id, wide);
  const card = page.getByRole("region", { name: /^Run .*\?$/ });
  await untilQuiet(page);
  const inView = (selector: string) =>
    card
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const at = document.elementFromPoint(left + Math.min(width, 40) / 2, top + height / 2);
        return at !== null && (element.contains(at) || at.contains(element));
      });
  for (const selector of ["h2", ".reason", ".exact"]) expect([selector, await inView(selector)]).toEqual([selector, true]);
});

test("the line about open requests is hidden while their choices are in view, and nothing moves when it appears", here, async () => {
  await using opened = await Opened.start();
  const long = Array.from({ length: 60 }, (_, i) => `Paragraph ${i}.`).join("\n\n");
  const session = await opened.daemon.session({
    model: script(opened.daemon, [{ text: long, calls: [{ tool: "run_command", input: { command: "touch a" } }] }, { text: "Done." }]),
  });
  await session.prompt("go");
  await session.untilOpen(1);
  const page = await opened.session(session.id);
  const card = page.getByRole("region", { name: /^Run / });
  await card.getByRole("button", { name: "Allow once" }).waitFor();
  const line = page.getByText("1 needs you here");
  await line.waitFor({ state: "hidden" });
  const dock = () => page.locator(".dock").evaluate((box) => box.getBoundingClientRect().height);
  const before = await dock();
  await page.getByRole("region", { name: "Transcript" }).evaluate((box) => box.scrollTo(0, 0));
  await line.waitFor();
  expect(await dock()).toBe(before);
  await page.getByRole("button", { name: "Next" }).click();
  await line.waitFor({ state: "hidden" });
  expect(await card.getByRole("button", { name: "Allow once" }).isVisible()).toBe(true);
});
