import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const run = (command: string) => ({ tool: "run_command", input: { command } });

test("a grant for the session answers the same call again, and closes the matching open requests", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({
    model: script(daemon, [{ calls: [run("echo one"), run("echo one"), run("echo two")] }, { calls: [run("echo one")] }, { text: "ok" }]),
  });
  await session.prompt("go");
  await session.untilOpen(3);
  const [first] = openRequests(session.state);
  expect(first?.remember).toEqual({ action: "command", resource: "echo one", effect: "allow" });
  await session.answer({ choice: "session" }, first?.id);
  await session.untilOpen(1);
  expect(session.events.flatMap((event) => (event.type === "request.closed" ? [event.reason] : []))).toEqual(["granted"]);
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(session.state.counts).toMatchObject({ opened: 3, answered: 2 });

  const other = await daemon.session({ model: script(daemon, [{ calls: [run("echo one")] }, { text: "ok" }]) });
  await other.prompt("go");
  await other.untilOpen();
});

const edit = (old_text: string, new_text: string) => ({ tool: "edit_file", input: { path: "a.txt", old_text, new_text } });

test("Baton asks about edits of one file one after the other, each for the file's current content, and a grant ends the requests", async () => {
  await using daemon = await TestDaemon.start();
  daemon.write("a.txt", "1 2 3 4\n");
  const edits = [edit("1", "one"), edit("one 2", "one two"), edit("3", "three"), edit("4", "four")];
  const session = await daemon.session({ model: script(daemon, [{ calls: [...edits, run("echo beside")] }, { text: "ok" }]) });
  await session.prompt("go");
  await session.untilOpen(2); // a call that changes another file, or none, does not wait
  const asked = () => openRequests(session.state).find(({ tool }) => tool === "edit_file");
  await session.answer({ choice: "once" }, asked()?.id);
  await session.until("the second edit", () => JSON.stringify(asked()?.view ?? "").includes("one two"));
  await session.answer({ choice: "session" }, asked()?.id);
  await session.until("the last edit", () => session.finished.length === 4);
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(daemon.read("a.txt")).toBe("one two three four\n");
  expect(session.state.counts).toMatchObject({ opened: 3, answered: 3 });
});

test("a change that differs from the shown one asks again with the reason, and the grant of the answer applies", async () => {
  await using daemon = await TestDaemon.start();
  daemon.write("a.txt", "1 2\n");
  const calls = [edit("1", "one"), edit("2", "two")];
  const session = await daemon.session({ model: script(daemon, [...calls.map((call) => ({ calls: [call] })), { text: "ok" }]) });
  await session.prompt("go");
  const shown = await session.untilOpen();
  daemon.write("a.txt", "1 2 3\n");
  await session.answer({ choice: "once" });
  await session.until("the question again", ({ state }) => (openRequests(state)[0]?.id ?? shown.id) !== shown.id);
  expect(openRequests(session.state)[0]?.header).toMatch(/now do something else than was shown/);
  daemon.write("a.txt", "1 2 3 4\n");
  await session.answer({ choice: "session" });
  await session.untilEnd();
  expect(daemon.read("a.txt")).toBe("one two 3 4\n");
});

test("a grant for the workspace applies to other sessions and after a restart, is listed, and can be revoked", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ calls: [run("echo one")] }, { text: "ok" }]) });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "workspace", rule: { action: "command", resource: "echo *", effect: "allow" } });
  await session.untilEnd();
  await daemon.kill();
  await daemon.start();

  const model = script(daemon, [{ calls: [run("echo two")] }, { calls: [run("echo $(rm -r one)")] }, { text: "ok" }]);
  const other = await daemon.session({ model });
  await other.prompt("go");
  await other.untilOpen();
  expect(openRequests(other.state)[0]?.view).toMatchObject({ command: "echo $(rm -r one)" }); // no wildcard covers a command inside another one
  expect(other.events.flatMap((event) => (event.type === "tool.allowed" ? [event.verdict.rule?.layer] : []))).toEqual(["workspace"]);

  const { api } = daemon.connect();
  const grants = await api.permission.grants.query({ cwd: daemon.workspace });
  expect(grants).toMatchObject([{ scope: "workspace", rule: { resource: "echo *" } }]);
  await api.permission.revoke.mutate({ commandId: crypto.randomUUID(), cwd: daemon.workspace, grantId: grants[0]?.id ?? "" });
  expect(await api.permission.grants.query({ cwd: daemon.workspace })).toEqual([]);
  const third = await daemon.session({ model });
  await third.prompt("go");
  await third.untilOpen();
});

test("no grant overrides a deny of the user", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: { "echo secret": "deny" } } } });
  const session = await daemon.session({
    model: script(daemon, [{ calls: [run("echo one")] }, { calls: [run("echo secret")] }, { text: "ok" }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "session", rule: { action: "command", resource: "*", effect: "allow" } });
  await session.untilEnd();
  expect(session.finished.map(({ result }) => [result.outcome, result.end])).toEqual([
    ["ok", expect.any(String)],
    ["denied", expect.stringContaining("config.jsonc:")],
  ]);
});

test("a file outside the workspace asks however it is reached, and the daemon's own files are denied", async () => {
  await using daemon = await TestDaemon.start();
  const outside = `${daemon.root}/outside.txt`;
  const { symlinkSync, writeFileSync } = await import("node:fs");
  writeFileSync(outside, "outside");
  symlinkSync(outside, `${daemon.workspace}/link`);
  const read = (path: string) => ({ tool: "read_file", input: { path } });
  const session = await daemon.session({
    model: script(daemon, [
      { calls: [read("link"), read("../outside.txt"), read(outside), read(`${daemon.home}/daemon.json`)] },
      { text: "ok" },
    ]),
  });
  await session.prompt("go");
  await session.untilOpen(3);
  expect(openRequests(session.state).map(({ remember }) => remember?.action)).toEqual([
    "external_directory",
    "external_directory",
    "external_directory",
  ]);
  expect(session.finished.map(({ callId, result }) => [callId, result.outcome])).toEqual([["s1.4", "denied"]]);
});
