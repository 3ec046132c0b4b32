import { expect, test } from "vitest";
import { openHome, runClient } from "../support/home.ts";

test("a daemon that cannot start reports the reason to the client that needs it", async () => {
  await using home = openHome();
  home.env["BATON_DATABASE_URL"] = "foo://x";
  const { code, err } = await home.run(["sessions"]);
  expect(code).toBe(5);
  expect(err).toMatch(
    /^baton: The daemon could not be started: foo:\/\/x is not the address of a libSQL server\. [^\n]*\nIts log is \S+\n$/,
  );
});

test("a home that cannot contain a folder is reported at once, with its path", async () => {
  await using home = openHome();
  for (const [name, args] of [
    ["BATON_HOME", ["sessions"]],
    ["BATON_HOME", ["run", "go"]],
    ["XDG_STATE_HOME", ["sessions"]],
  ] as const) {
    const { BATON_HOME: _, ...env } = home.env;
    const { code, err } = await runClient([...args], { cwd: home.workspace, env: { ...env, [name]: "/proc/nowhere" } });
    expect(code).toBe(5);
    expect(err).toMatch(
      /^baton: Baton cannot write to \/proc\/nowhere\S* \(.*\)\. Make it writable, or set BATON_HOME to another folder\.\n$/,
    );
  }
  const run = await runClient(["daemon", "run"], { cwd: home.workspace, env: { ...home.env, BATON_HOME: "/proc/nowhere" } });
  expect([run.code, run.out]).toEqual([1, expect.stringContaining("mkdir '/proc")]);
});

test("the daemon can be started, found, shown and stopped", async () => {
  await using home = openHome();
  expect((await home.run(["daemon", "status", "--json"])).code).toBe(5);
  expect(JSON.parse((await home.run(["daemon", "start", "--json"])).out)).toMatchObject({ running: true, version: "0.1.0" });
  const pid = home.daemonPid();
  expect(JSON.parse((await home.run(["daemon", "status", "--json"])).out)).toMatchObject({ running: true, pid });
  await home.run(["daemon", "restart"]);
  expect(home.daemonPid()).not.toBe(pid);
  expect(JSON.parse((await home.run(["daemon", "stop", "--json"])).out)).toEqual({ stopped: true });
});
