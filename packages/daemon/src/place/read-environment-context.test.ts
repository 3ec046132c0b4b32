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
