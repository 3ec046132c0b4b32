import { existsSync } from "node:fs";
import axe from "axe-core";
import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { TestSession } from "../../daemon/test/support/session.ts";
import { choose, chromiumPath } from "./support/browser.ts";
import { LOOKS, violationsIn } from "./support/checker.ts";
import { openedRepository, startSession } from "./support/repository-page.ts";

const here = { skip: chromiumPath === undefined, timeout: 120_000 };
const call = (tool: string, input: unknown) => ({ tool, input });

test("one prompt starts versions with different models, which are then side by side", here, async () => {
  await using opened = await openedRepository(undefined, {
    config: (root) => ({
      model: script({ root }, [{ text: "I am the **default**." }]),
      permissions: [{ action: "edit", resource: "*", effect: "allow" }],
    }),
  });
  const { daemon } = opened;
  const edit = { calls: [call("write_file", { path: "made.txt", content: "made\n" })] };
  const other = script(daemon, [edit, { text: "I am the **other**." }]);
  const page = await opened.page(`/new/${encodeURIComponent(daemon.workspace)}`);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await choose(page.getByText("Versions", { exact: true })); // the form moves until its modes are loaded
  await page.getByRole("button", { name: "Add version" }).click();
  await page.getByRole("button", { name: "Remove version 2" }).click();
  await page.getByLabel("Model of version 2").fill("nowhere/model");
  await page.getByLabel("Name (optional)").fill("fix");
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  await startSession(page, "Write a file");
  await page
    .getByText(/nowhere/)
    .first()
    .waitFor();
  expect(await daemon.connect().api.place.list.query({})).toEqual([]);

  await page.getByLabel("Model of version 2").fill(other);
  await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
  await page.getByRole("heading", { name: "2 versions · Write a file" }).waitFor();
  await page.getByRole("article", { name: "fix-v1" }).getByText("I am the default.").waitFor();
  const second = page.getByRole("article", { name: "fix-v2" });
  await second.getByText("I am the other.").waitFor();
  await second.getByText("made.txt").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("versions are side by side, one can be applied, and the others are removed with their sessions", here, async () => {
  await using opened = await openedRepository(undefined, {
    config: { permissions: [{ action: "edit", resource: "*", effect: "allow" }] },
  });
  const { daemon } = opened;
  const { api } = daemon.connect();
  const places = [];
  for (const name of ["one", "two", "three"]) {
    const place = await api.place.create.mutate({ cwd: daemon.workspace, name, group: "try" });
    const edit = { calls: [call("write_file", { path: "made.txt", content: `${name}\n` })] };
    const model = script(daemon, [edit, { text: `I wrote **${name}**.` }]);
    const session = new TestSession(api, (await api.session.create.mutate({ workspace: place.workspace, model })).id);
    await session.runTurn("Write a word");
    places.push(place);
  }
  const page = await opened.page("/board");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.getByRole("link", { name: "Compare versions" }).first().click();
  await page.getByRole("heading", { name: "3 versions · Write a word" }).waitFor();
  for (const name of ["one", "two", "three"]) {
    const version = page.getByRole("article", { name });
    await version.getByText(`I wrote ${name}.`).waitFor();
    await version.getByText("1 file").waitFor();
    await version.getByText("made.txt").waitFor();
  }
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);

  const two = page.getByRole("article", { name: "two" });
  await two.getByRole("link", { name: "Diff" }).click();
  await page.getByRole("region", { name: "made.txt" }).getByText("two").waitFor();
  await page.goBack();
  await two.getByRole("button", { name: "Apply …" }).click();
  await page.getByRole("button", { name: "Apply 1 file" }).click();
  await page.getByRole("button", { name: "Close" }).click();
  expect(daemon.read("made.txt")).toBe("two\n");
  await page.getByRole("button", { name: "Remove the other versions …" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the other versions?" });
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  await dialog.getByRole("checkbox", { name: "three" }).uncheck();
  await dialog.getByRole("button", { name: "Remove 1 version" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(places.map(({ root }) => existsSync(root))).toEqual([false, true, true]);
  const rows = await api.session.list.query({ archived: true });
  expect(rows.map(({ workspace }) => workspace)).toEqual([places[0]?.workspace]);
  expect(opened.browser.errors).toEqual([]);
});
