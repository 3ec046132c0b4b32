import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import type { TestDaemon } from "../support/daemon.ts";
import { ModelServer, type Reply } from "../support/model-server.ts";
import { commitFiles, git, makeRepository } from "../support/git/repository.ts";
import { openFor, startInRepository } from "../support/git/repository-daemon.ts";
import { script } from "../support/script.ts";
import { TestSession } from "../support/session.ts";

/* Each test replays an incident in which users of another agent lost work, or in which its worktrees did not work. */

/** Tests that take more than a second on a busy machine run only in the nightly run. */
const AT_NIGHT = process.env["BATON_INCIDENTS"];

const call = (tool: string, input: unknown) => ({ tool, input });
const command = (line: string) => call("run_command", { command: line });
const COMMIT = "git -c user.name=Ada -c user.email=ada@example.org commit --quiet";
const ALLOW = { config: { permissions: { edit: "allow", command: "allow" } } };

async function sessionIn(daemon: TestDaemon, workspace: string, model: string, more: object = {}): Promise<TestSession> {
  const { api } = daemon.connect();
  const { id } = await api.session.create.mutate({ workspace, model, ...more });
  return new TestSession(api, id);
}

test("claude-code#35862: work that was committed before the session was resumed counts as work, and is not removed", async () => {
  const { daemon, create } = await startInRepository(undefined, ALLOW);
  await using _ = daemon;
  const place = await create({ name: "fix" });
  const commits = [{ calls: [call("write_file", { path: "made.txt", content: "made\n" }), command(`git add -A && ${COMMIT} -m work`)] }];
  const session = await sessionIn(daemon, place.workspace, script(daemon, [...commits, { text: "Done." }, { text: "Nothing to do." }]));
  await session.runTurn("make a file and commit it");
  const head = git(place.root, "rev-parse", "HEAD");
  expect(head).not.toBe(place.baseCommit);
  await daemon.kill();
  await daemon.start();
  const resumed = daemon.attach(session.id);
  await resumed.runTurn("go on", 2);
  const { api } = resumed;
  expect(await api.place.facts.query({ place: "fix" })).toMatchObject({ ahead: 1, changed: 0 });
  await resumed.wish({ type: "archive", archived: true });
  expect(existsSync(place.root)).toBe(true);
  await api.place.remove.mutate({ place: "fix" });
  expect(git(daemon.workspace, "rev-parse", "baton/fix")).toBe(head);
  await api.place.restore.mutate({ place: "fix" });
  expect(readFileSync(path.join(place.root, "made.txt"), "utf8")).toBe("made\n");
});

test("claude-code#74719: the sweep keeps an old place with untracked files and commits that were never pushed", async () => {
  const { daemon, create } = await startInRepository();
  await using _ = daemon;
  const remote = path.join(daemon.root, "remote.git");
  git(daemon.root, "clone", "--quiet", "--bare", daemon.workspace, remote);
  git(daemon.workspace, "remote", "add", "origin", remote);
  git(daemon.workspace, "fetch", "--quiet", "origin");
  const place = await create({ name: "old" });
  git(place.root, "checkout", "--quiet", "--detach");
  const head = commitFiles(place.root, { "c.txt": "c\n" }, "on no branch, never pushed");
  writeFileSync(path.join(place.root, "untracked.txt"), "untracked\n");
  const longAgo = new Date("2020-01-01");
  for (const each of ["", "untracked.txt", "c.txt", ".git"]) utimesSync(path.join(place.root, each), longAgo, longAgo);
  for (let start = 0; start < 2; start++) {
    await daemon.kill("SIGTERM");
    await daemon.start();
  }
  const { api } = daemon.connect();
  expect(await api.place.facts.query({ place: "old" })).toMatchObject({ changed: 1, ahead: 1, unpushed: 1, moved: false });
  await api.place.remove.mutate({ place: "old" });
  git(daemon.workspace, "reflog", "expire", "--expire=now", "--all");
  git(daemon.workspace, "gc", "--quiet", "--prune=now");
  await api.place.restore.mutate({ place: "old" });
  expect(git(place.root, "rev-parse", "HEAD")).toBe(head);
  expect(readFileSync(path.join(place.root, "untracked.txt"), "utf8")).toBe("untracked\n");
});

test.runIf(AT_NIGHT)("claude-code#88862: sessions that work on the same file at once commit only their own changes", async () => {
  const { daemon, create } = await startInRepository(undefined, ALLOW);
  await using _ = daemon;
  const work = async (name: string) => {
    const place = await create({ name });
    const calls = [
      call("write_file", { path: "a.txt", content: `${name}\n` }),
      call("write_file", { path: `${name}.txt`, content: "new\n" }),
    ];
    const model = script(daemon, [{ calls }, { calls: [command(`git add -A && ${COMMIT} -m ${name}`)] }, { text: "Done." }]);
    const session = await sessionIn(daemon, place.workspace, model);
    await session.prompt("change the file and commit everything");
    return { session, place, name };
  };
  const all = await Promise.all(["first", "second", "third"].map(work));
  for (const { session, place, name } of all) {
    await session.untilEnd();
    expect(git(place.root, "show", "--format=", "--name-only", "HEAD").split("\n")).toEqual(["a.txt", `${name}.txt`]);
    expect(git(place.root, "show", "HEAD:a.txt")).toBe(name);
  }
  expect(git(daemon.workspace, "status", "--porcelain")).toBe("");
});

test.runIf(AT_NIGHT)("caddy-mcp#38: a place is outside of the repository, so searches and test globs find each file once", async () => {
  const { daemon, create } = await startInRepository({ "src/a.test.ts": "needle\n" });
  await using _ = daemon;
  const place = await create({ name: "fix" });
  expect(path.relative(daemon.workspace, place.root)).toMatch(/^\.\./);
  expect(git(daemon.workspace, "status", "--porcelain", "--ignored", "--untracked-files=all")).toBe("");
  const calls = [
    call("glob", { pattern: "**/*.test.ts" }),
    call("search_text", { pattern: "needle" }),
    command("find . -name '*.test.ts'"),
  ];
  const session = await sessionIn(daemon, daemon.workspace, script(daemon, [{ calls }, { text: "Done." }]));
  await session.runTurn("find the tests");
  for (const { result } of session.finished) expect(result.text?.match(/a\.test\.ts/g)).toHaveLength(1);
});

test.runIf(AT_NIGHT)("handsontable#13238: rules, instructions and settings that git ignores apply in a new place", async () => {
  const replies: Reply[] = [{ calls: [{ tool: "run_command", input: { command: "rm a.txt" } }] }, { text: "Done." }];
  await using model = await ModelServer.start({ replies });
  const provider = model.config;
  const files = { ".gitignore": ".baton\n*.local.md\n.env\n", ".worktreeinclude": ".env\n", "a.txt": "one\n" };
  const { daemon, create } = await startInRepository(files, { config: provider });
  await using _ = daemon;
  daemon.write(".baton/config.jsonc", '{ "permissions": { "command": { "rm *": "deny" } } }');
  daemon.write("CLAUDE.local.md", "Remember: the database is called plum.");
  daemon.write(".env", "KEY=1\n");
  const place = await create({ name: "fix" });
  const session = await sessionIn(daemon, place.workspace, "local/m");
  await session.runTurn("go");
  expect(session.finished.map(({ result }) => result.outcome)).toEqual(["denied"]);
  expect(String(model.requests[0]?.messages[0]?.content)).toContain("the database is called plum");
  expect(readFileSync(path.join(place.root, ".env"), "utf8")).toBe("KEY=1\n");
});

test("Copilot 1.0.72: the trust of the folder applies in its new place", async () => {
  const { daemon, create } = await startInRepository();
  await using _ = daemon;
  const place = await create({ name: "fix" });
  const session = await sessionIn(daemon, place.workspace, script(daemon, [{ text: "Done." }]), { askTrust: true });
  await session.runTurn("go");
  expect(openRequests(session.state)).toEqual([]);
  expect(session.events.filter(({ type }) => type === "request.opened")).toEqual([]);
});

test("Copilot 1.0.72: the first prompt of a session with a new place runs in the place, not in the main checkout", async () => {
  const { daemon, create } = await startInRepository(undefined, ALLOW);
  await using _ = daemon;
  const place = await create({ name: "fix" });
  const calls = [command("pwd > where.txt"), call("write_file", { path: "made.txt", content: "made\n" })];
  const session = await sessionIn(daemon, place.workspace, script(daemon, [{ calls }, { text: "Done." }]));
  await session.runTurn("go");
  expect(readFileSync(path.join(place.root, "where.txt"), "utf8").trim()).toBe(place.root);
  expect(existsSync(path.join(place.root, "made.txt"))).toBe(true);
  expect(git(daemon.workspace, "status", "--porcelain")).toBe("");
});

test.runIf(AT_NIGHT)("a base that a force push removed stays the base of its place", async () => {
  const { daemon, create } = await startInRepository();
  await using _ = daemon;
  const { remote, clone } = { remote: path.join(daemon.root, "remote.git"), clone: path.join(daemon.root, "clone") };
  git(daemon.workspace, "checkout", "--quiet", "-b", "feature");
  const base = commitFiles(daemon.workspace, { "feature.txt": "first\n" }, "feature");
  git(daemon.root, "clone", "--quiet", "--bare", daemon.workspace, remote);
  git(daemon.root, "clone", "--quiet", remote, clone);
  const { api } = await openFor(daemon, clone);
  const place = await create({ cwd: clone, name: "fix", base: "origin/feature" });
  expect(place.baseCommit).toBe(base);
  commitFiles(place.root, { "mine.txt": "mine\n" }, "mine");
  writeFileSync(path.join(place.root, "loose.txt"), "loose\n");

  makeRepository(path.join(daemon.root, "other"), { "feature.txt": "rewritten\n" });
  git(path.join(daemon.root, "other"), "push", "--quiet", "--force", remote, "main:feature");
  git(clone, "fetch", "--quiet", "--prune", "origin");
  git(clone, "reset", "--quiet", "--hard", "origin/feature");
  git(clone, "reflog", "expire", "--expire=now", "--all");
  git(clone, "gc", "--quiet", "--prune=now");

  expect(await api.place.facts.query({ place: "fix" })).toMatchObject({ ahead: 1, changed: 1, baseGone: false });
  expect((await api.place.changes.query({ place: "fix" })).map((each) => each.path)).toEqual(["loose.txt", "mine.txt"]);
  await api.place.remove.mutate({ place: "fix" });
  await api.place.restore.mutate({ place: "fix" });
  expect(readFileSync(path.join(place.root, "loose.txt"), "utf8")).toBe("loose\n");
  const applied = await api.place.applyChanges.mutate({ place: "fix" });
  expect(applied.applied).toEqual(["loose.txt", "mine.txt"]);
  expect(readFileSync(path.join(clone, "feature.txt"), "utf8")).toBe("rewritten\n");
});
