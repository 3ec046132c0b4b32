import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commitFiles, git, makeRepository } from "../support/git/repository.ts";
import { startInRepository } from "../support/git/repository-daemon.ts";

const write = (folder: string, name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};
const read = (folder: string, name: string) => readFileSync(path.join(folder, name), "utf8");

test("a place is a locked worktree with its own branch, at the commit that is checked out", async () => {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const head = git(daemon.workspace, "rev-parse", "HEAD");
  const place = await create({ name: "fix" });
  expect(place).toMatchObject({ name: "fix", status: "ready", branch: "baton/fix", base: "main", baseCommit: head, message: null });
  expect(place.workspace).toBe(place.root);
  expect(read(place.root, "src/b.txt")).toBe("two\n");
  expect(git(place.root, "symbolic-ref", "--short", "HEAD")).toBe("baton/fix");
  expect(git(daemon.workspace, "worktree", "list", "--porcelain")).toContain("locked a place of Baton");
  expect(git(daemon.workspace, "status", "--porcelain")).toBe("");
  expect((await api.place.list.query({})).map(({ name, status }) => [name, status])).toEqual([["fix", "ready"]]);
});

test("a place of a subfolder works in the same subfolder", async () => {
  const { daemon, create } = await startInRepository();
  await using _ = daemon;
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: path.join(daemon.workspace, "src"), trusted: true });
  const place = await create({ cwd: path.join(daemon.workspace, "src") });
  expect(place.workspace).toBe(path.join(place.root, "src"));
});

test("everything in a place comes back after its removal: commits, staged, unstaged, untracked and ignored files, modes and links", async () => {
  const { daemon, api, create } = await startInRepository({
    ".gitignore": "*.secret\nnode_modules\n",
    "a.txt": "one\n",
    "b.txt": "b\n",
    "gone.txt": "x\n",
  });
  await using _ = daemon;
  const place = await create({ name: "all" });
  commitFiles(place.root, { "c.txt": "committed\n" }, "work");
  write(place.root, "a.txt", "staged\n");
  git(place.root, "add", "a.txt");
  write(place.root, "a.txt", "unstaged\n");
  write(place.root, "new/file with blanks.txt", "untracked\n");
  write(place.root, "key.secret", "ignored\n");
  write(place.root, "node_modules/x/index.js", "again\n");
  rmSync(path.join(place.root, "gone.txt"));
  symlinkSync("a.txt", path.join(place.root, "link"));
  writeFileSync(path.join(place.root, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  const status = git(place.root, "status", "--porcelain");
  const head = git(place.root, "rev-parse", "HEAD");

  const removed = await api.place.remove.mutate({ place: "all" });
  expect(removed).toMatchObject({ status: "removed", snapshot: { head, branch: "baton/all", leftOut: ["node_modules/"] } });
  expect(existsSync(place.root)).toBe(false);
  expect(git(daemon.workspace, "worktree", "list").split("\n")).toHaveLength(1);

  expect(await api.place.restore.mutate({ place: "all" })).toMatchObject({ status: "ready" });
  expect(git(place.root, "status", "--porcelain")).toBe(status);
  expect(git(place.root, "rev-parse", "HEAD")).toBe(head);
  expect(git(place.root, "symbolic-ref", "--short", "HEAD")).toBe("baton/all");
  expect(git(place.root, "show", ":a.txt")).toBe("staged");
  expect(read(place.root, "a.txt")).toBe("unstaged\n");
  expect(read(place.root, "new/file with blanks.txt")).toBe("untracked\n");
  expect(read(place.root, "key.secret")).toBe("ignored\n");
  expect(existsSync(path.join(place.root, "gone.txt"))).toBe(false);
  expect(git(place.root, "ls-files", "--others", "--exclude-standard").split("\n")).toEqual(["link", "new/file with blanks.txt", "run.sh"]);
});

test("the base stays the commit at the creation, so committed work counts as work", async () => {
  const { daemon, create } = await startInRepository();
  await using _ = daemon;
  const place = await create({ name: "base" });
  commitFiles(place.root, { "c.txt": "c\n" }, "work");
  commitFiles(daemon.workspace, { "d.txt": "d\n" }, "on main");
  await daemon.kill();
  await daemon.start();
  const again = daemon.connect().api;
  expect(await again.place.facts.query({ place: "base" })).toMatchObject({ ahead: 1, changed: 0, unpushed: null, moved: false });
  const [listed] = await again.place.list.query({});
  expect(listed?.baseCommit).toBe(place.baseCommit);
  const changes = await again.place.changes.query({ place: "base" });
  expect(changes.map(({ path: file, change }) => [file, change])).toEqual([["c.txt", "create"]]);
});

test("a removal is refused while a session asks, an editor or a program uses the place", async () => {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const place = await create({ name: "busy" });
  const { spawn } = await import("node:child_process");
  const program = spawn("sleep", ["30"], { cwd: place.root });
  await expect(api.place.remove.mutate({ place: "busy" })).rejects.toThrow(/in use: sleep \(process \d+\) works in it/);
  program.kill();
  await new Promise((resolve) => program.once("close", resolve));
  expect(await api.place.remove.mutate({ place: "busy" })).toMatchObject({ status: "removed" });
});

test("a place whose folder was deleted by hand keeps its commits, and a moved place is reported", async () => {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const deleted = await create({ name: "deleted" });
  const head = commitFiles(deleted.root, { "c.txt": "c\n" }, "work");
  git(deleted.root, "checkout", "--quiet", "--detach");
  const detached = commitFiles(deleted.root, { "e.txt": "e\n" }, "on no branch");
  rmSync(deleted.root, { recursive: true });
  expect(await api.place.facts.query({ place: "deleted" })).toMatchObject({ moved: true });
  const removed = await api.place.remove.mutate({ place: "deleted" });
  expect(removed).toMatchObject({ status: "removed", snapshot: { head: detached } });
  expect(git(daemon.workspace, "rev-parse", "baton/deleted")).toBe(head);
  await api.place.restore.mutate({ place: "deleted" });
  expect(read(deleted.root, "e.txt")).toBe("e\n");

  const moved = await create({ name: "moved" });
  renameSync(moved.root, `${moved.root}-elsewhere`);
  expect(await api.place.facts.query({ place: "moved" })).toMatchObject({ moved: true });
});

test("refusals name the problem: no repository, no commit, a branch elsewhere, a bad base, a bad name, an untrusted folder", async () => {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const plain = path.join(daemon.root, "plain");
  const empty = path.join(daemon.root, "empty");
  for (const folder of [plain, empty]) {
    mkdirSync(folder);
    await api.workspace.trust.mutate({ cwd: folder, trusted: true });
  }
  git(empty, "init", "--quiet");
  await expect(create({ cwd: plain })).rejects.toThrow(/is not in a git repository/);
  await expect(create({ cwd: empty })).rejects.toThrow(/has no commit/);
  await expect(create({ branch: "main" })).rejects.toThrow(/is checked out in .*work/);
  await expect(create({ branch: "none" })).rejects.toThrow(/no local branch "none"/);
  await expect(create({ base: "none" })).rejects.toThrow(/no branch, tag or commit "none"/);
  await expect(create({ base: "--help" })).rejects.toThrow(/is not a branch/);
  await expect(create({ base: "#12" })).rejects.toThrow(/pull request #12 could not be fetched/);
  for (const name of ["../up", "a/b", "-x", "x.lock", "a..b", " "]) await expect(create({ name })).rejects.toThrow(/cannot be the name/);
  const strange = path.join(daemon.root, "strange");
  makeRepository(strange);
  await expect(create({ cwd: strange })).rejects.toThrow(/is not trusted/);
  await create({ name: "twice" });
  await expect(create({ name: "twice" })).rejects.toThrow(/has a place "twice" already/);
  expect((await api.place.list.query({})).map(({ name }) => name)).toEqual(["twice"]);
  expect(git(daemon.workspace, "branch", "--list", "baton/*")).toContain("baton/twice");
});

test("ignored files of .worktreeinclude and the folder of hooks are copied, and nothing else", async () => {
  const { daemon, create } = await startInRepository({
    ".gitignore": ".env*\nbuild\n.husky/_\n",
    ".worktreeinclude": ".env*\nloose.txt\n",
    "a.txt": "one\n",
  });
  await using _ = daemon;
  write(daemon.workspace, ".env.local", "KEY=1\n");
  write(daemon.workspace, "sub/.env", "KEY=2\n");
  write(daemon.workspace, "build/out.js", "built\n");
  write(daemon.workspace, "loose.txt", "work in progress\n");
  write(daemon.workspace, ".husky/_/pre-commit", "#!/bin/sh\n");
  git(daemon.workspace, "config", "core.hooksPath", ".husky/_");
  const place = await create({});
  expect(read(place.root, ".env.local")).toBe("KEY=1\n");
  expect(read(place.root, "sub/.env")).toBe("KEY=2\n");
  expect(existsSync(path.join(place.root, ".husky/_/pre-commit"))).toBe(true);
  expect(existsSync(path.join(place.root, "build"))).toBe(false);
  expect(existsSync(path.join(place.root, "loose.txt"))).toBe(false);
  expect(place.message).toBe("3 ignored files were copied (.worktreeinclude)");
});

test("a submodule is checked out without network, and its work is saved before the removal", async () => {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const library = path.join(daemon.root, "library");
  makeRepository(library, { "lib.txt": "lib\n" });
  git(daemon.workspace, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
  git(daemon.workspace, "commit", "--quiet", "--message", "library");
  rmSync(library, { recursive: true });
  const place = await create({ name: "sub" });
  expect(place.message).toBeNull();
  expect(read(place.root, "lib/lib.txt")).toBe("lib\n");
  commitFiles(path.join(place.root, "lib"), { "lib.txt": "changed\n" }, "in the submodule");
  write(place.root, "lib/loose.txt", "untracked\n");
  await api.place.remove.mutate({ place: "sub" });
  await api.place.restore.mutate({ place: "sub" });
  expect(read(place.root, "lib/lib.txt")).toBe("changed\n");
  expect(read(place.root, "lib/loose.txt")).toBe("untracked\n");
});

test("a repository inside a place, and an unfinished merge, stop the removal, because no snapshot can hold them", async () => {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const nested = await create({ name: "nested" });
  makeRepository(path.join(nested.root, "inner"), { "x.txt": "x\n" });
  await expect(api.place.remove.mutate({ place: "nested" })).rejects.toThrow(/inner is a git repository of its own/);
  expect(existsSync(path.join(nested.root, "inner/x.txt"))).toBe(true);

  const merging = await create({ name: "merging" });
  commitFiles(daemon.workspace, { "a.txt": "main\n" }, "on main");
  commitFiles(merging.root, { "a.txt": "place\n" }, "in the place");
  expect(() => git(merging.root, "merge", "main")).toThrow(/merge main/);
  await expect(api.place.remove.mutate({ place: "merging" })).rejects.toThrow(/unfinished operation there \(MERGE_HEAD\)/);
  expect(existsSync(merging.root)).toBe(true);
});

test("changes are merged into the source if both sides changed a file, and can be undone byte for byte", async () => {
  const lines = (...of: string[]) => `${of.join("\n")}\n`;
  const { daemon, api, create } = await startInRepository({
    "clean.txt": "1\n",
    "merge.txt": lines("1", "2", "3", "4", "5", "6", "7"),
    "conflict.txt": "1\n",
    "gone.txt": "x\n",
    "kept.txt": "k\n",
  });
  await using _ = daemon;
  const place = await create({ name: "apply" });
  write(place.root, "clean.txt", "2\n");
  write(place.root, "merge.txt", lines("1", "2", "3", "4", "5", "6", "seven"));
  write(place.root, "conflict.txt", "place\n");
  rmSync(path.join(place.root, "gone.txt"));
  commitFiles(place.root, { "new.txt": "new\n" }, "work");
  writeFileSync(path.join(place.root, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  write(daemon.workspace, "merge.txt", lines("one", "2", "3", "4", "5", "6", "7"));
  write(daemon.workspace, "conflict.txt", "here\n");

  const planned = await api.place.applyPlan.query({ place: "apply" });
  const actions = Object.fromEntries(planned.files.map((file) => [file.path, file.action]));
  expect(actions).toEqual({
    "clean.txt": "write",
    "merge.txt": "merge",
    "conflict.txt": "conflict",
    "gone.txt": "write",
    "new.txt": "write",
    "run.sh": "write",
  });
  await expect(api.place.applyChanges.mutate({ place: "apply" })).rejects.toThrow(/both sides changed conflict\.txt/);
  expect(read(daemon.workspace, "clean.txt")).toBe("1\n");

  const marked = await api.place.applyChanges.mutate({ place: "apply", conflicts: "mark" });
  expect(marked.applied).toHaveLength(6);
  expect(read(daemon.workspace, "clean.txt")).toBe("2\n");
  expect(read(daemon.workspace, "merge.txt")).toBe(lines("one", "2", "3", "4", "5", "6", "seven"));
  expect(read(daemon.workspace, "conflict.txt")).toBe("<<<<<<< here\nhere\n=======\nplace\n>>>>>>> place\n");
  expect(existsSync(path.join(daemon.workspace, "gone.txt"))).toBe(false);
  expect(read(daemon.workspace, "new.txt")).toBe("new\n");
  write(daemon.workspace, "new.txt", "edited meanwhile\n");

  const reverted = await api.place.revertChanges.mutate({ place: "apply" });
  expect(reverted.left).toEqual([{ path: "new.txt", why: "somebody has changed it meanwhile" }]);
  expect(read(daemon.workspace, "clean.txt")).toBe("1\n");
  expect(read(daemon.workspace, "conflict.txt")).toBe("here\n");
  expect(read(daemon.workspace, "gone.txt")).toBe("x\n");
  expect(read(daemon.workspace, "new.txt")).toBe("edited meanwhile\n");
  expect(existsSync(path.join(daemon.workspace, "run.sh"))).toBe(false);
});

test("the setup of the repository runs after the user approved its hash, again in every new place, and not after a change of the setup", async () => {
  const setup = {
    setup: ["echo $BATON_PLACE_NAME > prepared.txt", 'test "$BATON_SOURCE" = "$CODEX_SOURCE_TREE_PATH"'],
    teardown: "cp prepared.txt $BATON_SOURCE/torn.txt",
  };
  const { daemon, api, create } = await startInRepository({ "a.txt": "one\n", ".baton/place.jsonc": `// setup\n${JSON.stringify(setup)}` });
  await using _ = daemon;
  const first = await create({ name: "first" });
  expect([first.prepared, existsSync(path.join(first.root, "prepared.txt"))]).toEqual([null, false]);
  const found = await api.place.setup.query({ place: "first" });
  if (!found || "problem" in found) throw new Error("no setup");
  expect(found).toMatchObject({ file: ".baton/place.jsonc", setup: setup.setup, approved: false });
  await expect(api.place.prepare.mutate({ place: "first", hash: found.hash })).rejects.toThrow(/not approved/);
  await expect(api.place.prepare.mutate({ place: "first", hash: "other", approve: true })).rejects.toThrow(
    /has changed since it was shown/,
  );
  const prepared = await api.place.prepare.mutate({ place: "first", hash: found.hash, approve: true });
  expect(prepared).toMatchObject({ status: "ready", prepared: { outcome: "succeeded" } });
  expect(read(first.root, "prepared.txt")).toBe("first\n");

  await daemon.kill();
  await daemon.start();
  const again = daemon.connect().api;
  const second = await again.place.create.mutate({ cwd: daemon.workspace, name: "second" });
  expect(read(second.root, "prepared.txt")).toBe("second\n");
  await again.place.remove.mutate({ place: "second" });
  expect(read(daemon.workspace, "torn.txt")).toBe("second\n");

  write(daemon.workspace, ".baton/place.jsonc", '{ "setup": "echo changed > prepared.txt" }');
  const third = await again.place.create.mutate({ cwd: daemon.workspace, name: "third" });
  expect(third.prepared).toBeNull();
});

test("a setup that fails, asks or leaves a process behind ends with its reason and its output", async () => {
  const { daemon, api, create } = await startInRepository({ "a.txt": "one\n" });
  await using _ = daemon;
  await create({ name: "p" });
  const prepare = async (...commands: string[]) => {
    write(daemon.workspace, ".baton/place.jsonc", JSON.stringify({ setup: commands }));
    const found = await api.place.setup.query({ place: "p" });
    if (!found || "problem" in found) throw new Error("no setup");
    return api.place.prepare.mutate({ place: "p", hash: found.hash, approve: true });
  };
  expect(await prepare("echo one", "exit 3", "echo never")).toMatchObject({
    message: "The setup in .baton/place.jsonc failed: `exit 3` ended with 3",
    prepared: { outcome: "failed", output: "$ echo one\none\n$ exit 3\n" },
  });
  expect(await prepare("read answer && echo $answer")).toMatchObject({ status: "ready", prepared: { outcome: "failed" } });
  expect(await prepare("sleep 60 & echo started")).toMatchObject({ prepared: { outcome: "succeeded" } });
  write(daemon.workspace, ".baton/place.jsonc", '{ "setup": 3 }');
  expect(await api.place.setup.query({ place: "p" })).toEqual({ problem: ".baton/place.jsonc cannot be read: setup: Invalid input" });
});

test("a rule of the user denies a setup that was approved", async () => {
  const { daemon, api, create } = await startInRepository({ "a.txt": "one\n", ".baton/place.jsonc": '{ "setup": "curl example.org" }' });
  await using _ = daemon;
  writeFileSync(path.join(daemon.home, "config.jsonc"), JSON.stringify({ permissions: { command: { "curl *": "deny" } } }));
  await create({ name: "p" });
  const found = await api.place.setup.query({ place: "p" });
  if (!found || "problem" in found) throw new Error("no setup");
  await expect(api.place.prepare.mutate({ place: "p", hash: found.hash, approve: true })).rejects.toThrow(/was not run: .*curl/);
});
