import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readSetup } from "./read-setup.ts";

async function setupOf(files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-setup-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const found = await readSetup(folder);
    return found && ("problem" in found ? found.problem : [found.file, found.setup, found.teardown]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the setup files of other tools are read as their documentation says", async () => {
  const codex = 'version = 1\nname = "app"\n[setup]\nscript = """\nnpm ci\n"""\n[cleanup]\nscript = "docker compose down"\n';
  expect(await setupOf({ ".codex/environments/environment.toml": codex })).toEqual([
    ".codex/environments/environment.toml",
    ["npm ci\n"],
    ["docker compose down"],
  ]);
  expect(await setupOf({ ".codex/environments/app.toml": codex })).toEqual([
    ".codex/environments/app.toml",
    ["npm ci\n"],
    ["docker compose down"],
  ]);
  expect(await setupOf({ ".kilo/setup-script": "#!/bin/bash\ncp $REPO_PATH/.env .\n" })).toEqual([
    ".kilo/setup-script",
    ["#!/bin/bash\ncp $REPO_PATH/.env .\n"],
    [],
  ]);
  const cursor = { "setup-worktree": ["npm ci", "cp $ROOT_WORKTREE_PATH/.env .env"], "setup-worktree-windows": ["npm.cmd ci"] };
  expect(await setupOf({ ".cursor/worktrees.json": JSON.stringify(cursor) })).toEqual([
    ".cursor/worktrees.json",
    cursor["setup-worktree"],
    [],
  ]);
  const t3 = {
    scripts: [
      { name: "dev", command: "npm run dev" },
      { name: "install", command: "pnpm i", runOnWorktreeCreate: true },
    ],
  };
  expect(await setupOf({ "t3.json": JSON.stringify(t3) })).toEqual(["t3.json", ["pnpm i"], []]);
});

test("Baton's own file comes first, an empty file is skipped, and an invalid one is reported", async () => {
  const own = { ".baton/place.jsonc": '{ "setup": "make", /* later */ "teardown": ["make clean"], }', "t3.json": "{}" };
  expect(await setupOf(own)).toEqual([".baton/place.jsonc", ["make"], ["make clean"]]);
  expect(await setupOf({ ".kilo/setup-script": " \n", ".cursor/worktrees.json": '{ "setup-worktree": ["x"] }' })).toEqual([
    ".cursor/worktrees.json",
    ["x"],
    [],
  ]);
  expect(await setupOf({})).toBeUndefined();
  expect(await setupOf({ ".baton/place.jsonc": '{ "setup": "x", "stup": 1 }' })).toMatch(/^\.baton\/place\.jsonc cannot be read: .*stup/);
  expect(await setupOf({ ".codex/environments/environment.toml": "[setup" })).toMatch(
    /^\.codex\/environments\/environment\.toml cannot be read/,
  );
});
