import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connectTo, findOrStart, batonPaths, PROTOCOL } from "../../src/client/index.ts";
import { bundle, TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

/** Runs the daemon's program on a home. Returns its exit code and its output. */
function startedOn(home: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [bundle], { stdio: ["ignore", "ignore", "pipe"], env: { BATON_HOME: home, HOME: home } });
  let output = "";
  child.stderr.on("data", (data) => (output += String(data)));
  return new Promise((done) => child.once("exit", (code) => done({ code, said: output })));
}

test("a second daemon on the same home exits with code 5 and the reason", async () => {
  await using daemon = await TestDaemon.start();
  expect(await startedOn(daemon.home)).toEqual({ code: 5, said: expect.stringContaining("another daemon") as unknown });
  expect((await daemon.connect().api.daemon.status.query()).pid).toBe(daemon.pid);
});

test("twenty clients that start at once without a daemon all connect to the same one", { timeout: 60_000 }, async () => {
  await using daemon = await TestDaemon.start();
  await daemon.kill();
  const env = { ...process.env, BATON_HOME: daemon.home };
  const found = await Promise.all(Array.from({ length: 20 }, () => findOrStart(batonPaths(env), env, bundle)));
  expect(new Set(found.map(({ bootId }) => bootId)).size).toBe(1);
  await daemon.start().catch(() => undefined); // it already runs: code 5
  process.kill(found[0]?.pid ?? 0, "SIGTERM");
});

test("a client that started the daemon can exit, and the daemon stays", async () => {
  await using daemon = await TestDaemon.start();
  await daemon.kill();
  const env = { ...process.env, BATON_HOME: daemon.home };
  const starter = spawn(
    process.execPath,
    [
      "--conditions=@baton/source",
      "--input-type=module",
      "-e",
      `import { findOrStart, batonPaths } from ${JSON.stringify(new URL("../../src/client/index.ts", import.meta.url).href)}; await findOrStart(batonPaths(process.env), process.env, ${JSON.stringify(bundle)});`,
    ],
    { env, stdio: "inherit" },
  );
  expect(await new Promise((done) => starter.once("exit", done))).toBe(0);
  const { pid } = await findOrStart(batonPaths(env), env, "/nowhere");
  expect(process.kill(pid, 0)).toBe(true);
  process.kill(pid, "SIGTERM");
});

test("the files of a daemon for its clients are readable only for its user, and are removed with it", async () => {
  await using daemon = await TestDaemon.start();
  const file = path.join(daemon.home, "daemon.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ pid: daemon.pid, protocol: PROTOCOL });
  await daemon.kill("SIGTERM");
  expect(existsSync(file)).toBe(false);
});

test("port and token survive a restart, so that an open client continues by itself", async () => {
  await using daemon = await TestDaemon.start();
  const { port, token } = daemon.discovery;
  const session = await daemon.session({ model: script(daemon, [{ text: "one" }, { text: "two" }]) });
  await session.runTurn("first");
  await daemon.kill("SIGTERM");
  await daemon.start();
  expect(daemon.discovery).toMatchObject({ port, token });
  await session.runTurn("second", 2);
  expect(session.events.map(({ seq }) => seq)).toEqual(session.events.map((_, i) => i + 1));
});

test("a stop lets a running command end, and the turn continues after the start", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: { "*": "ask", "sleep 1": "allow" } } } });
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "run_command", input: { command: "sleep 1" } }] }, { text: "Slept." }]),
  });
  await session.prompt("go");
  await session.until("the command", ({ events }) => events.some((event) => event.type === "tool.started"));
  await daemon.kill("SIGTERM");
  await daemon.start();
  await session.untilEnd();
  expect(session.events.flatMap((event) => (event.type === "tool.finished" ? [event.result.outcome] : []))).toEqual(["ok"]);
});

test("a client of another version reports that and the next step", async () => {
  await using daemon = await TestDaemon.start();
  const other = { ...daemon.discovery, protocol: PROTOCOL + 1, version: "9.9.9" };
  expect(() => connectTo(other, { client: "test", discoveryFile: "" })).toThrow(/9\.9\.9.*baton daemon restart/);
});

test("accepted and queued prompts exist after a kill, and run", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ text: "slow", delayMs: 1_500 }, { text: "two" }, { text: "three" }]) });
  await session.prompt("first");
  await session.prompt("second");
  await session.prompt("third");
  await daemon.kill();
  await daemon.start();
  await session.untilEnd(3);
  expect(session.events.flatMap((event) => (event.type === "prompt.received" ? [event.text] : []))).toEqual(["first", "second", "third"]);
});

test("other users cannot read the home, even if its folder existed before", async () => {
  await using daemon = await TestDaemon.start();
  for (const folder of [daemon.home, path.join(daemon.home, "log")]) expect(statSync(folder).mode & 0o077).toBe(0);
});
