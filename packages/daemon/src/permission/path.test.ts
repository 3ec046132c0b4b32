import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { gateAccess, pathGate } from "./path.ts";

test("a file of the workspace is named by its relative path, in every spelling", async () => {
  using folder = new Folder();
  const real = await folder.write("src/a.ts", "");
  const gatePath = pathGate(folder.path);
  for (const named of ["src/a.ts", "./src/a.ts", "src/../src//a.ts", "src/b/../a.ts", real])
    expect(gatePath(named)).toEqual({ real, relative: "src/a.ts", inside: true });
});

test("the workspace itself is named by a dot", () => {
  using folder = new Folder();
  expect(pathGate(folder.path)(".")).toEqual({ real: folder.path, relative: ".", inside: true });
});

test("a file that does not exist yet is below its nearest existing ancestor", () => {
  using folder = new Folder();
  expect(pathGate(folder.path)("new/deep/a.ts")).toEqual({ real: folder.at("new/deep/a.ts"), relative: "new/deep/a.ts", inside: true });
});

test("a path below a file keeps its position, so that opening it can fail", async () => {
  using folder = new Folder();
  await folder.write("a.ts", "");
  expect(pathGate(folder.path)("a.ts/b")).toEqual({ real: folder.at("a.ts/b"), relative: "a.ts/b", inside: true });
});

test("parent folders lead outside", () => {
  using folder = new Folder();
  mkdirSync(folder.at("inner"));
  expect(pathGate(folder.at("inner"))("../other/a.ts")).toEqual({
    real: folder.at("other/a.ts"),
    relative: folder.at("other/a.ts"),
    inside: false,
  });
});

test("in a workspace that no longer exists nothing is found, so nothing is created there", () => {
  using folder = new Folder();
  expect(pathGate(folder.at("gone"))("a.ts")).toEqual({ refused: expect.stringContaining("no longer exists") as string });
});

test("a sibling whose name starts like the workspace is outside", async () => {
  using folder = new Folder();
  const real = await folder.write("work-2/a.ts", "");
  mkdirSync(folder.at("work"));
  expect(pathGate(folder.at("work"))("../work-2/a.ts")).toEqual({ real, relative: real, inside: false });
});

test("a name that starts with two dots is inside", async () => {
  using folder = new Folder();
  const real = await folder.write("..a.ts", "");
  expect(pathGate(folder.path)("..a.ts")).toEqual({ real, relative: "..a.ts", inside: true });
});

test("a link to the outside is outside, and so is a missing file below it", async () => {
  using folder = new Folder();
  using elsewhere = new Folder();
  symlinkSync(elsewhere.path, folder.at("link"));
  const real = elsewhere.at("new/a.ts");
  expect(pathGate(folder.path)("link/new/a.ts")).toEqual({ real, relative: real, inside: false, written: ["link/new/a.ts"] });
});

test("a dangling link counts as its target", () => {
  using folder = new Folder();
  using elsewhere = new Folder();
  symlinkSync(elsewhere.at("not-there.ts"), folder.at("absolute"));
  symlinkSync("absolute", folder.at("relative"));
  symlinkSync("not-there-either/x", folder.at("inner"));
  const gatePath = pathGate(folder.path);
  const outside = { real: elsewhere.at("not-there.ts"), relative: elsewhere.at("not-there.ts"), inside: false };
  expect(gatePath("absolute")).toEqual({ ...outside, written: ["absolute"] });
  expect(gatePath("relative")).toEqual({ ...outside, written: ["relative", "absolute"] });
  expect(gatePath("inner/y")).toEqual({
    real: folder.at("not-there-either/x/y"),
    relative: "not-there-either/x/y",
    inside: true,
    written: ["inner/y"],
  });
});

test("a path through several links has the names on the way", async () => {
  using folder = new Folder();
  const real = await folder.write("real/a.ts", "");
  symlinkSync("real", folder.at("middle"));
  symlinkSync("middle", folder.at("first"));
  symlinkSync("first/a.ts", folder.at("file"));
  const written = ["file", "first/a.ts", "middle/a.ts"];
  expect(pathGate(folder.path)("file")).toEqual({ real, relative: "real/a.ts", inside: true, written });
});

test("links in a circle are refused", () => {
  using folder = new Folder();
  symlinkSync("b", folder.at("a"));
  symlinkSync("a", folder.at("b"));
  expect(pathGate(folder.path)("a/c")).toEqual({ refused: "a/c leads through links in a circle." });
});

test("the home folder is outside", () => {
  using folder = new Folder();
  const gatePath = pathGate(folder.path);
  expect(gatePath("~/x-not-there")).toMatchObject({ inside: false });
  expect(gatePath("~")).toMatchObject({ inside: false });
  expect(gatePath("~x")).toEqual({ real: folder.at("~x"), relative: "~x", inside: true });
});

test("invalid paths are refused with a sentence", () => {
  using folder = new Folder();
  const gatePath = pathGate(folder.path);
  expect(gatePath(" ")).toEqual({ refused: "The path is empty. Name a file or a folder; `.` is the workspace." });
  expect(gatePath("a\0b")).toEqual({ refused: "The path holds a NUL character. Leave it out." });
  expect(gatePath("ä".repeat(2049))).toEqual({ refused: "The path is longer than 4096 bytes. Name a shorter one." });
  expect(gatePath("a".repeat(300))).toEqual({ refused: `${"a".repeat(200)}… has a part that is too long for a file name.` });
});

test.each(["nul", "CON.txt", "src/com1", "a.ts:stream", "\\\\server\\share\\a", "PROGRA~1/a"])("on Windows %s is refused", (named) => {
  using folder = new Folder();
  expect(pathGate(folder.path, "win32")(named)).toHaveProperty("refused");
});

test.each(["console.ts", "nullable.ts", "com/a.ts", "a~b"])("on Windows %s is an ordinary name", (named) => {
  using folder = new Folder();
  expect(pathGate(folder.path, "win32")(named)).not.toHaveProperty("refused");
});

test("an access inside the workspace is judged by its relative path", async () => {
  using folder = new Folder();
  await folder.write("src/a.ts", "");
  expect(gateAccess({ action: "edit", resource: folder.at("src/a.ts") }, pathGate(folder.path), [])).toEqual([
    { action: "edit", resource: "src/a.ts" },
  ]);
});

test("outside of the workspace, the folder and the file are judged", async () => {
  using folder = new Folder();
  using elsewhere = new Folder();
  const file = await elsewhere.write("a.ts", "");
  const gatePath = pathGate(folder.path);
  expect(gateAccess({ action: "read", resource: file }, gatePath, [])).toEqual([
    { action: "external_directory", resource: elsewhere.path },
    { action: "read", resource: file },
  ]);
  expect(gateAccess({ action: "read", resource: elsewhere.path }, gatePath, [])).toEqual([
    { action: "external_directory", resource: elsewhere.path },
    { action: "read", resource: elsewhere.path },
  ]);
});

const editing = (folder: Folder, resource: string) => {
  const gated = gateAccess({ action: "edit", resource }, pathGate(folder.path), []);
  return "refused" in gated ? gated : gated.at(-1)?.floor?.effect;
};

test.each([
  ".npmrc",
  "packages/a/.npmrc",
  ".VSCODE/settings.json",
  ".vscode. /x",
  ".vs\u200bcode/x",
  "a.code-workspace",
  ".github/workflows/ci.yml",
  ".gitlab-ci.yml",
  "opencode.json",
  ".git",
  ".git/config",
  "vendor/.git/hooks/pre-commit",
  ".GIT/config",
  "git~1/config",
  ".git./config",
  ".baton/config.jsonc",
])("editing %s asks, whatever the rules say", (named) => {
  using folder = new Folder();
  expect(editing(folder, named)).toBe("ask");
});

test("a link into git's own folder asks", async () => {
  using folder = new Folder();
  await folder.write(".git/config", "");
  symlinkSync(".git/config", folder.at("notes.md"));
  expect(editing(folder, "notes.md")).toBe("ask");
});

test.each([".github/README.md", "workflows/ci.yml", ".gitignore", "src/npmrc.ts", "git/config"])("editing %s has no floor", (named) => {
  using folder = new Folder();
  expect(editing(folder, named)).toBeUndefined();
});

test("reading a protected name has no floor", () => {
  using folder = new Folder();
  expect(gateAccess({ action: "read", resource: ".git/config" }, pathGate(folder.path), [])).toEqual([
    { action: "read", resource: ".git/config" },
  ]);
});

test("folders above the workspace do not protect it", async () => {
  using folder = new Folder();
  await folder.write(".claude/worktrees/a/src/a.ts", "");
  const gated = gateAccess({ action: "edit", resource: "src/a.ts" }, pathGate(folder.at(".claude/worktrees/a")), []);
  expect(gated).toEqual([{ action: "edit", resource: "src/a.ts" }]);
});

test.each(["read", "edit"])("Baton's own folders are closed to %s, even through a link", async (action) => {
  using folder = new Folder();
  using own = new Folder();
  await own.write("token", "secret");
  symlinkSync(own.path, folder.at("link"));
  expect(gateAccess({ action, resource: "link/token" }, pathGate(folder.path), [own.path])).toEqual([
    { action: "external_directory", resource: own.path },
    {
      action,
      resource: own.at("token"),
      also: ["link/token"],
      floor: { action, resource: own.path, effect: "deny", layer: "gate", source: "Baton's own folders" },
    },
  ]);
});

test("key folders of the home folder can neither be read nor edited", () => {
  using folder = new Folder();
  const floors = (action: string) => {
    const gated = gateAccess({ action, resource: "~/.ssh/id_rsa" }, pathGate(folder.path), []);
    return "refused" in gated ? gated : gated.map(({ action: gatedAction, floor }) => [gatedAction, floor?.effect]);
  };
  expect(floors("edit")).toEqual([
    ["external_directory", undefined],
    ["edit", "deny"],
  ]);
  expect(floors("read")).toEqual([
    ["external_directory", undefined],
    ["read", "deny"],
  ]);
});

test("start files of shells cannot be edited", () => {
  using folder = new Folder();
  expect(editing(folder, `${homedir()}/.bashrc`)).toBe("deny");
});
