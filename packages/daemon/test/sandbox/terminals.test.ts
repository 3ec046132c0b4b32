import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { TestDaemon } from "../support/daemon.ts";
import { internet } from "../support/internet.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const works = hasBubblewrap();

const start = (command: string) => ({ calls: [{ tool: "run_command", input: { command, terminal: true } }] });
const type = (text: string, keys = ["enter"]) => ({ calls: [{ tool: "write_to_command", input: { id: "s1.1", text, keys } }] });

const texts = ({ finished }: TestSession): string[] => finished.map(({ result }) => result.text);

/** Trusts the workspace, which gets a script that starts a shell. */
async function trusted(daemon: TestDaemon): Promise<void> {
  chmodSync(daemon.write("shell.sh", "#!/bin/sh\nPS1='ready> ' exec bash --norc --noprofile\n"), 0o755);
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
}

/** The programs with this text in their command line. */
const running = (text: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(text);
    } catch {
      return false;
    }
  });

test.runIf(works)("auto: an agent talks to a shell in the sandbox without a question, and the shell reaches nothing outside", async () => {
  await using daemon = await TestDaemon.start({ config: { sandbox: "auto", permissions: { edit: "allow" } } });
  await trusted(daemon);
  const outside = `${daemon.root}/outside.txt`;
  const model = script(daemon, [
    start("./shell.sh"),
    type(`tty; echo in > inside.txt; echo out > ${outside}; ls -l /proc/self/fd | grep -c ptmx`),
    type("sleep 300"),
    type("", ["ctrl-c"]),
    type("echo status $?; kill -9 1; echo still here"),
    { text: "ok" },
  ]);
  const session = await daemon.session({ model });
  await session.prompt("go");
  await session.untilEnd();
  expect(session.state.counts.opened).toBe(0);
  expect(texts(session)[0]).toContain("ready>");
  expect(texts(session)[1]).toMatch(/\n0\nready>/);
  expect(texts(session)[4]).toContain("status 130");
  expect(texts(session)[4]).toContain("still here");
  expect([daemon.read("inside.txt"), existsSync(outside)]).toEqual(["in\n", false]);
  const held = running(daemon.root).length;
  await daemon.connect().api.command.stop.mutate({ sessionId: session.id, id: "s1.1" });
  await expect.poll(() => running(daemon.root).length, { timeout: 10_000 }).toBeLessThan(held);
});

test.runIf(works)("auto: input for a program in the sandbox asks in a mode with another reach", async () => {
  await using daemon = await TestDaemon.start({ config: { sandbox: "auto", permissions: { edit: "allow" } } });
  await trusted(daemon);
  const model = script(daemon, [start("./shell.sh"), type("echo one"), { text: "ok" }, type("echo two"), { text: "ok" }]);
  const session = await daemon.session({ model });
  await session.prompt("go");
  await session.untilEnd();
  expect(session.state.counts.opened).toBe(0);
  await session.prompt("go on", { mode: "debug" });
  expect(await session.untilOpen()).toMatchObject({ tool: "write_to_command", header: "Type this into the command?" });
});

test.runIf(works)(
  "each look says which hosts a terminal or a background command has used since, and what the sandbox refused",
  async () => {
    using web = await internet();
    const config = {
      sandbox: "auto",
      permissions: { edit: "allow", network: { "denied.invalid": "deny" } },
      network: { allow: ["listed.invalid"] },
    };
    await using daemon = await TestDaemon.start({ config, env: { HTTP_PROXY: web.url, HTTPS_PROXY: web.url } });
    await trusted(daemon);
    const get = (host: string) => `curl -s -S -m 90 http://${host}/`;
    const model = script(daemon, [
      start("./shell.sh"),
      type(`${get("listed.invalid")}; ${get("denied.invalid")}; touch done`),
      { calls: [{ tool: "run_command", input: { command: "until [ -e done ]; do sleep 0.1; done" } }] },
      type(""),
      type("clear; echo later"),
      type("echo out > /usr/out.txt"),
      { calls: [{ tool: "run_command", input: { command: `${get("listed.invalid")}; exit 3`, background: true } }] },
      { calls: [{ tool: "command_output", input: { id: "s7.1", wait_ms: 30_000 } }] },
      { text: "ok" },
    ]);
    const session = await daemon.session({ model });
    await session.prompt("go");
    await session.untilEnd();
    const [, first = "", , second = "", later = "", refused = "", , polled = ""] = texts(session);
    expect(first + second).toContain("(network: listed.invalid)");
    expect(first + second).toContain("(Baton refused connections to denied.invalid: ");
    expect(later).not.toContain("listed.invalid");
    expect(refused).toContain("(The sandbox did not let the command write /usr/out.txt. If it must, call run_command again");
    expect(polled).toMatch(/^exit 3\nhello from listed\.invalid[^]*\n\(network: listed\.invalid\)$/);
  },
);
