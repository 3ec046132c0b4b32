import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { KEY } from "../support/terminal.ts";
import { openHome, openSettledHome, runClient, type Home } from "../support/home.ts";

const inHome = (home: Home, file: string) => home.file(file);

test("all commands report a key that was exported after the daemon's start alike, and the key works after a restart", async () => {
  await using home = openHome();
  await home.run(["daemon", "start"]);
  const env = { ...home.env, ANTHROPIC_API_KEY: "sk-test" };
  const run = (...args: string[]) => runClient(args, { cwd: home.workspace, env });
  const says = "ANTHROPIC_API_KEY is set here, but the daemon does not have it. `baton daemon restart`";
  const flat = ({ out, err }: { out: string; err: string }) => `${out}${err}`.replaceAll(/\s+/g, " ");
  const commands = [
    ["doctor"],
    ["models"],
    ["run", "go", "--model", "anthropic/claude-haiku-4-5"],
    [".", "--model", "anthropic/claude-haiku-4-5"],
  ];
  for (const args of commands) expect(flat(await run(...args))).toContain(says);
  const terminal = home.terminal([], 100, { ANTHROPIC_API_KEY: "sk-test" });
  await terminal.until(says);
  terminal.press("q");
  await run("daemon", "restart");
  const after = await run("models");
  expect(after.out).toContain("anthropic/");
  expect(flat(after)).not.toContain(says);
  expect(flat(await run("doctor"))).toContain('ANTHROPIC_API_KEY is set: "model"');
});

test("commands report a broken config where it has an effect", async () => {
  await using home = openHome();
  writeFileSync(inHome(home, "config.jsonc"), '{\n  "model": "anthropic/x", bad\n}');
  const place = /config\.jsonc:2:\d+ has an error/;
  for (const args of [["run", "go"], ["run", "go", "--model", "mine/x"], ["."]]) {
    const { out, err } = await home.run(args);
    expect(`${out}${err}`.replaceAll(/\n\s*/g, " ")).toMatch(place);
  }
  writeFileSync(inHome(home, "config.jsonc"), "{}");
  await expect.poll(async () => (await home.run(["run", "go"])).err).not.toMatch(place);
});

/** A separate client and daemon whose files the test can change. */
function copied(home: Home): string {
  const at = (...parts: string[]) => path.join(home.workspace, "..", "copy", ...parts);
  const packages = fileURLToPath(new URL("../../..", import.meta.url));
  for (const name of ["cli", "daemon"]) {
    mkdirSync(at("node_modules", "@baton", name), { recursive: true });
    for (const part of ["dist", "package.json"])
      cpSync(path.join(packages, name, part), at("node_modules", "@baton", name, part), { recursive: true });
  }
  symlinkSync(path.join(packages, "daemon", "node_modules"), at("node_modules", "@baton", "daemon", "node_modules"));
  return at("node_modules", "@baton");
}

test("the client notices a daemon of another build", async () => {
  await using home = await openSettledHome();
  await home.run(["daemon", "stop"]);
  const packages = copied(home);
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [path.join(packages, "cli", "dist", "main.js"), ...args], { cwd: home.workspace, env: home.env });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return `${out}${err}`.replaceAll(/\s+/g, " ");
  };
  await run("daemon", "start");
  const says = "The daemon runs another build than this client. `baton daemon restart`";
  expect(await run("daemon", "status")).not.toContain(says);
  expect(await run("doctor")).not.toContain(says);
  appendFileSync(path.join(packages, "daemon", "dist", "main.js"), "\n");
  expect(await run("daemon", "status")).toContain(says);
  expect(await run("doctor")).toContain(says);
  expect(await run("run", "go", "--model", home.script({ text: "Hello." }))).toContain(says);
  await run("daemon", "restart");
  expect(await run("daemon", "status")).not.toContain(says);
});

test.each(["hangs", "has lost its daemon.json"])("a daemon that %s is found and stopped", { timeout: 90_000 }, async (what) => {
  await using home = openHome();
  await home.run(["daemon", "start"]);
  const pid = home.daemonPid();
  if (what === "hangs") process.kill(pid, "SIGSTOP");
  else rmSync(inHome(home, "daemon.json"));
  const status = await home.run(["daemon", "status"]);
  expect(status.code).toBe(5);
  expect(status.err).toContain(`A daemon is running (pid ${pid})`);
  expect(status.err).toContain("baton daemon restart");
  expect((await home.run(["doctor"])).out).toContain(`pid ${pid}`);
  expect((await home.run(["models"])).err).toContain(`The daemon (pid ${pid}) is running but does not answer`);
  expect((await home.run(["daemon", "stop"])).code).toBe(0);
  expect((await home.run(["daemon", "status"])).err).toContain("The daemon is not running");
  expect((await home.run(["daemon", "start"])).code).toBe(0);
});

test("a terminal says that its session is gone after a restore of an older store", async () => {
  await using home = await openSettledHome();
  const copy = path.join(home.workspace, "copy.db");
  expect((await home.run(["db", "backup", copy])).code).toBe(0);
  const terminal = home.terminal(["--model", home.script({ text: "Hello." }), "say hello"]);
  await terminal.until("Hello.");
  expect(await home.run(["db", "restore", copy])).toMatchObject({ code: 0 });
  await terminal.until("the store was restored to an earlier time. /new starts another session");
  terminal.press(`/new${KEY.enter}`);
  await terminal.until("a new session");
});

test("a terminal continues a session after a restore of the store", async () => {
  await using home = await openSettledHome();
  const model = home.script(...["One.", "Two.", "Three.", "Four."].map((each) => ({ text: each })));
  await home.run(["run", "first", "--model", model]);
  const [row] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  const id = row?.id ?? "";
  await home.run(["db", "backup", path.join(home.workspace, "copy.db")]);
  for (const prompt of ["second", "third", "fourth"]) await home.run(["run", prompt, "--session", id]);
  const terminal = home.terminal(["attach", id]);
  await terminal.until("Four.");
  expect(await home.run(["db", "restore", path.join(home.workspace, "copy.db")])).toMatchObject({ code: 0 });
  await home.run(["run", "another", "--session", id]);
  await terminal.until("another");
  await terminal.until("Two.", 2);
  terminal.press(`last${KEY.enter}`);
  await terminal.until("Three.");
});

test("`baton db rebuild` builds the lists again from the events, and starts the daemon again", async () => {
  await using home = await openSettledHome();
  const model = home.script({ text: "One." });
  await home.run(["run", "first", "--model", model]);
  const before = (await home.run(["sessions", "--json"])).out;
  const pid = home.daemonPid();
  const { code, out } = await home.run(["db", "rebuild"]);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Rebuilt 1 session from \d+ events\.\n$/) as unknown });
  expect(home.daemonPid()).not.toBe(pid);
  const rowsOf = (text: string) => (JSON.parse(text) as Record<string, unknown>[]).map(({ updatedAt: _, seq: __, ...row }) => row);
  expect(rowsOf((await home.run(["sessions", "--json"])).out)).toEqual(rowsOf(before));
  expect(JSON.parse((await home.run(["db", "rebuild", "--json"])).out)).toMatchObject({ sessions: 1, left: [] });
});

test("uninstall removes nothing from a folder that holds the user's home", async () => {
  await using home = openHome();
  const folder = home.env["HOME"] ?? "";
  const { code, err } = await runClient(["uninstall", "--yes"], { cwd: home.workspace, env: { ...home.env, BATON_HOME: folder } });
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("nothing was removed") as string });
  expect(existsSync(home.workspace)).toBe(true);
});

test("uninstall removes Baton's files and keeps the user's files", async () => {
  await using home = openHome();
  const folder = home.file();
  mkdirSync(path.join(folder, "modes"));
  writeFileSync(path.join(folder, "modes", "docs.md"), "");
  await home.run(["sessions"]);
  const { code, out } = await home.run(["uninstall", "--yes"]);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`stay:\n  ${path.join(folder, "modes")}\n`) as string });
  expect(readdirSync(folder)).toEqual(["modes"]);
  rmSync(path.join(folder, "modes"), { recursive: true });
  await home.run(["sessions"]);
  await home.run(["uninstall", "--yes"]);
  expect(existsSync(folder)).toBe(false);
});

test("completions take names from the running daemon, and never start one", async () => {
  await using home = openHome();
  expect(await home.run(["complete", "modes"])).toEqual({ code: 0, out: "", err: "" });
  expect((await home.run(["daemon", "status"])).code).toBe(5);
  await home.run(["run", "round the cart", "--model", home.script({ text: "Done." })]);
  expect((await home.run(["complete", "modes"])).out).toMatch(/^plan\t\S/m);
  expect((await home.run(["complete", "sessions"])).out).toMatch(/^[a-z0-9]{10}\tround the cart\n$/);
});
