import { statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { makePrivateFolder as makeOwnFolder } from "../../client/make-private-folder.ts";
import { makeFolder } from "./make-folder.ts";

const both = [
  ["at once", async (folder: string) => makeOwnFolder(folder)],
  ["in its turn", makeFolder],
] as const;

test.each(both)("a folder is created with its parents, even by several calls at once, %s", async (_, make) => {
  using folder = new Folder();
  const deep = path.join(folder.path, "a", "b", "c");
  await Promise.all([make(deep), make(deep), make(path.join(folder.path, "a", "b"))]);
  await make(deep);
  expect(statSync(deep).isDirectory()).toBe(true);
});

test.each(both)("a folder that cannot exist is an error, and not an endless loop, %s", async (_, make) => {
  await expect(make("/proc/nowhere/a")).rejects.toThrow(/mkdir '\/proc/);
  await expect(make("/dev/null/a")).rejects.toThrow("mkdir '/dev/null/a'");
});
