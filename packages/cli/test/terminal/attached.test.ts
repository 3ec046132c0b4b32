import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openSettledHome, type Home } from "../support/home.ts";

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** The attachments of the prompts in the newest session. */
async function attachedIn(home: Home): Promise<unknown[]> {
  const [newest] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  const events = (await home.run(["export", newest?.id ?? ""])).out.trim().split("\n");
  return events.flatMap((line) => (JSON.parse(line) as { images?: unknown[] }).images ?? []);
}

test("images and PDFs that a prompt names with @ are attached, on the command line and in the terminal", async () => {
  await using home = await openSettledHome();
  const model = home.script({ text: "I see." });
  writeFileSync(path.join(home.workspace, "a shot.png"), png);
  writeFileSync(path.join(home.workspace, "plan.pdf"), "%PDF-1.7 a plan");
  const ran = await home.run(["run", 'What is @"a shot.png", and what does @plan.pdf say? See @plan.pdf, @none.png.', "--model", model]);
  expect(ran).toMatchObject({ code: 0, out: "I see.\n" });
  expect(await attachedIn(home)).toMatchObject([
    { mediaType: "image/png", name: "a shot.png" },
    { mediaType: "application/pdf", name: "plan.pdf" },
  ]);

  const terminal = home.terminal(["--model", model]);
  await terminal.prompt("Read @plan.pdf");
  await terminal.until("with 1 PDF");
  await terminal.until("I see.");
  expect(await attachedIn(home)).toMatchObject([{ name: "plan.pdf" }]);
});

test("a file whose content does not match its name is reported before the session starts, and piped input names no files", async () => {
  await using home = await openSettledHome();
  const model = home.script({ text: "I see." });
  writeFileSync(path.join(home.workspace, "fake.png"), "no picture");
  expect(await home.run(["run", "Look at @fake.png", "--model", model])).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("fake.png is not a PNG, JPEG, WebP, GIF or PDF file.") as unknown,
  });
  expect((await home.run(["run", "-", "--model", model], "Look at @fake.png")).code).toBe(0);
});
