import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const write = (file: string, content: string) => ({ calls: [{ tool: "write_file", input: { path: file, content } }] });
const edits = { permissions: { edit: "allow" } };
const settled = ({ events }: TestSession) => events.some(({ type }) => type === "undo.finished");

test("an undo restores the files that the newest turn changed, and the agent is notified", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  daemon.write("a.txt", "mine\n");
  const session = await daemon.session({
    model: script(daemon, [write("a.txt", "one\n"), write("a.txt", "two\n"), write("new/b.txt", "b"), { text: "1" }, { text: "2" }]),
  });
  await session.runTurn("go");
  const { api } = daemon.connect();
  expect((await api.session.undoPlan.query({ sessionId: session.id })).files).toMatchObject([
    { path: "a.txt", conflict: false },
    { path: "new/b.txt", to: null, conflict: false },
  ]);
  await session.wish({ type: "undo", conversation: false });
  await session.until("the undo", settled);
  expect([daemon.read("a.txt"), existsSync(path.join(daemon.workspace, "new/b.txt"))]).toEqual(["mine\n", false]);
  const refused = await session.wish({ type: "undo", conversation: false }).catch(refusalOf);
  expect(refused).toMatchObject({ code: "nothing_to_undo" });
});

test("a redo is planned directly after an undo, while the files are restored", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  const files = Array.from({ length: 30 }, (_, i) => `${i}.txt`);
  for (const file of files) daemon.write(file, "mine\n");
  const session = await daemon.session({ model: script(daemon, [...files.map((file) => write(file, "theirs\n")), { text: "Done." }]) });
  await session.runTurn("go");
  const { api } = daemon.connect();
  await session.wish({ type: "undo", conversation: false });
  const plan = await api.session.undoPlan.query({ sessionId: session.id, redo: true });
  expect(plan.files).toHaveLength(30);
  expect(plan.files.filter(({ conflict }) => conflict)).toEqual([]);
});

test("a removed file comes back with its permissions", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  chmodSync(daemon.write("run.sh", "#!/bin/sh\n"), 0o755);
  const gone = { calls: [{ tool: "delete_file", input: { path: "run.sh" } }] };
  const session = await daemon.session({ model: script(daemon, [gone, { text: "1" }]) });
  await session.runTurn("go");
  await session.wish({ type: "undo", conversation: false });
  await session.until("the undo", settled);
  expect(statSync(path.join(daemon.workspace, "run.sh")).mode & 0o777).toBe(0o755);
});

test("a call that wants to write below a file fails with the reason, and a command still runs", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: "allow", edit: "allow" } } });
  daemon.write("a.txt", "mine\n");
  const command = { calls: [{ tool: "run_command", input: { command: "echo one; echo two > a.txt/b.txt" } }] };
  const session = await daemon.session({ model: script(daemon, [write("a.txt/b.txt", "b"), command, { text: "1" }]) });
  await session.runTurn("go");
  const [written, ran] = session.finished.map(({ result }) => result.text);
  expect(written).toBe("A part of the path a.txt/b.txt is a file, not a folder.");
  expect(ran).toMatch(/^exit 1, .*\none\n/);
});

/** A command whose effects Baton cannot see. */
const HIDDEN = "node -e process.emit(1)";

test("a folder that a command removed comes back, and an undo names the commands with unknown effects", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: "allow" } } });
  daemon.write("src/a.txt", "a\n");
  daemon.write("src/deep/b.txt", "b\n");
  const run = (command: string) => ({ calls: [{ tool: "run_command", input: { command } }] });
  const session = await daemon.session({ model: script(daemon, [run("rm -rf src"), run(HIDDEN), { text: "Gone." }]) });
  await session.prompt("go");
  for (const asked of ["rm -rf src", HIDDEN]) {
    await session.until(asked, ({ state }) => openRequests(state).some(({ text }) => text.endsWith(asked)));
    await session.answer({ choice: "once" }); // both ask, whatever the rules say
  }
  await session.untilEnd();
  expect(existsSync(path.join(daemon.workspace, "src"))).toBe(false);
  const { unseen } = await daemon.connect().api.session.undoPlan.query({ sessionId: session.id });
  expect(unseen).toEqual(["run rm -rf src", `run ${HIDDEN}`]);
  await session.wish({ type: "undo", conversation: false });
  await session.until("the undo", settled);
  expect([daemon.read("src/a.txt"), daemon.read("src/deep/b.txt")]).toEqual(["a\n", "b\n"]);
});

test("folders that a command made are removed as well, except one in which the user has put something", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: "allow", edit: "allow" } } });
  const run = (command: string) => ({ calls: [{ tool: "run_command", input: { command } }] });
  const makes = [run("mkdir -p new/deep && echo q > new/deep/q.txt"), run("mkdir shared"), write("shared/a.txt", "a")];
  const session = await daemon.session({ model: script(daemon, [...makes, { text: "Made." }]) });
  await session.runTurn("go");
  expect(daemon.read("new/deep/q.txt")).toBe("q\n");
  daemon.write("shared/mine.txt", "mine");
  await session.wish({ type: "undo", conversation: false });
  await session.until("the undo", settled);
  expect(new Set(readdirSync(daemon.workspace, { recursive: true, encoding: "utf8" }))).toEqual(new Set(["shared", "shared/mine.txt"]));
  expect(session.events.at(-1)).toMatchObject({ type: "undo.finished", left: [] });
});

test("an undo does not overwrite a file that the user changed since then, and in that case changes nothing", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  const session = await daemon.session({ model: script(daemon, [write("a.txt", "one"), write("b.txt", "one"), { text: "1" }]) });
  await session.runTurn("go");
  daemon.write("a.txt", "mine now");
  const refused = await session.wish({ type: "undo", conversation: false }).catch(refusalOf);
  expect(refused).toMatchObject({ code: "undo_conflict" });
  expect([daemon.read("a.txt"), daemon.read("b.txt")]).toEqual(["mine now", "one"]);
});

test("with the conversation, an undo restores both to before the prompt", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  const session = await daemon.session({
    model: script(daemon, [write("a.txt", "one"), { text: "1" }, write("a.txt", "two"), { text: "2" }]),
  });
  await session.runTurn("first");
  await session.runTurn("second", 2);
  await session.wish({ type: "undo", conversation: true });
  await session.until("the undo", settled);
  expect(daemon.read("a.txt")).toBe("one");
  const types = session.events.map(({ type }) => type);
  expect(types.slice(types.indexOf("session.rewound"))).toEqual(["session.rewound", "prompt.withdrawn", "undo.started", "undo.finished"]);
});

/** Every file below a folder with the hash of its content. */
function tree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => statSync(path.join(folder, file)).isFile());
  return Object.fromEntries(
    files.toSorted().map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(path.join(folder, file)))
        .digest("hex"),
    ]),
  );
}

test("git's index, stash and refs, untracked and ignored files, a submodule and a nested repository stay byte for byte", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow", command: "allow" } } });
  const { workspace } = daemon;
  const git = (args: string[], cwd = workspace) => {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"];
    return execFileSync("git", [...identity, ...args], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  };
  const library = path.join(daemon.root, "library");
  mkdirSync(library);
  git(["init", "-q"], library);
  writeFileSync(path.join(library, "lib.txt"), "lib\n");
  git(["add", "."], library);
  git(["commit", "-qm", "lib"], library);
  git(["init", "-q"]);
  daemon.write(".gitignore", "ignored.txt\n");
  daemon.write("tracked.txt", "committed\n");
  git(["submodule", "add", "-q", library, "sub"]);
  git(["add", "."]);
  git(["commit", "-qm", "first"]);
  daemon.write("tracked.txt", "stashed\n");
  git(["stash", "-q"]);
  daemon.write("tracked.txt", "staged\n");
  git(["add", "tracked.txt"]);
  daemon.write("tracked.txt", "mine\n");
  daemon.write("untracked.txt", "u\n");
  daemon.write("ignored.txt", "i\n");
  daemon.write("nested/n.txt", "n\n");
  git(["init", "-q"], path.join(workspace, "nested"));
  const before = tree(workspace);

  const changes = ["tracked.txt", "untracked.txt", "ignored.txt", "sub/lib.txt", "nested/n.txt", "made/new.txt"];
  const command = { calls: [{ tool: "run_command", input: { command: "sed -i s/u/U/ untracked.txt" } }] };
  const session = await daemon.session({
    model: script(daemon, [...changes.map((file) => write(file, "agent\n")), command, { text: "done" }]),
  });
  await session.runTurn("go");
  expect(tree(workspace)).not.toEqual(before);
  await session.wish({ type: "undo", conversation: false });
  await session.until("the undo", settled);
  expect(tree(workspace)).toEqual(before);
});
