import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { judge } from "@baton/core/permission/judge";
import { stack } from "@baton/core/permission/layer";
import { Folder } from "../../../test/support/folder.ts";
import { gateCommand } from "./gate-command.ts";

const none = stack({ mode: { rules: [], ceilings: [] }, user: [], workspace: [], session: [] });
const LINES = [
  "git grep word",
  "git -C . grep word",
  "git ls-files | xargs head",
  'for f in $(git ls-files); do cat "$f"; done',
  "git grep word -- src",
  "git grep -l word",
  "git ls-files | xargs wc -l",
];

/** Which of the lines ask in a trusted repository that tracks this file. */
async function asking(file: string): Promise<string[]> {
  using folder = new Folder();
  await folder.write(file, "word");
  await folder.write("src/a.ts", "word");
  for (const words of [
    ["init", "-q"],
    ["add", "-f", "."],
  ])
    execFileSync("git", words, { cwd: folder.path });
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() };
  return LINES.filter((line) => judge(none, "run_command", gateCommand(line, context)).effect !== "allow");
}

test.each([".env", "config/.env.production", "keys/id_rsa"])("what git prints of all files asks where it tracks %s", async (file) => {
  expect(await asking(file)).toEqual(LINES.slice(0, 4));
});

test.each([".env.example", "src/environment.ts", "docs/id_rsa.md"])("it does not ask for %s", async (file) => {
  expect(await asking(file)).toEqual([]);
});
