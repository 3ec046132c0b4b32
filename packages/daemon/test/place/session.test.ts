import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { commitFiles, makeRepository } from "../support/git/repository.ts";
import { script } from "../support/script.ts";
import { TestSession } from "../support/session.ts";

const call = (tool: string, input: unknown) => ({ tool, input });
const edit = (file: string, from: string, to: string) => call("edit_file", { path: file, old_text: from, new_text: to });

async function startInRepository(config: Record<string, unknown> = {}) {
  const daemon = await TestDaemon.start({ config });
  makeRepository(daemon.workspace, { "a.txt": "one\n", ".baton/config.jsonc": '{ "permissions": { "command": { "rm *": "deny" } } }' });
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  return { daemon, api };
}

async function sessionIn(api: TestSession["api"], workspace: string, model: string, more: object = {}): Promise<TestSession> {
  const { id } = await api.session.create.mutate({ workspace, model, ...more });
  return new TestSession(api, id ?? "");
}

test("a session in a place has the trust, the rules and the grants of its source, and works on separate files", async () => {
  const { daemon, api } = await startInRepository({ permissions: { edit: "allow" } });
  await using _ = daemon;
  const here = await daemon.session({
    model: script(daemon, [{ calls: [call("run_command", { command: "make it" })] }, { text: "Done." }]),
  });
  await here.prompt("go");
  await here.untilOpen();
  await here.answer({ choice: "workspace" });
  await here.untilEnd();

  const place = await api.place.create.mutate({ cwd: daemon.workspace, name: "fix" });
  commitFiles(place.root, { ".baton/config.jsonc": "{}" }, "without the rule"); // the files of a branch do not loosen the rules of its source
  const model = script(daemon, [
    { calls: [call("run_command", { command: "make it" }), call("run_command", { command: "rm -rf x" }), edit("a.txt", "one", "two")] },
    { text: "Done." },
  ]);
  const session = await sessionIn(api, place.workspace, model, { askTrust: true });
  await session.runTurn("go");
  expect(openRequests(session.state)).toEqual([]);
  expect(session.finished.map(({ result }) => result.outcome)).toEqual(["failed", "denied", "ok"]); // there is no Makefile
  expect(readFileSync(path.join(place.root, "a.txt"), "utf8")).toBe("two\n");
  expect(daemon.read("a.txt")).toBe("one\n");
  await expect(api.place.remove.mutate({ place: "fix" })).resolves.toMatchObject({ status: "removed" });
});

test("an edit of a file that another session changed since this one's last turn asks, and names that session", async () => {
  const { daemon } = await startInRepository({ permissions: { edit: "allow" } });
  await using _ = daemon;
  const first = await daemon.session({
    model: script(daemon, [
      { text: "Ready." },
      { calls: [edit("a.txt", "two", "three")] },
      { calls: [edit("a.txt", "three", "four")] },
      { text: "Done." },
    ]),
  });
  await first.runTurn("look");
  const second = await daemon.session({ model: script(daemon, [{ calls: [edit("a.txt", "one", "two")] }, { text: "Done." }]) });
  await second.runTurn("go");
  expect(second.finished.map(({ result }) => result.outcome)).toEqual(["ok"]);

  await first.prompt("go on");
  await first.untilOpen();
  expect(openRequests(first.state)[0]?.rule?.source).toBe(`the session ${second.id} has changed this file since this session's last turn`);
  await daemon.kill();
  await daemon.start();
  const again = daemon.attach(first.id);
  await again.untilOpen();
  await again.answer({ choice: "once" });
  await again.untilEnd(2);
  expect(daemon.read("a.txt")).toBe("four\n"); // its own change did not ask again
});

test("a session works in a second repository, only reads in a third, and asks for any other folder", async () => {
  const { daemon, api } = await startInRepository({ permissions: { edit: "allow" } });
  await using _ = daemon;
  const [library, reference, other] = ["library", "reference", "other"].map((name) => path.join(daemon.root, name));
  for (const folder of [library, reference, other]) makeRepository(folder ?? "", { "x.txt": "x\n" });
  const inFolder = (folder: string | undefined, name = "x.txt") => path.join(folder ?? "", name);
  const model = script(daemon, [
    { calls: [edit(inFolder(library), "x", "y"), edit(inFolder(reference), "x", "y"), call("read_file", { path: inFolder(reference) })] },
    { calls: [call("read_file", { path: inFolder(other) })] },
    { text: "Done." },
  ]);
  const roots = [
    { path: library ?? "", readOnly: false },
    { path: reference ?? "", readOnly: true },
  ];
  const session = await sessionIn(api, daemon.workspace, model, { roots });
  expect(session.state.roots).toEqual([]);
  await session.prompt("go");
  await session.untilOpen();
  expect(session.state.roots).toEqual(roots);
  expect(session.finished.map(({ result }) => result.outcome)).toEqual(["ok", "denied", "ok"]);
  expect(session.finished[1]?.result.text).toContain("is read-only");
  expect(openRequests(session.state)[0]?.verdicts?.map(({ action }) => action)).toContain("external_directory");
  await session.wish({ type: "addRoot", path: other ?? "", readOnly: true });
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(readFileSync(inFolder(library), "utf8")).toBe("y\n");
  await session.wish({ type: "undo", conversation: false });
  await session.until("the undo", ({ events }) => events.some(({ type }) => type === "undo.finished"));
  expect(readFileSync(inFolder(library), "utf8")).toBe("x\n");
  await expect(session.wish({ type: "addRoot", path: "/", readOnly: false })).rejects.toThrow(/whole disk/);
  await expect(session.wish({ type: "removeRoot", path: "/nowhere" })).rejects.toThrow(/no folder/);
});

test("a subtask with isolation works in a worktree, and does not change the files of its parent", async () => {
  const { daemon, api } = await startInRepository();
  await using _ = daemon;
  const child = script(daemon, [{ calls: [edit("a.txt", "one", "two")] }, { calls: [call("attempt_completion", { result: "Changed." })] }]);
  const task = { mode: "code", message: "Change it.", isolation: "worktree" };
  const parent = script(daemon, [{ calls: [call("new_task", task)] }, { text: "Done." }]);
  const modes = { code: { model: child }, orchestrator: { model: parent } };
  writeFileSync(path.join(daemon.home, "config.jsonc"), JSON.stringify({ modes, permissions: { edit: "allow", new_task: "allow" } }));
  const session = await daemon.session({ mode: "orchestrator" });
  await session.runTurn("go");
  const [place] = await api.place.list.query({});
  expect(place).toMatchObject({ status: "ready" });
  expect(session.finished[0]?.result.text).toContain(`baton places apply ${place?.name}`);
  expect(daemon.read("a.txt")).toBe("one\n");
  expect(readFileSync(path.join(place?.root ?? "", "a.txt"), "utf8")).toBe("two\n");
  expect(await api.session.changes.query({ sessionId: session.id })).toEqual([]);
});

test("read-only commands ask as rarely in a place as in its source, and the same ones ask", async () => {
  const { daemon, api } = await startInRepository();
  await using _ = daemon;
  const place = await api.place.create.mutate({ cwd: daemon.workspace, name: "reading" });
  const commands = [
    "git status",
    "git log --oneline -3",
    "git diff main",
    "git show HEAD:a.txt",
    "ls -la",
    "cat a.txt",
    "rg one",
    "git commit -m x",
    "npm test",
    "rm a.txt",
  ];
  const asked = async (workspace: string) => {
    const model = script(daemon, [{ calls: commands.map((command) => call("run_command", { command })) }, { text: "Done." }]);
    const session = await sessionIn(api, workspace, model);
    await session.prompt("go");
    await session.until(
      "all calls are judged",
      ({ state }) => state.calls.length === commands.length && state.calls.every(({ phase }) => phase !== "requested"),
    );
    return session.state.calls.map((each, i) => [commands[i], each.request?.rule?.source ?? each.verdict?.effect ?? each.result?.outcome]);
  };
  const here = await asked(daemon.workspace);
  expect(await asked(place.workspace)).toEqual(here);
  expect(here.slice(0, 7).map(([, effect]) => effect)).toEqual(Array(7).fill("allow"));
});
