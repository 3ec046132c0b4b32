import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { openGit } from "./git/git.ts";
import { readEnvironmentContext } from "./read-environment-context.ts";

const now = new Date(2026, 0, 5, 12).getTime();
const read = (folder: Folder, trusted = true) => readEnvironmentContext(folder.path, { env: process.env, now, trusted });

test("the branch and changes of a trusted folder are known", async () => {
  using folder = new Folder();
  expect(await read(folder)).toEqual({ date: "2026-01-05" });
  const git = openGit(folder.path, process.env);
  await git(["init", "-q", "-b", "trunk"]);
  expect(await read(folder)).toEqual({ date: "2026-01-05", git: { branch: "trunk", changed: false } });
  await folder.write("a.txt", "a\n");
  expect(await read(folder)).toEqual({ date: "2026-01-05", git: { branch: "trunk", changed: true } });
  await git(["add", "."]);
  await git(["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "One"]);
  await git(["checkout", "-q", "--detach"]);
  expect(await read(folder)).toEqual({ date: "2026-01-05", git: { branch: null, changed: false } });
  expect(await read(folder, false)).toEqual({ date: "2026-01-05" });
});

test("a program in the settings of a repository that the folder keeps does not run", async () => {
  using folder = new Folder();
  const author = ["-c", "user.name=a", "-c", "user.email=a@b"];
  await folder.write("kept/a.txt", "one\n");
  await folder.write("kept/.gitattributes", "* filter=x\n");
  for (const place of ["kept", "."]) {
    const git = openGit(folder.at(place), process.env);
    for (const args of [
      ["init", "-q"],
      ["add", "."],
      [...author, "commit", "-qm", "One"],
    ])
      await git(args);
  }
  await openGit(folder.at("kept"), process.env)(["config", "filter.x.clean", `touch '${folder.at("ran")}'; cat`]);
  await folder.write("kept/a.txt", "two\n");
  expect((await read(folder)).git).toBeDefined();
  expect(existsSync(folder.at("ran"))).toBe(false);
});
