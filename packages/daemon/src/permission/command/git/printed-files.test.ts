import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { judge } from "@baton/core/permission/judge";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { stackLayers } from "@baton/core/permission/rule-layers";
import { Folder } from "../../../../test/support/folder.ts";
import { gateCommand } from "../gate-command.ts";

const none = stackLayers({ mode: { rules: [], ceilings: [] }, user: [], workspace: [], session: [] });
const LINES = [
  "git grep word",
  "git -C . grep word",
  "git ls-files | xargs head",
  'for f in $(git ls-files); do cat "$f"; done',
  "git grep word -- .",
  "git grep word -- :/",
  "git grep -e word -e -l",
  "git diff HEAD",
  "git log -p",
  "git show abcdef1 -- src",
  "git cat-file -p abcdef1",
  "git grep word -- src",
  "git log --stat",
  "git diff HEAD -- src '*.ts'",
  "git show HEAD:src/a.ts",
  "git grep -l word",
  "git ls-files | xargs wc -l",
];

/** Makes a repository of the folder, and runs a call of git in it. */
function git(folder: Folder, words: string[]): void {
  for (const call of [["init", "-q"], words]) execFileSync("git", call, { cwd: folder.path });
}

const effectOf = (line: string, { path: workspace }: Folder, rules = none): Effect =>
  judge(rules, "run_command", gateCommand(line, { workspace, ownRoots: [], trusted: true, home: homedir() })).effect;

/** Returns the lines for which Baton asks in a trusted repository that tracks this file. */
async function asking(file: string, ...version: string[]): Promise<string[]> {
  using folder = new Folder();
  await folder.write(file, "word");
  await folder.write("src/a.ts", "word");
  for (const words of [
    ["init", "-q"],
    ["add", "-f", "."],
    ...(version.length > 0 ? [["update-index", "--index-version", ...version]] : []),
  ])
    execFileSync("git", words, { cwd: folder.path });
  return LINES.filter((line) => effectOf(line, folder) !== "allow");
}

test.each([".env", "config/.env.production", "keys/id_rsa"])(
  "a git command that prints all files asks if the repository tracks %s",
  async (file) => {
    expect(await asking(file)).toEqual(LINES.slice(0, 11));
  },
);

test.each([".env.example", "src/environment.ts", "docs/id_rsa.md"])("Baton does not ask for %s", async (file) => {
  expect(await asking(file)).toEqual([]);
});

test("the gate also reads a list of files that shortens their names", async () => {
  expect(await asking("src/a.env", "4")).toEqual(LINES.slice(0, 11).concat("git grep word -- src", "git diff HEAD -- src '*.ts'"));
  expect(await asking("src/b.ts", "4")).toEqual([]);
});

test("a worktree counts as a repository, and untracked files are included in a search that covers them", async () => {
  using folder = new Folder();
  await folder.write("main/.env", "word");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: `${folder.path}/main` });
  git("init", "-q");
  git("add", "-f", ".");
  git("commit", "-qm", "x");
  git("worktree", "add", "-q", "../second");
  const effect = (line: string) => {
    const context = { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() };
    return judge(none, "run_command", gateCommand(line, context)).effect;
  };
  expect(effect("cd second && git grep word")).toBe("ask");
  expect(effect("git -C second grep word")).toBe("ask");
  git("rm", "-q", "--cached", ".env");
  expect(effect("git -C main grep word")).toBe("allow");
  expect(effect("git -C main grep --untracked word")).toBe("ask");
});

test("a list of names asks if it may contain a file of keys that git ignores, or the file itself", async () => {
  using folder = new Folder();
  for (const name of [".env", ".env.staging", "src/a.ts"]) await folder.write(name, "word");
  await folder.write(".gitignore", ".env*\nkeys\n");
  git(folder, ["add", "."]);
  const asks = (line: string) => effectOf(line, folder) !== "allow";
  const ordinary = ["git ls-files | xargs cat", "rg --files | xargs head -1", "find . -name '*.ts' -exec cat {} +", "git grep word"];
  expect(ordinary.filter(asks)).toEqual([]);
  await folder.write("keys/a.p12", "word");
  const listing = [
    "cat $(find .env)",
    "find .env | xargs cat",
    "find src .env -type f -exec cat {} +",
    "find . -name '.env.staging' -exec cat {} +",
  ];
  const certificates = [
    "find . -name '*.p12' -exec base64 {} +",
    "ls keys/*.p12 | xargs cat",
    "grep -ra x keys --include='*.p12'",
    "cat keys/a.p12",
  ];
  const lines = [...listing, ...certificates, "for f in $(find . -name '*.staging'); do cat $f; done"];
  expect(lines.filter((line) => !asks(line))).toEqual([]);
});

test("settings that git tracks and that hold a token count as files of keys", async () => {
  using folder = new Folder();
  await folder.write("src/.npmrc", "//registry.example.com/:_authToken=npm_abc");
  await folder.write("src/a.ts", "word");
  git(folder, ["add", "."]);
  const asks = (line: string) => effectOf(line, folder) !== "allow";
  const lines = ["git grep x -- src", "git log -p -- src", "git diff HEAD -- src", "git ls-files | xargs cat"];
  expect(lines.filter((line) => !asks(line))).toEqual([]);
  expect(asks("git log --stat")).toBe(false);
});

/** Lines that print the settings of the repository or of npm. */
const PRINTING = [
  "git remote -v",
  "git remote get-url origin",
  "git config --list",
  "git config --get-regexp remote",
  "git config remote.origin.url",
  "cat .git/config",
  "grep -rn url .",
  "cat .npmrc",
];

test.each([
  ["https://me:ghp_abcdefgh@example.com/x.git", "_authToken=npm_abc"],
  ["https://ghp_abcdefghijklmnopqrstuvwxyz@example.com/x.git", "//registry.npmjs.org/:_password=abc"],
])("a command that prints settings asks if they hold a token", async (address, setting) => {
  expect(await printing(address, setting)).toEqual(PRINTING);
});

test.each(["https://example.com/x.git", "git@example.com:x.git", "ssh://git@example.com/x.git", "https://me@example.com/x.git"])(
  "Baton does not ask about settings with the address %s",
  async (address) => {
    expect(await printing(address, "_authToken=${NPM_TOKEN}\nsave-exact=true")).toEqual([]);
  },
);

/** Returns the lines for which Baton asks in a repository with this remote and this `.npmrc`. */
async function printing(address: string, setting: string): Promise<string[]> {
  using folder = new Folder();
  await folder.write(".npmrc", setting);
  git(folder, ["remote", "add", "origin", address]);
  return PRINTING.filter((line) => effectOf(line, folder) !== "allow");
}

test("a copy of a folder reads the files of keys that nobody would know under their new path", async () => {
  using folder = new Folder();
  await folder.write(".aws/credentials", "x");
  git(folder, ["remote", "add", "origin", "https://me:ghp_abcdefgh@example.com/x.git"]);
  const user = ["edit", "read"].map((action) => ({ action, resource: "*", effect: "allow" as const, layer: "user" as const, source: "x" }));
  const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
  const lines = ["cp -r .git g2; cat g2/config", "cp -r .git/. g2", "cp -r .aws a; cat a/credentials", "mv .aws a; cat a/credentials"];
  expect(lines.filter((line) => effectOf(line, folder, rules) === "allow")).toEqual([]);
});

test("a list of the files of a commit may have a file that git no longer tracks, and a list of tracked files has no other", async () => {
  using folder = new Folder();
  for (const file of [".env", "private/a.json", "src/a.ts"]) await folder.write(file, "KEY=1");
  git(folder, ["add", "src"]);
  const lists = (command: string) => [
    `${command} | xargs cat`,
    `for f in $(${command}); do head "$f"; done`,
    `${command} | xargs grep KEY`,
  ];
  const denied = stackLayers({ mode: { rules: [], ceilings: [] }, user: [rule("private/**")], workspace: [], session: [] });
  const tracked = ["git ls-files", "git diff --name-only", "git ls-files -- src"].flatMap(lists);
  expect(tracked.filter((line) => effectOf(line, folder, denied) !== "allow")).toEqual([]);
  const other = ["git diff --name-only HEAD", "git diff --cached --name-only", "git diff --name-only main...HEAD"].flatMap(lists);
  expect(other.filter((line) => effectOf(line, folder) === "allow")).toEqual([]);
  const added = ["git add -f private", "make add", "./add.sh", "sh add.sh || true"].map((text) => `${text}; git ls-files | xargs cat`);
  expect([...other, ...added].filter((line) => effectOf(line, folder, denied) === "allow")).toEqual([]);
});

const rule = (resource: string): SourcedRule => ({ action: "read", resource, effect: "deny", layer: "user", source: "test" });
