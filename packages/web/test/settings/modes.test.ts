import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { TestDaemon } from "../../../daemon/test/support/daemon.ts";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath, type Wide } from "../support/browser.ts";
import { Opened } from "../support/opened.ts";
import { LOOKS, violationsIn } from "../support/checker.ts";

const here = { skip: chromiumPath === undefined, timeout: 120_000 };

const place = ({ workspace }: TestDaemon) => `/settings/modes/${encodeURIComponent(workspace)}`;

/** The tab, with its cards loaded. */
async function modesOf(opened: Opened, wide: Wide = {}): Promise<Page> {
  const page = await opened.page(place(opened.daemon), wide);
  await card(page, "ask").waitFor();
  return page;
}

const card = (page: Page, slug: string) => page.getByRole("button", { name: new RegExp(`^${slug}\\b`) });

const trust = ({ daemon }: Opened) =>
  daemon.connect().api.workspace.trust.mutate({ commandId: crypto.randomUUID(), cwd: daemon.workspace, trusted: true });

/** The content of a file that defines a mode of the user. */
function ownMode({ home }: TestDaemon, slug: string, text: string): string {
  const file = path.join(home, "modes", `${slug}.md`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test(
  "a mode can be made with clicks, errors are at their fields, nothing is lost, and a session works in it under its limits",
  here,
  async () => {
    await using opened = await Opened.start();
    const { daemon } = opened;
    await trust(opened);
    const session = await daemon.session({
      model: script(daemon, [
        { calls: [{ tool: "write_file", input: { path: "src/a.ts", content: "no" } }] },
        { calls: [{ tool: "coordinate_mode", input: { outcome: "stay", reason: "the pages are enough" } }] },
        { calls: [{ tool: "write_file", input: { path: "docs/a.md", content: "yes" } }] },
      ]),
    });
    const page = await modesOf(opened);
    await page.getByRole("button", { name: "New mode" }).click();
    const form = page.getByRole("form", { name: "New mode" });
    const [slug, pattern] = [form.getByLabel("Slug"), form.getByLabel("Editable files (pattern)")];
    await form.getByRole("radio", { name: /^project/ }).check();
    await form.getByLabel("Name").fill("Docs writer");
    expect(await slug.inputValue()).toBe("docs-writer");
    await slug.fill("docs writer");
    await form.getByText("A slug has at most 50 letters").waitFor();
    expect(await slug.getAttribute("aria-invalid")).toBe("true");
    expect(await form.getByText("is blank").count()).toBe(0); // the user has not visited this field yet
    await form.getByRole("checkbox", { name: /^edit/ }).check();
    await pattern.fill("docs/(");
    await form.getByText("'docs/(' is not a regular expression").waitFor();
    await form.getByLabel("Role").fill("You write short pages.");
    await form.getByLabel("Rules, one per line").fill("No adverbs.\nShow the command.");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("The description is empty.").waitFor();
    await expect.poll(() => slug.evaluate((field) => field === document.activeElement)).toBe(true); // at the first error
    await slug.fill("docs-writer");
    await pattern.fill("^docs/");
    await form.getByLabel("Description").fill("Writes the pages.");
    await form.getByText("checked while you type").waitFor();

    const file = ".baton/modes/docs-writer.md";
    daemon.write(file, "---\nname: Other\ngroups: []\n---\n\nSomebody was faster.\n");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByRole("alert").getByText("A mode docs-writer of scope project already exists").waitFor();
    expect(daemon.read(file)).toContain("Somebody was faster.");
    rmSync(path.join(daemon.workspace, file));
    await card(page, "plan").click();
    await page.getByRole("button", { name: "New mode" }).click(); // it is unchanged
    await form.getByRole("button", { name: "Save" }).click();
    const saved = page.getByRole("form", { name: "Mode docs-writer" });
    await saved.getByText(file).waitFor();
    expect(daemon.read(file)).toBe(WRITTEN);
    await saved.getByText("write_file").first().waitFor(); // the tools that it offers
    await saved.getByText("docs-writer has no command tools").waitFor(); // and those that it does not
    expect(await card(page, "docs-writer").getAttribute("aria-pressed")).toBe("true");

    await page.evaluate((id) => void (location.hash = `#/session/${id}`), session.id);
    await page.getByRole("button", { name: "Mode: code" }).click();
    await page.getByRole("menuitemradio", { name: /docs-writer/ }).click();
    await page.getByRole("button", { name: "Mode: docs-writer" }).waitFor();
    await page.getByRole("textbox", { name: "Prompt" }).fill("write");
    await page.keyboard.press("Enter");
    const request = await session.untilOpen();
    expect(session.finished.map(({ result }) => result.outcome)).toEqual(["failed", "ok"]);
    expect(JSON.stringify(request)).toContain("docs/a.md");
    expect(opened.browser.errors).toEqual([]);
  },
);

const WRITTEN = `---
slug: docs-writer
name: Docs writer
description: Writes the pages.
customRules:
  - No adverbs.
  - Show the command.
groups:
  - read
  - name: edit
    fileRegex: ^docs/
---

You write short pages.
`;

test("modes can be searched, overridden, restored and deleted, and errors in their files are shown", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const file = ownMode(daemon, "guide", "---\nname: Guide\ndescription: Shows the way.\ngroups: [read]\n---\n\nYou show the way.\n");
  daemon.write(
    ".roomodes",
    '{"customModes":[{"slug":"reviewer","name":"R","roleDefinition":"You review.","groups":[["edit",{"fileRegex":"*.md"}]]}]}',
  );
  const session = await daemon.session({ mode: "guide", model: script(daemon, [{ text: "Hello." }]) });
  await session.runTurn("find the way out");
  const page = await modesOf(opened);
  await page.getByText("10 built in, 0 from the project, 1 of yours").waitFor();
  const faults = page.getByRole("region", { name: "Problems in mode files" });
  await faults.getByText(/\.roomodes:1:\d+/).waitFor();
  await faults.getByText("bad_regex").waitFor();

  const search = page.getByRole("searchbox", { name: "Search modes" });
  await search.fill("SHOWS the");
  await card(page, "ask").waitFor({ state: "detached" });
  expect(await page.locator(".modecard").count()).toBe(1);
  await search.fill("nothing like it");
  await page.getByText("No mode matches “nothing like it”").waitFor();
  await search.fill("");

  await card(page, "ask").press("Enter");
  const ask = page.getByRole("form", { name: "Mode ask" });
  await expect.poll(() => ask.evaluate((form) => form === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  expect(await card(page, "ask").evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await ask.getByLabel("Description").getAttribute("readonly")).toBe("");
  await ask.getByRole("button", { name: "Override" }).click();
  await ask.getByLabel("Description").fill("Answers in verse.");
  await ask.getByRole("button", { name: "Save" }).click();
  await ask.getByText("yours, overrides built-in").waitFor();
  const overriding = path.join(daemon.home, "modes", "ask.md");
  expect(readFileSync(overriding, "utf8")).toContain("description: Answers in verse.");
  await card(page, "ask").getByText("Answers in verse.").waitFor();
  await ask.getByRole("button", { name: "Restore …" }).click();
  await page.getByRole("dialog").getByText("No session uses it.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await ask.getByText("built in", { exact: true }).waitFor();
  expect(existsSync(overriding)).toBe(false);

  writeFileSync(file, "---\nname: Guide\ngroups: [red]\n---\n\nYou show the way.\n");
  await page.evaluate(() => dispatchEvent(new Event("focus"))); // as on a return from an editor
  await faults.getByText("The last good version of guide stays in use.").waitFor();
  await card(page, "guide").getByText("invalid file").waitFor();
  await card(page, "guide").click();
  await page.getByRole("button", { name: "Save" }).click();
  await card(page, "guide").getByText("invalid file").waitFor({ state: "detached" });
  expect(readFileSync(file, "utf8")).toContain("description: Shows the way.\ngroups:\n  - read\n");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "for Roo Code" }).click();
  expect((await download).suggestedFilename()).toBe("guide.yaml");

  await page.getByRole("button", { name: "Delete …" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete the mode guide?" });
  await dialog.getByText("1 session uses it: find the way out.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(existsSync(file)).toBe(true);
  await page.getByRole("button", { name: "Delete …" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await card(page, "guide").waitFor({ state: "detached" });
  expect(existsSync(file)).toBe(false);
  expect(opened.browser.errors).toEqual([]);
});

test("an accessibility checker finds nothing, wide and narrow, light and dark, and nothing is cut off", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  daemon.write(".baton/modes/docs.md", "---\nname: Docs\ngroups: [read, [edit, { fileRegex: '^docs/' }]]\n---\n\nYou write.\n");
  ownMode(daemon, "code", "---\nname: Mine\ngroups: [read]\n---\n\nYou code.\n");
  ownMode(daemon, "broken", "---\nname: Broken\ngroups: [red]\n---\n\nYou?\n");
  const page = await modesOf(opened);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  const found: string[] = [];
  const look = async (stage: string) => {
    for (const line of await violationsIn(LOOKS.slice(0, 2), page)) found.push(`${stage} ${line}`);
  };
  await page.locator('[data-mode="docs untrusted"]').click();
  await page.getByRole("form", { name: "Mode docs" }).waitFor();
  await look("looked at");
  await page.getByRole("button", { name: "New mode" }).click();
  const form = page.getByRole("form", { name: "New mode" });
  expect(await form.getByRole("radio", { name: /^project/ }).isDisabled()).toBe(true); // the folder is not trusted
  await form.getByText("More", { exact: true }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("errors to fix").waitFor();
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await look(`new, ${width}`);
    const wide = await page.locator(".scroll").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect({ width, wide }).toEqual({ width, wide: 0 });
  }
  expect(found).toEqual([]);
});

test(
  "variables, permissions, flags and the endpoint of a mode can be edited, and fields that the form does not show stay",
  here,
  async () => {
    await using opened = await Opened.start();
    const file = ownMode(
      opened.daemon,
      "docs",
      `---\nname: Docs\ndescription: Writes docs.\ngroups: [read]\nmodel: { provider: local, id: m, temperature: 0.5 }\n---\nYou write docs for {{team}}.\n`,
    );
    const page = await modesOf(opened);
    await card(page, "docs").click();
    const form = page.getByRole("form", { name: "Mode docs" });
    await form.getByText("More", { exact: true }).click();
    await form.getByLabel("Variables, as JSON").fill('{ "team": ');
    await form.getByText("This is not JSON.").waitFor();
    await form.getByLabel("Variables, as JSON").fill('{ "team": "core", "langs": ["en", "de"] }');
    await form.getByText("This is not JSON.").waitFor({ state: "detached" });
    await form.getByLabel("Permissions, as JSON").fill('[{ "action": "command", "resource": "npm test", "effect": "deny" }]');
    await form.getByLabel("Model endpoint").fill("http://127.0.0.1:9/v1");
    await form.getByRole("button", { name: "Save" }).click();
    const { api } = opened.daemon.connect();
    const saved = async () => (await api.mode.show.query({ cwd: opened.daemon.workspace, slug: "docs" })).mode;
    await expect.poll(async () => (await saved()).variables).toEqual({ team: "core", langs: ["en", "de"] });
    expect(await saved()).toMatchObject({
      permissions: [{ action: "command", resource: "npm test", effect: "deny" }],
      model: { provider: "local", id: "m", temperature: 0.5, baseUrl: "http://127.0.0.1:9/v1" },
    });
    expect(readFileSync(file, "utf8")).toContain("You write docs for {{team}}.");
  },
);

test("modes can be imported from a file, and parts that were not imported are listed", here, async () => {
  await using opened = await Opened.start();
  const page = await modesOf(opened);
  const text = JSON.stringify({
    customModes: ["one", "two"].map((slug) => ({ slug, name: slug, roleDefinition: "You help.", groups: ["read"] })),
  });
  const choose = () =>
    page
      .getByLabel("Import modes from a file")
      .setInputFiles({ name: ".roomodes", mimeType: "application/json", buffer: Buffer.from(text) });
  await choose();
  await page.getByText("Imported: one, two.").waitFor();
  for (const slug of ["one", "two"]) await card(page, slug).waitFor();
  await choose();
  await page.getByText("Nothing was imported.").waitFor();
});
