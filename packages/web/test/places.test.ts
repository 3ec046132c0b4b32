import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import axe from "axe-core";
import { expect, test } from "vitest";
import { commitFiles, git } from "../../daemon/test/support/git/repository.ts";
import { script } from "../../daemon/test/support/script.ts";
import { choose, chromiumPath } from "./support/browser.ts";
import { LOOKS, violationsIn } from "./support/checker.ts";
import { openedRepository, startSession } from "./support/repository-page.ts";

const here = { skip: chromiumPath === undefined, timeout: 120_000 };
const call = (tool: string, input: unknown) => ({ tool, input });

test("a session starts in a new place with a base and a name, and is listed with the sessions of its source", here, async () => {
  await using opened = await openedRepository(undefined, {
    config: (root) => ({
      model: script({ root }, [{ calls: [call("write_file", { path: "made.txt", content: "made\n" })] }, { text: "Made it." }]),
      permissions: [{ action: "edit", resource: "*", effect: "allow" }],
    }),
  });
  const { daemon } = opened;
  git(daemon.workspace, "branch", "release");
  const page = await opened.page(`/new/${encodeURIComponent(daemon.workspace)}`);
  const start = page.getByRole("radiogroup", { name: "Where to work" });
  await choose(start.getByText("New place", { exact: true })); // the form moves until its modes are loaded
  await page.getByLabel("Base").fill("nowhere");
  await startSession(page, "Make a file");
  await page.getByText(/no branch, tag or commit "nowhere"/).waitFor();
  await page.getByLabel("Base").fill("release");
  await page.getByLabel("Name (optional)").fill("fix");
  await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
  await page.getByRole("region", { name: "Transcript" }).getByText("Made it.").waitFor();
  const [place] = await daemon.connect().api.place.list.query({});
  expect(place).toMatchObject({ name: "fix", base: "release", status: "ready" });
  expect(existsSync(`${place?.root}/made.txt`)).toBe(true);
  expect(existsSync(`${daemon.workspace}/made.txt`)).toBe(false);
  const group = page.getByRole("group", { name: daemon.workspace, exact: true });
  await group.getByRole("link", { name: /Make a file.*fix/ }).waitFor();
  await page.getByRole("button", { name: "Place fix baton/fix" }).waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("a folder that is not trusted can be trusted where the place is chosen", here, async () => {
  await using opened = await openedRepository(undefined, { config: (root) => ({ model: script({ root }, [{ text: "Hello." }]) }) });
  const { daemon } = opened;
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: false });
  const page = await opened.page(`/new/${encodeURIComponent(daemon.workspace)}`);
  await choose(page.getByText("New place", { exact: true })); // the form moves until its modes are loaded
  await startSession(page, "Greet me");
  await page.getByText(/is not trusted/).waitFor();
  await page.getByRole("button", { name: "Trust this folder" }).click();
  await page.getByRole("button", { name: "Trust this folder" }).waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
  await page.getByRole("region", { name: "Transcript" }).getByText("Hello.").waitFor();
});

test("the place of a session shows its facts, applies its changes to the source and undoes that", here, async () => {
  const lines = (...of: string[]) => `${of.join("\n")}\n`;
  await using opened = await openedRepository({ "a.txt": lines("1", "2", "3", "4", "5", "6"), "b.txt": "b\n" });
  const { daemon } = opened;
  const { api } = daemon.connect();
  const place = await api.place.create.mutate({ cwd: daemon.workspace, name: "fix" });
  const created = await api.session.create.mutate({ workspace: place.workspace });
  commitFiles(place.root, { "new.txt": "new\n" }, "work");
  writeFileSync(`${place.root}/a.txt`, lines("1", "2", "3", "4", "5", "six"));
  writeFileSync(`${place.root}/b.txt`, "place\n");
  writeFileSync(`${daemon.workspace}/a.txt`, lines("one", "2", "3", "4", "5", "6"));
  writeFileSync(`${daemon.workspace}/b.txt`, "here\n");
  const page = await opened.session(created.id);
  const openPanel = () => page.getByRole("button", { name: "Place fix baton/fix" }).click();
  await openPanel();
  const panel = page.getByRole("dialog", { name: "Place fix baton/fix" });
  await expect
    .poll(() => panel.locator(".kv").innerText())
    .toMatch(/Commits since the base\s+1\s[^]*Uncommitted files\s+2\s[^]*Size on disk\s+[\d.]+ kB/);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);

  await panel.getByRole("button", { name: "Changes since base" }).click();
  const files = page.getByRole("navigation", { name: "Changed files" });
  await files.getByRole("button", { name: /new\.txt/ }).waitFor();
  expect(await files.getByRole("button").count()).toBe(3);
  await page.getByRole("combobox", { name: "Changes of" }).selectOption("Place: not committed");
  await expect.poll(() => files.getByRole("button").count()).toBe(2);
  await page.getByRole("link", { name: "Back to the conversation" }).click();

  await openPanel();
  await panel.getByRole("button", { name: "Apply to work" }).click();
  const dialog = page.getByRole("dialog", { name: "Apply fix to work" });
  const plan = dialog.getByRole("list", { name: "Files" }).getByRole("listitem");
  await expect
    .poll(async () => (await plan.allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 2).join(" ")))
    .toEqual(["a.txt merge", expect.stringMatching(/^b\.txt conflict/), "new.txt write"]);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  await dialog.getByRole("button", { name: "Apply 2 files" }).waitFor();
  await dialog.getByRole("radio", { name: /conflict markers/ }).check();
  await dialog.getByRole("checkbox", { name: "new.txt" }).uncheck();
  await dialog.getByRole("button", { name: "Apply 2 files" }).click();
  await dialog.getByText("2 files in work now have the changes of the place.").waitFor();
  expect(daemon.read("a.txt")).toBe(lines("one", "2", "3", "4", "5", "six"));
  expect(daemon.read("b.txt")).toContain("<<<<<<<");
  expect(daemon.read("new.txt")).toBe("");
  await dialog.getByRole("button", { name: "Take back" }).click();
  await page.getByText("2 files were taken back.").waitFor();
  expect(daemon.read("a.txt")).toBe(lines("one", "2", "3", "4", "5", "6"));
  expect(daemon.read("b.txt")).toBe("here\n");
  expect(opened.browser.errors).toEqual([]);
});

test("an archived session offers to remove its place after the snapshot, and to restore it when it comes back", here, async () => {
  await using opened = await openedRepository({ ".gitignore": "node_modules\n", "a.txt": "one\n" });
  const { daemon } = opened;
  const { api } = daemon.connect();
  const place = await api.place.create.mutate({ cwd: daemon.workspace, name: "fix" });
  const created = await api.session.create.mutate({ workspace: place.workspace });
  mkdirSync(`${place.root}/node_modules`);
  writeFileSync(`${place.root}/node_modules/x.js`, "x\n");
  writeFileSync(`${place.root}/a.txt`, "two\n");
  const page = await opened.session(created.id);
  const program = spawn("sleep", ["60"], { cwd: place.root });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  const offer = page.getByRole("dialog", { name: "Remove the place fix as well?" });
  await offer.getByText("node_modules/").waitFor();
  await offer.getByText(/1 uncommitted file and 0 commits since its base/).waitFor();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  await offer.getByRole("button", { name: "Remove the place" }).click();
  await offer
    .getByRole("alert")
    .getByText(/in use: sleep \(process \d+\) works in it/)
    .waitFor();
  program.kill();
  await new Promise((resolve) => program.once("close", resolve));
  await offer.getByRole("button", { name: "Remove the place" }).click();
  await offer.waitFor({ state: "detached" });
  expect(existsSync(place.root)).toBe(false);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Restore from archive" }).click();
  await page.getByRole("dialog", { name: "Restore the place fix?" }).getByRole("button", { name: "Restore the place" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(readFileSync(`${place.root}/a.txt`, "utf8")).toBe("two\n");
  expect(opened.browser.errors).toEqual([]);
});

test("a session whose place was just removed offers to restore it, also if the page knows the removal later", here, async () => {
  await using opened = await openedRepository();
  const { daemon } = opened;
  const { api } = daemon.connect();
  const place = await api.place.create.mutate({ cwd: daemon.workspace, name: "fix" });
  const { id } = await api.session.create.mutate({ workspace: place.workspace });
  const page = await opened.session(id);
  const archive = (archived: boolean) => api.session.send.mutate({ sessionId: id, wish: { type: "archive", archived } });
  await archive(true);
  await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
  await api.place.remove.mutate({ place: place.id });
  await archive(false);
  await page.getByRole("dialog", { name: "Restore the place fix?" }).waitFor();
});

test("the setup of the repository is shown, approved and run in the place", here, async () => {
  const setup = { setup: ["echo prepared-$BATON_PLACE_NAME", "touch prepared.txt"] };
  await using opened = await openedRepository(
    { "a.txt": "one\n", ".baton/place.jsonc": JSON.stringify(setup) },
    { config: (root) => ({ model: script({ root }, [{ text: "Hello." }]) }) },
  );
  const { daemon } = opened;
  const page = await opened.page(`/new/${encodeURIComponent(daemon.workspace)}`);
  await choose(page.getByText("New place", { exact: true })); // the form moves until its modes are loaded
  await page.getByLabel("Name (optional)").fill("fix");
  await startSession(page, "Greet me");
  await page.getByText("Hello.").waitFor();
  const [place] = await daemon.connect().api.place.list.query({});
  await page.getByRole("button", { name: "Place fix baton/fix" }).click();
  await page.getByRole("button", { name: "Set up the place" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up the place fix" });
  await dialog.getByText("touch prepared.txt").waitFor();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe.source);
  expect(await violationsIn(LOOKS, page)).toEqual([]);
  expect(existsSync(`${place?.root}/prepared.txt`)).toBe(false);
  await dialog.getByRole("button", { name: "Approve and run" }).click();
  await dialog.getByText("The setup has run.").waitFor();
  await dialog.getByText("prepared-fix").last().waitFor();
  expect(existsSync(`${place?.root}/prepared.txt`)).toBe(true);
  expect(opened.browser.errors).toEqual([]);
});

test("the place of a new session can be chosen with one Tab stop and the arrow keys", here, async () => {
  await using opened = await openedRepository();
  const page = await opened.page(`/new/${encodeURIComponent(opened.daemon.workspace)}`);
  const choice = page.getByRole("radiogroup", { name: "Where to work" });
  await choice.getByRole("radio", { name: "Here" }).focus();
  await page.keyboard.press("ArrowRight");
  expect(await choice.getByRole("radio", { name: "New place" }).isChecked()).toBe(true);
  await page.keyboard.press("Tab");
  expect(await page.getByLabel("Base").evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowLeft");
  expect(await choice.getByRole("radio", { name: "Here" }).isChecked()).toBe(true);
  expect(await page.getByLabel("Base").count()).toBe(0);
});

test("the menu of a place repairs an interrupted creation, saves a snapshot, and undoes an application of changes", here, async () => {
  await using opened = await openedRepository();
  const { daemon } = opened;
  const hook = `${daemon.workspace}/.git/hooks/post-checkout`;
  const lock = 'touch "$(git rev-parse --git-path index.lock)"';
  writeFileSync(hook, `#!/bin/sh\nrm -f '${hook}'\n${lock}\nkill -9 ${daemon.pid}\n`, { mode: 0o755 });
  const interrupted = daemon.connect().api.place.create.mutate({ cwd: daemon.workspace, name: "fix" });
  interrupted.catch(() => undefined); // the client sends it again to the next daemon
  await daemon.ended();
  await daemon.start();
  const { api } = daemon.connect();
  const place = async () => (await api.place.list.query({}))[0];
  await expect.poll(async () => (await place())?.status).toBe("interrupted");
  const root = (await place())?.root ?? "";
  const created = await api.session.create.mutate({ workspace: root });
  const page = await opened.session(created.id);
  const pick = async (name: string) => {
    await page.getByRole("button", { name: "Place fix baton/fix" }).click();
    await page.getByRole("dialog", { name: "Place fix baton/fix" }).getByRole("button", { name }).click();
  };
  await pick("Repair the place");
  await page.getByText("The place fix is ready.").waitFor();
  expect(await place()).toMatchObject({ status: "ready" });
  writeFileSync(`${root}/a.txt`, "place\n");
  await pick("Save snapshot");
  await page.getByText("The place fix is saved.").waitFor();
  const { snapshot } = (await place()) ?? {};
  expect(git(daemon.workspace, "show", `${snapshot?.commit}:a.txt`)).toBe("place");
  await api.place.applyChanges.mutate({ place: "fix" });
  expect(daemon.read("a.txt")).toBe("place\n");
  await pick("Take back from work");
  await page.getByText("1 file was taken back.").waitFor();
  expect(daemon.read("a.txt")).toBe("one\n");
});
