import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "./support/daemon.ts";
import { makeRepository } from "./support/repository.ts";
import { script } from "./support/script.ts";
import type { TestSession } from "./support/session.ts";

const run = (command: string) => ({ calls: [{ tool: "run_command", input: { command } }] });
const works =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "/bin/true"]).status === 0;
const config = { sandbox: "on", permissions: { "*": "allow" } };

/** What the commands of one turn said, each with its outcome. */
async function ran(daemon: TestDaemon, commands: readonly string[]): Promise<string[]> {
  return answered(await daemon.session({ model: script(daemon, [...commands.map(run), { text: "ok" }]) }));
}

/** Runs a turn and answers everything that asks. */
async function answered(session: TestSession): Promise<string[]> {
  await session.prompt("go");
  for (;;) {
    await session.until(
      "a request or the end",
      ({ state }) => state.counts.opened > state.counts.answered || (state.turns > 0 && !state.turn),
    );
    if (!session.state.turn) break;
    await session.answer({ choice: "once" });
  }
  return session.finished.map(({ result }) => `${result.outcome}: ${result.text}`);
}

test.runIf(works)("inside, only the workspace can be written, keys are out of sight, and git works", async () => {
  await using daemon = await TestDaemon.start({ config });
  execFileSync("git", ["init", "-q"], { cwd: daemon.workspace });
  const outside = path.join(daemon.root, "outside.txt");
  const results = await ran(daemon, [
    "echo in > inside.txt",
    `echo out > ${outside}`,
    "echo out > /usr/baton-was-here",
    "git add -A",
    "echo evil > .git/hooks/pre-commit",
    `ls ${daemon.home}`,
  ]);
  expect(daemon.read("inside.txt")).toBe("in\n");
  expect(existsSync(outside)).toBe(false);
  expect(results[2]).toContain("Read-only file system");
  expect(results[3]).toMatch(/^ok/);
  expect(existsSync(path.join(daemon.workspace, ".git/hooks/pre-commit"))).toBe(false);
  expect(results.at(-1)).not.toContain("daemon.json");
});

test.runIf(works)("in a place, commits work inside, a second folder can be written, and what git executes cannot", async () => {
  await using daemon = await TestDaemon.start({ config });
  makeRepository(daemon.workspace);
  const library = path.join(daemon.root, "library");
  makeRepository(library);
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const place = await api.place.create.mutate({ cwd: daemon.workspace, name: "p" });
  const commands = [
    "echo two > a.txt && git -c user.name=Ada -c user.email=ada@example.org commit -qam second && git log --oneline | wc -l",
    `echo evil > ${daemon.workspace}/.git/hooks/pre-commit`,
    "git config core.fsmonitor evil",
    "echo gitdir: /tmp > .git",
    `echo two > ${library}/a.txt`,
    `echo out > ${daemon.workspace}/a.txt`,
  ];
  const roots = [{ path: library, readOnly: false }];
  const model = script(daemon, [...commands.map(run), { text: "ok" }]);
  const { id } = await api.session.create.mutate({ workspace: place.workspace, model, roots });
  const results = await answered(daemon.attach(id ?? ""));
  expect(results[0]).toMatch(/^ok: .*\n2\n/);
  for (const denied of [1, 2, 3]) expect(results[denied]).toMatch(/Read-only file system|resource busy/);
  expect(readFileSync(path.join(library, "a.txt"), "utf8")).toBe("two\n");
  expect(daemon.read("a.txt")).toBe("one\n");
});

test.runIf(!works)("where no sandbox works, a command is not run without it", async () => {
  await using daemon = await TestDaemon.start({ config });
  const [result] = await ran(daemon, ["echo in > inside.txt"]);
  expect(result).toContain("The sandbox is on, but does not work here: ");
  expect(existsSync(path.join(daemon.workspace, "inside.txt"))).toBe(false);
});
