import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "./support/daemon.ts";
import { script } from "./support/script.ts";

const run = (command: string) => ({ tool: "run_command", input: { command } });

test("a grant for the session answers the same call again, and releases what is open already", async () => {
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

test("a grant for the workspace holds for other sessions and after a restart, is listed, and can be taken back", async () => {
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
  expect(openRequests(other.state)[0]?.view).toMatchObject({ command: "echo $(rm -r one)" }); // no wildcard covers what runs inside
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

test("no grant beats a deny of the user", async () => {
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

test("a file outside the workspace, by whatever way, asks; the daemon's own are denied", async () => {
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
