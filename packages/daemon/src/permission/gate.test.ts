import { symlinkSync, unlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { gate, judgedOnly } from "./gate.ts";
import { pathGate } from "./path.ts";

test("each action goes through its own gate, others stay as they are", () => {
  using folder = new Folder();
  const context = { workspace: folder.path, ownRoots: [], trusted: false };
  expect(gate({ action: "read", resource: folder.at("a.ts") }, context)).toEqual([{ action: "read", resource: "a.ts" }]);
  expect(gate({ action: "command", resource: "ls" }, context)).toEqual([{ action: "command", resource: "ls", reads: true }]);
  expect(gate({ action: "session", resource: "update_todo_list" }, context)).toEqual([{ action: "session", resource: "update_todo_list" }]);
  expect(gate({ action: "read", resource: "a\0" }, context)).toHaveProperty("refused");
});

test("a link that leads elsewhere since the verdict is refused", async () => {
  using folder = new Folder();
  const real = await folder.write("a.ts", "");
  await folder.write(".env", "");
  symlinkSync("a.ts", folder.at("link"));
  const resolve = judgedOnly(pathGate(folder.path), [{ action: "edit", resource: "a.ts" }]);
  expect(resolve("link", "edit")).toEqual({ real, relative: "a.ts", inside: true });
  expect(resolve("link", "read")).toEqual({ real, relative: "a.ts", inside: true });
  unlinkSync(folder.at("link"));
  symlinkSync(".env", folder.at("link"));
  expect(resolve("link", "edit")).toEqual({ refused: "link now leads to .env, which was not judged. Call the tool again." });
});

test("who may read may not edit", () => {
  using folder = new Folder();
  const resolve = judgedOnly(pathGate(folder.path), [{ action: "read", resource: "a.ts" }]);
  expect(resolve("a.ts", "read")).not.toHaveProperty("refused");
  expect(resolve("a.ts", "edit")).toHaveProperty("refused");
});
