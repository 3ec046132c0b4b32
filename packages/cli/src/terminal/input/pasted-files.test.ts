import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { mentionPastedFiles } from "./pasted-files.ts";

const folder = mkdtempSync(path.join(tmpdir(), "baton-paste-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of ["shot.png", "a shot (2).PNG", "it's.jpg", "paper.pdf", "notes.txt", 'quo"te.png'])
  writeFileSync(path.join(folder, name), "");
mkdirSync(path.join(folder, "folder.png"));

const at = (name: string) => path.join(folder, name);
const escaped = (name: string) => at(name).replace(/[ ()']/g, "\\$&");

test.each([
  ["a path", at("shot.png"), `@${at("shot.png")} `],
  ["a path with a line break", `${at("shot.png")}\n`, `@${at("shot.png")} `],
  ["a path in the folder", "shot.png", "@shot.png "],
  ["a path with backslashes", escaped("a shot (2).PNG"), `@"${at("a shot (2).PNG")}" `],
  ["a path in single quotes", `'${at("a shot (2).PNG")}'`, `@"${at("a shot (2).PNG")}" `],
  ["a path in double quotes", `"${at("it's.jpg")}"`, `@"${at("it's.jpg")}" `],
  ["a bare path with blanks", at("a shot (2).PNG"), `@"${at("a shot (2).PNG")}" `],
  ["a file address", pathToFileURL(at("a shot (2).PNG")).href, `@"${at("a shot (2).PNG")}" `],
  ["several paths", `${at("shot.png")} ${escaped("it's.jpg")}`, `@${at("shot.png")} @"${at("it's.jpg")}" `],
  ["a path in each line", `${at("shot.png")}\n${at("paper.pdf")}`, `@${at("shot.png")} @${at("paper.pdf")} `],
])("%s becomes a mention", (_, pasted, mentioned) => {
  expect(mentionPastedFiles(pasted, folder)).toBe(mentioned);
});

test.each([
  ["a text", "look at shot.png please"],
  ["a file that is no image", at("notes.txt")],
  ["a file that does not exist", at("missing.png")],
  ["a folder", at("folder.png")],
  ["an image among other files", `${at("shot.png")} ${at("notes.txt")}`],
  ["a name that a mention cannot have", at('quo"te.png')],
  ["an address of the web", "https://example.com/shot.png"],
  ["a file of another machine", "file://host/shot.png"],
  ["nothing", "  \n"],
])("%s stays plain text", (_, pasted) => {
  expect(mentionPastedFiles(pasted, folder)).toBeUndefined();
});
