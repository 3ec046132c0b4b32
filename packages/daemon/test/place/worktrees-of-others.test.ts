import { existsSync, renameSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commitFiles, git } from "../support/git/repository.ts";
import { startInRepository } from "../support/git/repository-daemon.ts";

test("git keeps a worktree of the user whose folder is temporarily away when places are removed", async () => {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const own = path.join(daemon.root, "own");
  git(daemon.workspace, "worktree", "add", "--quiet", "--detach", own);
  const head = commitFiles(own, { "c.txt": "c\n" }, "on no branch");
  renameSync(own, `${own}-unmounted`);
  const place = await create({ name: "fix" });
  await api.place.remove.mutate({ place: "fix" });
  expect(existsSync(place.root)).toBe(false);
  renameSync(`${own}-unmounted`, own);
  expect(git(own, "rev-parse", "HEAD")).toBe(head);
});
