import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Folder } from "../../../../test/support/folder.ts";
import { randomFrom } from "../../../../test/permission/nesting.ts";
import { attempt, realPath } from "./path-on-disk.ts";
import { physical } from "./physical-path.ts";

test("a path with `..` and links is the one that the system finds", () => {
  using folder = new Folder();
  for (const name of ["a/b/c", "d/e"]) mkdirSync(folder.at(name), { recursive: true });
  const links = { "a/up": "../d", "a/b/far": "../../d/e", "d/loop": "../a", "d/e/dangling": "../nothing", round: "round" };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, folder.at(name));
  const random = randomFrom(1);
  const parts = ["a", "b", "c", "d", "e", "up", "far", "loop", "dangling", "round", "nothing", ".", "..", "..", "..", ".."];
  let found = 0;
  for (let i = 0; i < 40_000; i++) {
    const name = Array.from({ length: 2 + random(9) }, () => parts[random(parts.length)]).join("/");
    const real = attempt(() => realpathSync.native(`${folder.path}/${name}`));
    if (real === undefined) continue;
    found += 1;
    expect([name, realPath(physical(folder.path, name))]).toEqual([name, real]);
  }
  expect(found).toBeGreaterThan(1_000);
});

test("a folder that does not exist hides no link behind it", () => {
  using folder = new Folder();
  mkdirSync(folder.at("target/inner"), { recursive: true });
  symlinkSync("target/inner", folder.at("link-with-a-long-name"));
  expect(physical(folder.path, "no/x/../../link-with-a-long-name/..")).toBe(path.join(realpathSync(folder.path), "target"));
});

test("a link whose target the text may make leads to that target", () => {
  using folder = new Folder();
  symlinkSync("no/deep", folder.at("dangling"));
  symlinkSync("turn", folder.at("turn"));
  expect(physical(folder.path, "dangling/../../file")).toBe(folder.at("file"));
  expect(physical(folder.path, "dangling/x/../../../file")).toBe(folder.at("file"));
  expect(physical(folder.path, "turn/../file")).toBe(folder.at("file"));
});
