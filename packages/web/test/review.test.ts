import { expect, test } from "vitest";
import axe from "axe-core";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath } from "./support/browser.ts";
import { LOOKS, violationsIn } from "./support/checker.ts";
import { tasksWhile } from "./support/cost.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 60_000 };
const call = (tool: string, input: unknown) => ({ tool, input });

test(
  "the changes of a turn can be marked as seen, commented on and restored, and the comments go to the agent as one prompt",
  here,
  async () => {
    await using opened = await Opened.start({ config: { permissions: { edit: "allow" } } });
    const { daemon } = opened;
    daemon.write("a.ts", "const one = 1;\nconst two = 2;\n");
    const model = script(daemon, [
      {
        calls: [
          call("edit_file", { path: "a.ts", old_text: "one = 1", new_text: "one = 11" }),
          call("write_file", { path: "new.md", content: "# New\n" }),
        ],
      },
      { text: "Changed." },
      { text: "I read your comments." },
    ]);
    const session = await daemon.session({ model });
    await session.runTurn("change it");
    const page = await opened.session(session.id);
    const turn = page.getByRole("group", { name: "The turn" });
    await turn.getByText("2 files").waitFor();
    await turn.getByRole("link", { name: "Review" }).click();
    const files = page.getByRole("navigation", { name: "Changed files" });
    await files.getByRole("button", { name: "a.ts" }).waitFor();
    const file = page.getByRole("region", { name: "a.ts" });
    await file.getByText("const one = 11;").first().waitFor();

    await file.getByRole("button", { name: "Comment on line 1" }).last().click();
    await file.getByRole("textbox", { name: "Comment" }).fill("Why eleven?");
    await page.keyboard.press("Enter");
    await file.getByRole("button", { name: "Why eleven?" }).waitFor();
    const added = page.getByRole("region", { name: "new.md" });
    await added.getByRole("checkbox", { name: "Seen" }).check();
    await files.getByRole("button", { name: "new.md (seen)" }).waitFor();
    await page.reload();
    await file.getByRole("button", { name: "Why eleven?" }).waitFor();
    await added.getByRole("button", { name: "Unfold this file" }).waitFor();

    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy as patch" }).click();
    await page.getByText("The patch is in the clipboard.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("-const one = 1;\n+const one = 11;");

    await added.getByRole("button", { name: "Restore" }).click();
    await added.getByRole("button", { name: "Delete the file" }).click();
    await added.waitFor({ state: "detached" });
    expect(daemon.read("a.ts")).toBe("const one = 11;\nconst two = 2;\n");
    await page.getByRole("button", { name: "Send 1 comment" }).click();
    await page.getByRole("region", { name: "Transcript" }).getByText("I read your comments.").waitFor();
    expect(session.events.flatMap((event) => (event.type === "prompt.received" ? event.text : [])).at(-1)).toBe(
      "My comments on your changes:\n\na.ts:1\n> const one = 11;\nWhy eleven?",
    );
    expect(opened.browser.errors).toEqual([]);
  },
);

test(
  "one hunk can be restored with the keyboard and brought back, and is not offered after a change by another program",
  here,
  async () => {
    await using opened = await Opened.start({ config: { permissions: { edit: "allow" } } });
    const { daemon } = opened;
    const before = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join("");
    daemon.write("a.txt", before);
    const edits = [
      call("edit_file", { path: "a.txt", old_text: "line 2\n", new_text: "two\n" }),
      call("edit_file", { path: "a.txt", old_text: "line 20\nline 21\n", new_text: "" }),
    ];
    const session = await daemon.session({ model: script(daemon, [{ calls: edits }, { text: "Done." }]) });
    await session.runTurn("go");
    const page = await opened.page(`/review/${session.id}`);
    const file = page.getByRole("region", { name: "a.txt" });
    await file.getByRole("button", { name: "Restore after line 19" }).waitFor();
    const link = file.getByRole("link", { name: "Open in the editor" });
    expect(await link.getAttribute("href")).toBe(`vscode://file${daemon.workspace}/a.txt:1`);
    await page.evaluate(() => void (location.hash = "#/settings/general"));
    await page.getByRole("combobox", { name: "Editor for files" }).selectOption("cursor");
    await page.goBack();
    expect(await link.getAttribute("href")).toBe(`cursor://file${daemon.workspace}/a.txt:1`);
    await file.getByRole("button", { name: "Restore line 2", exact: true }).focus();
    await page.keyboard.press("Enter");
    await file.getByText("two").first().waitFor({ state: "detached" });
    expect(daemon.read("a.txt")).toBe(before.replace("line 20\nline 21\n", ""));
    await page.getByRole("button", { name: "Undo the restore" }).click();
    await file.getByText("two").first().waitFor();
    expect(daemon.read("a.txt")).toBe(before.replace("line 20\nline 21\n", "").replace("line 2\n", "two\n"));
    await page.getByRole("button", { name: "Undo the restore" }).waitFor({ state: "detached" });

    await file.getByRole("button", { name: "Comment on line 2", exact: true }).first().focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Why a word?");
    await page.keyboard.press("Enter");
    await file.getByRole("button", { name: "Why a word?" }).waitFor();

    daemon.write("a.txt", "mine\n");
    await page.reload();
    await file.getByText("Somebody else has changed this file since then.").waitFor();
    expect(await file.getByRole("button", { name: "Restore line 2", exact: true }).isDisabled()).toBe(true);
    expect(daemon.read("a.txt")).toBe("mine\n");
    expect(opened.browser.errors).toEqual([]);
  },
);

test("ten thousand changed lines open and scroll without blocking the page", here, async () => {
  await using opened = await Opened.start({ config: { permissions: { edit: "allow" } } });
  const content = Array.from({ length: 10_000 }, (_, i) => `export const value${i} = "${i}";`).join("\n");
  const session = await opened.daemon.session({
    model: script(opened.daemon, [{ calls: [call("write_file", { path: "big.ts", content })] }, { text: "Written." }]),
  });
  await session.runTurn("go");
  const page = await opened.page(`/review/${session.id}`);
  await page.getByText('export const value0 = "0";').waitFor();
  expect(await page.locator(".diff li").count()).toBeLessThan(500);
  const region = page.getByRole("region", { name: "Changes" });
  const tasks = await tasksWhile(page, async () => {
    for (let i = 1; i <= 40; i++) {
      await region.evaluate((box, to) => box.scrollTo(0, to), i * 2_000);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    await region.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await page.getByText('export const value9999 = "9999";').waitFor();
  });
  console.info(`10,000 changed lines: longest tasks ${tasks.slice(0, 5).join(", ")} ms`);
  expect(tasks[0]).toBeLessThan(500);
});

test("an accessibility checker finds nothing in a review, wide and narrow", here, async () => {
  await using opened = await Opened.start({ config: { permissions: { edit: "allow" } } });
  opened.daemon.write("a.ts", 'const one = "1"; // the first\nconst two = 2;\n');
  const edit = call("edit_file", { path: "a.ts", old_text: '"1"; // the first', new_text: '"11"; // the other' });
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ calls: [edit] }, { text: "Done." }]) });
  await session.runTurn("go");
  for (const { width, looks } of [
    { width: 1440, looks: LOOKS },
    { width: 1024, looks: LOOKS.slice(0, 1) },
    { width: 360, looks: LOOKS.slice(0, 2) },
  ]) {
    const page = await opened.page(`/review/${session.id}`, { width, height: 800 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(axe.source);
    await page.locator(".diff .c-string").first().waitFor();
    expect(await violationsIn(looks, page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});
