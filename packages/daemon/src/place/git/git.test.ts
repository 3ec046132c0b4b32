import { expect, test } from "vitest";
import { retryWhileWorktreesChange, type GitResult } from "./git.ts";

const failed = (why: string): GitResult => ({ ok: false, why, code: 128, bytes: Buffer.alloc(0) });
const done: GitResult = { ok: true, out: "", bytes: Buffer.alloc(0) };

test.each([
  ["that another program adds", "failed to read .git/worktrees/one/commondir: Success", 2],
  ["that another program removes", "Invalid path '/home/ada/work/.git/worktrees/one1': No such file or directory", 2],
  ["that it may not remove", "'/home/ada/work/one' contains modified or untracked files, use --force to delete it", 1],
])("git runs again only after a failure that passes: a worktree %s", async (_, why, runs) => {
  const results = [failed(why), done];
  let count = 0;
  const result = await retryWhileWorktreesChange(async () => results[count++] ?? done);
  expect([result.ok, count]).toEqual([runs > 1, runs]);
});
