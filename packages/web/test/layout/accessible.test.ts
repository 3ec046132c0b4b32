import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath } from "../support/browser.ts";
import { LOOKS, violations, violationsIn } from "../support/checker.ts";
import { Opened } from "../support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 120_000 };
const call = (tool: string, input: unknown) => ({ tool, input });

/** Rules that hardly depend on the width are checked once in each appearance. */
const SIGHTS = [
  { width: 1440, looks: LOOKS },
  { width: 1024, looks: LOOKS.slice(0, 1) },
  { width: 360, looks: LOOKS.slice(1, 3) },
];

test("an accessibility checker finds nothing at all widths, themes and contrasts, with and without requests", here, async () => {
  await using opened = await Opened.start({ config: { permissions: [{ action: "read", resource: "*.secret", effect: "deny" }] } });
  opened.daemon.write("a.txt", "one\ntwo\nthree\n");
  opened.daemon.write("b.secret", "no");
  const text =
    "# Title\n\nSome `code`, a [link](https://example.com) and\n\n```ts\nconst a = 1; // comment\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |";
  const full = script(opened.daemon, [
    {
      text,
      calls: [
        call("read_file", { path: "a.txt" }),
        call("list_files", {}),
        call("read_file", { path: "b.secret" }),
        call("read_file", { path: "gone" }),
      ],
    },
    {
      calls: [
        call("run_command", { command: "echo hi && git push" }),
        call("edit_file", { path: "a.txt", old_text: "two", new_text: "2" }),
        call("ask_followup_question", { question: "Which?", follow_up: [{ text: "this" }, { text: "that" }] }),
      ],
    },
  ]);
  const busy = await opened.daemon.session({ model: full });
  await busy.prompt("go");
  await busy.untilOpen(3);
  await busy.prompt("and then this");
  const done = await opened.daemon.session({ model: script(opened.daemon, [{ text }]) });
  await done.runTurn("say something");

  const found: string[] = [];
  for (const { width, looks } of SIGHTS) {
    const page = await opened.page("/", { width, height: 800 });
    await page.emulateMedia({ reducedMotion: "reduce" }); // so that no colour is measured during a transition
    await page.evaluate(axe.source);
    for (const place of [`/session/${busy.id}`, `/session/${done.id}`, "/", "/new"]) {
      await page.evaluate((hash) => void (location.hash = hash), `#${place}`);
      await page
        .locator(place === `/session/${busy.id}` ? ".request.now" : place.startsWith("/session") ? ".prose" : "main:visible, .side:visible")
        .first()
        .waitFor();
      for (const line of await violationsIn(looks, page)) found.push(`${width} ${place.slice(0, 9)} ${line}`);
    }
    if (width === 360) {
      await page.evaluate(() => void (location.hash = "#/"));
      await page.locator(".inbox .item").first().waitFor();
      await dressed(page);
      for (const line of await violations(page, "contrasts")) found.push(`in an editor ${line}`);
    }
    await page.context().close();
  }
  expect(found).toEqual([]);
});

/** Colours of the theme Light+, which has faint text and strong backgrounds for changed lines. */
const LIGHT_PLUS = {
  foreground: "#616161",
  "editor-background": "#ffffff",
  "sideBar-background": "#f3f3f3",
  "textCodeBlock-background": "#dcdcdc66",
  "textLink-foreground": "#006ab1",
  "list-hoverBackground": "#e8e8e8",
  "diffEditor-insertedLineBackground": "#9bb95533",
  "diffEditor-insertedTextBackground": "#9ccc2c40",
  "diffEditor-removedLineBackground": "#ff000033",
  "diffEditor-removedTextBackground": "#ff000033",
};

/** Styles the page as an editor does. */
const dressed = (page: Page): Promise<void> =>
  page.evaluate((colours) => {
    Object.assign(document.documentElement.dataset, { host: "view", theme: "light", contrast: "" });
    document.body.className = "vscode-light";
    for (const [name, colour] of Object.entries(colours)) document.documentElement.style.setProperty(`--vscode-${name}`, colour);
  }, LIGHT_PLUS);

/** Views that are not open at first, each with the steps that open it from a session that waits with a plan. */
const STAGES: Record<string, (page: Page, opened: Opened) => Promise<void>> = {
  "the plan": async () => undefined,
  "the modes": (page) => page.getByRole("button", { name: /^Mode:/ }).click(),
  "the models": async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Model:/ }).click();
  },
  "the changed files": async (page) => {
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.getByRole("button", { name: /^1 file/ }).click();
  },
  more: async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More" }).click();
  },
  "the keys": async (page) => {
    await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog").waitFor();
  },
  "a rewinding": async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("article", { name: "You" }).hover();
    await page.getByRole("button", { name: "Rewind …" }).click();
    await page.getByRole("dialog").waitFor();
  },
  commands: async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Prompt" }).fill("/");
    await page.getByRole("listbox", { name: "Commands" }).waitFor();
  },
  "a picture": async (page) => {
    await page.getByRole("textbox", { name: "Prompt" }).fill("");
    await page.locator("input[type=file]").setInputFiles(fileURLToPath(new URL("../../../../docs/images/narrow-360.png", import.meta.url)));
    await page.getByRole("button", { name: "Enlarge narrow-360.png" }).click();
  },
  "what was found": async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox", { name: "Search sessions and conversations" }).fill("nothing like it");
    await page.getByText("No session has this name").waitFor();
  },
  "a session that is not there": async (page) => {
    await page.evaluate(() => void (location.hash = "#/session/none"));
    await page.getByRole("heading", { name: "This session cannot be opened" }).waitFor();
  },
  "no daemon": async (page, { daemon }) => {
    await daemon.kill();
    await page.getByText("Reconnecting").first().waitFor();
  },
  "no token": async (page, { daemon }) => {
    await daemon.start();
    await page.getByText("Connected").first().waitFor();
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByRole("heading", { name: "Open this page from the terminal" }).waitFor();
    await page.evaluate(axe.source);
  },
};

test("an accessibility checker finds nothing in menus, dialogs, suggestions, errors and a plan", here, async () => {
  await using opened = await Opened.start();
  const session = await opened.daemon.session({ mode: "plan" });
  const content = "# A plan\n\n1. Do it.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  const model = script(opened.daemon, [
    { calls: [call("write_file", { path: `.baton/plans/${session.id}.md`, content })] },
    { calls: [call("exit_plan", {})] },
  ]);
  await session.prompt("plan it", { model });
  await session.untilOpen();
  const page = await opened.session(session.id, { height: 800 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  await page.getByRole("region", { name: "Build this plan?" }).waitFor();
  const found: string[] = [];
  for (const [stage, reach] of Object.entries(STAGES)) {
    await reach(page, opened);
    for (const line of await violationsIn(LOOKS, page)) found.push(`${stage} ${line}`);
  }
  expect(found).toEqual([]);
});

test("in forced colours every state keeps its shape, and an accessibility checker finds nothing", here, async () => {
  await using opened = await Opened.start();
  const model = script(opened.daemon, [{ calls: [call("run_command", { command: "git push" })] }]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go");
  await session.untilOpen();
  const page = await opened.session(session.id);
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.locator(".request.now").waitFor();
  const drawn = (selector: string, property: string, part?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, [name = "", pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(name), [property, part]);
  const ground = await drawn("body", "background-color");
  expect(await drawn(".request.now .head .i-wait", "background-color", "::before")).not.toBe(ground);
  expect(await drawn(".pip.yes", "background-color")).not.toBe(ground);
  expect(await drawn(".badge", "background-color")).not.toBe(ground);
  expect(await drawn(".request.now", "border-top-width")).toBe("2px");
  await page.evaluate(axe.source);
  expect(await violations(page)).toEqual([]);
});

test("at 200 % and at every width nothing is cut off, and only the conversation scrolls", here, async () => {
  await using opened = await Opened.start();
  const long = `npx some-tool --with-a-very-long-option=${"x".repeat(200)} && git push origin HEAD:a-branch`;
  const session = await opened.daemon.session({
    model: script(opened.daemon, [{ text: "Words. ".repeat(400), calls: [call("run_command", { command: long })] }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  for (const [width, height] of [
    [720, 450], // 1440 by 900 at 200 %
    [360, 640],
    [320, 480],
    [1024, 700],
    [1440, 900],
  ] as const) {
    const page = await opened.session(session.id, { width, height });
    await page.locator(".request.now").waitFor();
    const sizes = await page.evaluate(() => {
      const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
      const out = [...document.querySelectorAll<HTMLElement>(".main :is(button, input, textarea, .exact, h1, h2)")]
        .filter((element) => element.offsetParent !== null)
        .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
        .map((element) => element.outerHTML.slice(0, 120));
      return { wide: scrollWidth - clientWidth, high: scrollHeight - clientHeight, out };
    });
    expect({ width, ...sizes }).toEqual({ width, wide: 0, high: 0, out: [] });
    await page.context().close();
  }
});

/** Views with several sessions, each with the steps that open it. */
const MORE_STAGES: Record<string, (page: Page, ids: { tasks: string; server: string }) => Promise<void>> = {
  "the first visit of a phone": async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("heading", { name: "Choose a model" }).waitFor();
    await page.setViewportSize({ width: 1024, height: 800 });
  },
  "requests that are alike": async (page) => {
    await page.getByRole("button", { name: /2 requests in 2 sessions/ }).click();
    await page.getByRole("dialog").waitFor();
  },
  folders: async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Browse" }).click();
    await page.getByRole("dialog", { name: "Choose a folder" }).waitFor();
  },
  matches: async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox", { name: "Search sessions and conversations" }).fill("parser");
    await page.locator("mark").first().waitFor();
  },
  subtasks: async (page, { tasks }) => {
    await page.evaluate((hash) => void (location.hash = hash), `#/session/${tasks}`);
    await page.locator(".task").getByText("Look at the parser").waitFor();
  },
  "background commands": async (page, { server }) => {
    await page.evaluate((hash) => void (location.hash = hash), `#/session/${server}`);
    await page.getByRole("button", { name: "Background commands, 1 running" }).click();
    await page
      .getByRole("dialog", { name: /^Background commands/ })
      .getByText("sleep 300")
      .click();
    await page.getByRole("group", { name: "Output" }).getByText("up").waitFor();
  },
  "the permissions of a session": async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Permissions" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).waitFor();
  },
};

test("an accessibility checker finds nothing in the views of several sessions, subtasks and background commands", here, async () => {
  await using opened = await Opened.start({
    config: (root) => ({
      permissions: { command: { "echo *": "allow", "sleep *": "allow" } },
      modes: {
        orchestrator: {
          model: script({ root }, [{ calls: [call("new_task", { mode: "code", message: "Look at the parser" })] }, { text: "Done." }]),
        },
      },
    }),
  });
  const { daemon } = opened;
  const page = await opened.page("/new", { width: 1024, height: 800 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  const alike = script(daemon, [{ calls: [call("run_command", { command: "npm test" })] }, { text: "Done." }]);
  for (const prompt of ["Fix the parser", "Fix the printer"]) {
    const session = await daemon.session({ model: alike });
    await session.prompt(prompt);
    await session.untilOpen();
  }
  const tasks = await daemon.session({ mode: "orchestrator" });
  await tasks.prompt("Do it all");
  const server = await daemon.session({
    model: script(daemon, [{ calls: [call("run_command", { command: "echo up; sleep 300", background: true })] }, { text: "It runs." }]),
  });
  await server.runTurn("Start the server");
  const found: string[] = [];
  for (const [stage, reach] of Object.entries(MORE_STAGES)) {
    await reach(page, { tasks: tasks.id, server: server.id });
    for (const line of await violationsIn(LOOKS, page)) found.push(`${stage} ${line}`);
  }
  expect(found).toEqual([]);
});
