import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openSettledHome, type Home } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");
const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;

/** The names of the attachments in the newest session. */
async function sentImages(home: Home): Promise<(string | undefined)[]> {
  const [newest] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  const events = (await home.run(["export", newest?.id ?? ""])).out.trim().split("\n");
  return events.flatMap((line) => ((JSON.parse(line) as { images?: { name?: string }[] }).images ?? []).map(({ name }) => name));
}

test("the path of an image that the user drags into the terminal becomes an attachment", async () => {
  await using home = await openSettledHome();
  const file = path.join(home.workspace, "a shot.png");
  writeFileSync(file, PNG);
  const terminal = home.terminal(["--model", home.script({ text: "I see it." })], 120);
  await terminal.until("Say what you want done.");
  terminal.press("look at ");
  terminal.press(pasted(file.replace(" ", "\\ ")));
  await terminal.until(`› look at @"${file}"`);
  terminal.press(KEY.enter);
  await terminal.until("I see it.");
  expect(await sentImages(home)).toContain("a shot.png");
});

test("a key attaches the image in the clipboard", async () => {
  await using home = await openSettledHome();
  const programs = path.join(home.workspace, "..", "bin");
  mkdirSync(programs);
  writeFileSync(path.join(programs, "image.png"), PNG);
  writeFileSync(path.join(programs, "xclip"), `#!/bin/sh\ncat ${programs}/image.png\n`);
  chmodSync(path.join(programs, "xclip"), 0o755);
  const env = { DISPLAY: ":0", PATH: `${programs}:${home.env["PATH"]}` };
  const terminal = home.terminal(["--model", home.script({ text: "I see it." })], 120, env);
  await terminal.until("Say what you want done.");
  terminal.press("\u0016");
  await terminal.until(/› @\S+image-1\.png/);
  terminal.press(`what is it?${KEY.enter}`);
  await terminal.until("I see it.");
  expect(await sentImages(home)).toContain("image-1.png");
});

test("without a clipboard the key shows the next step", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "" })], 120);
  await terminal.until("Say what you want done.");
  terminal.press("\u0016");
  await terminal.until("Baton cannot reach a clipboard here. Drag the file into the terminal instead.");
});
