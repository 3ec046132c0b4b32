import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { call, openHome, openSettledHome, type Home } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

const CLIENT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Runs one turn that starts a command in the background, and returns its session. */
async function startInBackground(home: Home, command: string): Promise<string> {
  const model = home.script({ calls: [call("run_command", { command, background: true })] }, { text: "Started." });
  const { out } = await home.run(["run", "serve", "--model", model, "--on-request", "allow", "--json"]);
  const lines = out.trim().split("\n");
  return (JSON.parse(lines.at(-1) ?? "{}") as { session: string }).session;
}

test("`baton background` lists, prints, follows and stops a command", async () => {
  await using home = openHome();
  const session = await startInBackground(home, "echo up; sleep 300");
  const listed = await home.run(["background", "--here"]);
  expect(listed).toMatchObject({ code: 0, err: "" });
  expect(listed.out).toMatch(new RegExp(`^${session}\n {2}… running +s1\\.1 +for \\d+ s +echo up; sleep 300\n$`));
  await expect
    .poll(() => home.run(["background", "output", session, "s1.1"]), { timeout: 10_000 })
    .toEqual({
      code: 0,
      out: "up\n",
      err: "(running; --follow also prints new output)\n",
    });

  const followed = home.run(["background", "output", session, "s1.1", "--follow"]);
  expect(await home.run(["background", "stop", session, "s1.1"])).toEqual({ code: 0, out: "s1.1 is stopped.\n", err: "" });
  expect(await followed).toEqual({ code: 0, out: "up\n", err: "(stopped)\n" });
  expect((await home.run(["background", session])).out).toMatch(/^ {2}· stopped +s1\.1 /m);
  expect(await home.run(["background", "nosession"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("no session nosession") as string,
  });
  const rows = JSON.parse((await home.run(["background", "list", session, "--json"])).out) as object[];
  expect(rows).toMatchObject([{ id: "s1.1", command: "echo up; sleep 300", status: "stopped" }]);
  expect(await home.run(["background", "stop", session, "s9.9"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("no output of a background command s9.9") as string,
  });
});

test("following the output of a command ends with a sentence when the daemon restarts", async () => {
  await using home = openHome();
  const session = await startInBackground(home, "echo up; sleep 300");
  const args = [CLIENT, "background", "output", session, "s1.1", "--follow"];
  const followed = spawn(process.execPath, args, { cwd: home.workspace, env: home.env, stdio: ["ignore", "pipe", "pipe"] });
  followed.stdout.once("data", () => void home.run(["daemon", "restart"]));
  const ended = new Promise((end) => followed.once("close", end));
  expect(await text(followed.stderr)).toContain("The daemon stopped, and the command ended with it.");
  expect(await ended).toBe(1);
});

test("/background follows the output of a command until Ctrl+C, and stops it", async () => {
  await using home = await openSettledHome();
  const session = await startInBackground(home, "sleep 1; echo fol''lowed; sleep 300");
  const terminal = home.terminal(["attach", session]);
  await terminal.until("Started.");
  terminal.press(`/background${KEY.enter}`);
  await terminal.until("Follow the output of which command?");
  terminal.press(KEY.enter);
  await terminal.until("followed");
  terminal.press(KEY.ctrlC);
  await terminal.until(/followed\s+code · scripted/);
  terminal.press(`/background${KEY.enter}`);
  await terminal.until("Alt+Enter stops it");
  terminal.press(KEY.altEnter);
  await terminal.until("s1.1 is stopped.");
});

test("/background opens the terminal of a command, passes keys on, and leaves it with Ctrl+]", async () => {
  await using home = await openSettledHome();
  const model = home.script({ calls: [call("run_command", { command: "bash --norc --noprofile", terminal: true })] }, { text: "Started." });
  const { out } = await home.run(["run", "shell", "--model", model, "--on-request", "allow", "--json"]);
  const { session } = JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as { session: string };
  const terminal = home.wholeTerminal(["attach", session]);
  await terminal.until("Started.");
  terminal.press(`/background${KEY.enter}`);
  await terminal.until("Ctrl+] from a terminal");
  terminal.press(KEY.enter);
  await terminal.until("Ctrl+] leaves · s1.1 · bash");
  await terminal.until("bash-");
  terminal.press("stty size; echo $((6 * 7))x\r");
  await terminal.until("39 80");
  await terminal.until("42x");
  terminal.press("printf '\\033]52;c;c2VjcmV0\\007\\033]0;stolen\\007'; sleep 300\r");
  await terminal.until("sleep 300");
  terminal.press(KEY.ctrlC);
  await terminal.until("^C");
  terminal.press("\u001d");
  await terminal.until(/s1\.1 still runs\)\s+code · scripted/);
  terminal.press(`/background${KEY.enter}`);
  await terminal.until("Ctrl+] from a terminal");
  terminal.press(KEY.enter);
  await terminal.until("Ctrl+] leaves");
  terminal.press("exit 5\r");
  await terminal.until("(exit 5)");
});

test("`baton background attach` says what it needs", async () => {
  await using home = openHome();
  const session = await startInBackground(home, "sleep 300");
  expect(await home.run(["background", "attach", session, "s1.1"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("needs a terminal. Use `baton background output`") as string,
  });
  const terminal = home.terminal(["background", "attach", session, "s1.1"]);
  await terminal.until("No command s1.1 of this session has a terminal");
  expect(await terminal.exited).toBe(2);
});
