import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { TerminalFrame } from "@baton/core/terminal/command-terminal-frame";
import type { Request } from "@baton/core/protocol/request";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const start = (command: string) => ({ tool: "run_command", input: { command, terminal: true } });
const type = (text: string, keys: string[] = ["enter"], id = "s1.1") => ({ tool: "write_to_command", input: { id, text, keys } });
const look = (wait_ms = 30_000, id = "s1.1") => ({ tool: "command_output", input: { id, wait_ms } });

const config = { permissions: { command: "allow", input: "allow" } };

const texts = ({ finished }: TestSession): string[] => finished.map(({ result }) => result.text);

/** Runs a turn with these calls, one in each step, and returns the text of each result. */
async function turn(daemon: TestDaemon, calls: { tool: string; input: unknown }[], mode?: string): Promise<TestSession> {
  const model = script(daemon, [...calls.map((call) => ({ calls: [call] })), { text: "done" }]);
  const session = await daemon.session({ model, ...(mode === undefined ? {} : { mode }) });
  approveStarts(session);
  await session.prompt("go");
  return session;
}

/** The open request to type something. */
async function input(session: TestSession): Promise<Request> {
  const find = () => openRequests(session.state).find(({ tool }) => tool === "write_to_command");
  await session.until("a request to type", () => find() !== undefined);
  return find() as Request; // awaited above
}

/** Approves the commands that the gates ask about, such as shells and interpreters, until the first turn ends. */
function approveStarts(session: TestSession): void {
  const approve = async (): Promise<void> => {
    const next = () => openRequests(session.state).find((request) => request.tool === "run_command");
    await session.until("a command or the end", ({ state }) => next() !== undefined || (state.turns >= 1 && !state.turn), 300_000);
    const request = next();
    if (!request) return undefined;
    await session.answer({ choice: "once", ...(request.hash === undefined ? {} : { hash: request.hash }) }, request.id);
    return approve();
  };
  approve().catch(() => undefined); // the session then waits for the approval, and its test fails
}

async function ended(daemon: TestDaemon, calls: { tool: string; input: unknown }[]): Promise<string[]> {
  const session = await turn(daemon, calls);
  await session.untilEnd();
  return texts(session);
}

/** The screen of a terminal as a client draws it. */
function watch(daemon: TestDaemon, sessionId: string, id = "s1.1") {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const frames: TerminalFrame[] = [];
  const subscription = daemon.connect().api.command.watch.subscribe(
    { sessionId, id },
    {
      onData: (frame) => {
        frames.push(frame);
        if (frame.whole) lines.length = 0;
        for (const [row, text] of frame.lines) lines[row] = text;
        for (const look of waiting) look();
      },
    },
  );
  return {
    frames,
    text: () => lines.join("\n"),
    until: (wanted: string) =>
      new Promise<void>((found, fail) => {
        const timer = setTimeout(() => fail(new Error(`${wanted} was not drawn:\n${lines.join("\n")}`)), 30_000);
        const test = () => {
          if (!lines.join("\n").includes(wanted)) return;
          clearTimeout(timer);
          waiting.delete(test);
          found();
        };
        waiting.add(test);
        test();
      }),
    close: () => subscription.unsubscribe(),
  };
}

/** The processes of a daemon's commands that run, without zombies. */
function tagged(home: string): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        const isZombie = readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
        const environ = readFileSync(`/proc/${pid}/environ`, "latin1");
        return !isZombie && environ.includes("BATON_CALL=") && environ.includes(`HOME=${home}`);
      } catch {
        return false;
      }
    });
}

test("an agent talks to a shell, reads its screen and learns how it ended", async () => {
  await using daemon = await TestDaemon.start({ config });
  const [first = "", answer = "", colors = "", end = ""] = await ended(daemon, [
    start("PS1='ready> ' bash --norc --noprofile"),
    type("echo $((6 * 7)); tty | cut -c1-8"),
    type("tput cols; printf '\\033[31mred\\033[0m\\n'"),
    type("exit 3"),
  ]);
  expect(first).toMatch(/^running, terminal s1\.1\nready>/);
  expect(answer).toContain("\n42\n/dev/pts");
  expect(colors).toMatch(/\n100\nred\nready>/);
  expect(end).toMatch(/^exit 3, terminal s1\.1/);
});

test("an agent uses the REPL of Python and of Node", async () => {
  await using daemon = await TestDaemon.start({ config });
  const python = await ended(daemon, [start("python3 -q"), type("sum(range(101))"), type("", ["ctrl-d"])]);
  expect(python[0]).toContain(">>>");
  expect(python[1]).toContain("5050");
  expect(python[2]).toMatch(/^exit 0/);
  const wrong = await turn(daemon, [start("python3 -c 'raise SystemExit(7)'")]);
  await wrong.untilEnd();
  expect(wrong.finished[0]?.result).toMatchObject({ outcome: "failed", text: expect.stringMatching(/^exit 7, terminal/) as string });
  const node = await ended(daemon, [start(process.execPath), type("[1, 2].map((n) => n * 21)"), type(".exit")]);
  expect(node[1]).toContain("[ 21, 42 ]");
  expect(node[2]).toMatch(/^exit 0/);
});

test("an agent answers the questions of npm init", async () => {
  await using daemon = await TestDaemon.start({ config, env: { PATH: process.env["PATH"] ?? "" } });
  daemon.write("named/.keep", "");
  const results = await ended(daemon, [
    start("cd named && npm init --no-update-notifier"),
    look(3_000),
    type("my-package"),
    ...["2.0.0", "A test", "", "", "", "", "", "", ""].map((text) => type(text)),
    type("yes"),
    look(),
  ]);
  expect(JSON.parse(daemon.read("named/package.json"))).toMatchObject({ name: "my-package", version: "2.0.0", description: "A test" });
  expect(results.at(-1)).toMatch(/^exit 0/);
});

test.runIf(hasProgram("vim"))("an agent edits a file in vim, which fills the screen", async () => {
  await using daemon = await TestDaemon.start({ config });
  const [opened = "", , end = ""] = await ended(daemon, [
    start("vim -u NONE -N notes.txt"),
    type("ihello from vim", ["escape"]),
    type(":wq"),
  ]);
  expect(opened).toContain("full screen");
  expect(end).toMatch(/^exit 0/);
  expect(daemon.read("notes.txt")).toBe("hello from vim\n");
});

test("a password that the user types is neither drawn nor stored, and the agent learns that the user typed", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await turn(daemon, [start("read -s -p 'Password: ' p; echo; echo ${#p} characters; sleep 300"), look(6_000)]);
  await session.until("the first screen", ({ finished }) => finished.length === 1);
  const screen = watch(daemon, session.id);
  await screen.until("Password:");
  const { api } = daemon.connect();
  await api.command.type.mutate({ sessionId: session.id, id: "s1.1", data: "correct horse\r" });
  await screen.until("13 characters");
  await session.untilEnd();
  expect(texts(session).at(-1)).toContain("The user has typed into this terminal since you last looked.");
  expect(JSON.stringify(session.events)).not.toContain("correct horse");
  expect(JSON.stringify(screen.frames)).not.toContain("correct horse");
  expect(spawnSync("grep", ["-rl", "correct horse", daemon.home], { encoding: "utf8" })).toMatchObject({ status: 1, stdout: "" });
});

test("two clients type at once, and both see every key", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await turn(daemon, [start("cat > typed.txt")]);
  await session.untilEnd();
  const [one, two] = [watch(daemon, session.id), watch(daemon, session.id)];
  const apis = [daemon.connect().api, daemon.connect().api];
  const send = async (at: number, name: string) => {
    for (let i = 0; i < 20; i++) await apis[at]?.command.type.mutate({ sessionId: session.id, id: "s1.1", data: `${name}${i}\r` });
  };
  await Promise.all([send(0, "a"), send(1, "b")]);
  await Promise.all(["a19", "b19"].flatMap((wanted) => [one.until(wanted), two.until(wanted)]));
  await apis[0]?.command.type.mutate({ sessionId: session.id, id: "s1.1", data: "\u0004" });
  await session.until("the end", ({ events }) => events.some(({ type: each }) => each === "process.ended"));
  const typed = daemon.read("typed.txt").trim().split("\n");
  for (const name of ["a", "b"])
    expect(typed.filter((line) => line.startsWith(name))).toEqual(Array.from({ length: 20 }, (_, i) => name + i));
});

test("the terminal takes the size of the client that typed last", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await turn(daemon, [start("bash --norc --noprofile")]);
  await session.untilEnd();
  const screen = watch(daemon, session.id);
  const { api } = daemon.connect();
  await api.command.type.mutate({ sessionId: session.id, id: "s1.1", data: "stty size\r", size: { columns: 61, rows: 17 } });
  await screen.until("17 61");
  await api.command.type.mutate({ sessionId: session.id, id: "s1.1", data: "stty size\r", size: { columns: 132, rows: 43 } });
  await screen.until("43 132");
  expect(screen.frames.at(-1)).toMatchObject({ columns: 132, rows: 43 });
  await expect(
    api.command.type.mutate({ sessionId: session.id, id: "s1.1", data: "", size: { columns: 100_000, rows: 1 } }),
  ).rejects.toThrow(/columns/);
});

test("escape sequences of a program do not reach clients, and a flood does not fill them", async () => {
  await using daemon = await TestDaemon.start({ config });
  const hostile = String.raw`printf '\033]52;c;c2VjcmV0\007\033]0;title\007\033]8;;file:///etc/passwd\033\\link\033]8;;\033\\ \033[8;5;5t \377\376 bad \033P+q544e\033\\ \033[6n\n'`;
  const session = await turn(daemon, [
    start(`${hostile}; yes 0123456789012345678901234567890123456789 | head -c 200000000; echo; echo the end; sleep 300`),
  ]);
  await session.until("the first screen", ({ finished }) => finished.length === 1);
  const screen = watch(daemon, session.id);
  await screen.until("0123");
  await daemon.connect().api.daemon.status.query(); // the daemon answers during the flood
  await session.untilEnd();
  await daemon.connect().api.command.stop.mutate({ sessionId: session.id, id: "s1.1" });
  const drawn = JSON.stringify(screen.frames);
  for (const part of ["]52", "]0;", "]8;", "file://", "[8;5;5t", "P+q"]) expect(drawn).not.toContain(part);
  expect(texts(session).join().length).toBeLessThan(60_000);
});

test("a session has ten terminals at once and no more, and none of them can reach another one", async () => {
  await using daemon = await TestDaemon.start({ config });
  const inherited = "ls -l /proc/self/fd | grep -c ptmx; sleep 300";
  const session = await turn(daemon, [
    ...Array.from({ length: 11 }, () => start(inherited)),
    { tool: "run_command", input: { command: inherited.slice(0, 33) } },
  ]);
  await session.untilEnd();
  const results = texts(session);
  for (const text of results.slice(0, 10)) expect(text).toMatch(/^running, terminal s\d+\.1\n0\n/);
  expect(results[10]).toContain("10 commands of this session already have a terminal");
  expect(results[11]).toMatch(/\n0\n?$/);
  const { api } = daemon.connect();
  const rows = await api.command.list.query({ sessionId: session.id });
  expect(rows.map(({ status, terminal }) => [status, terminal])).toEqual(Array.from({ length: 10 }, () => ["running", true]));
});

test("nothing remains of a terminal after a stop, and its screen can still be read", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await turn(daemon, [
    start("bash --norc --noprofile -i -c 'trap \"\" HUP TERM; (setsid sleep 301 &) ; echo up; sleep 302'"),
    { tool: "stop_command", input: { id: "s1.1" } },
  ]);
  await session.untilEnd();
  expect(texts(session)[1]).toMatch(/^stopped, terminal s1\.1\nup/);
  await expect.poll(() => tagged(daemon.root), { timeout: 10_000 }).toEqual([]);
  const screen = watch(daemon, session.id);
  await screen.until("up");
  await expect(daemon.connect().api.command.type.mutate({ sessionId: session.id, id: "s1.1", data: "x" })).rejects.toThrow(
    "terminal that runs",
  );
});

test("a program that ends takes what it started with it", async () => {
  await using daemon = await TestDaemon.start({ config });
  const [end = ""] = await ended(daemon, [start("(setsid sleep 300 &); (sleep 301 &); echo left")]);
  expect(end).toMatch(/^exit 0, terminal s1\.1\nleft/);
  await expect.poll(() => tagged(daemon.root), { timeout: 10_000 }).toEqual([]);
});

test("nothing remains of a terminal when its session is deleted or the daemon stops", async () => {
  await using daemon = await TestDaemon.start({ config });
  const command = "bash --norc --noprofile -c 'trap \"\" HUP; setsid sleep 300 & echo up; wait'";
  const [deleted, stopped] = [await turn(daemon, [start(command)]), await turn(daemon, [start(command)])];
  await Promise.all([deleted.untilEnd(), stopped.untilEnd()]);
  const both = tagged(daemon.root).length;
  await daemon.connect().api.session.delete.mutate({ commandId: crypto.randomUUID(), sessionId: deleted.id });
  await expect.poll(() => tagged(daemon.root).length, { timeout: 10_000 }).toBe((both + 1) / 2); // the host is one
  await daemon.kill("SIGTERM");
  expect(tagged(daemon.root)).toEqual([]);
});

test("if the process that holds the terminals dies, their commands end, and the next one gets a new terminal", async () => {
  await using daemon = await TestDaemon.start({ config });
  const model = script(daemon, [
    { calls: [start("cat")] },
    { text: "ok" },
    { calls: [look(0)] },
    { calls: [start("echo again; tty")] },
    { text: "ok" },
  ]);
  const session = await daemon.session({ model });
  await session.runTurn("go");
  for (const pid of tagged(daemon.root).filter((each) => readFileSync(`/proc/${each}/cmdline`, "latin1").includes("terminal-host")))
    process.kill(Number(pid), "SIGKILL");
  await session.until("the end of the command", ({ events }) => events.some(({ type: each }) => each === "process.ended"));
  await session.runTurn("go on", 2);
  const [, lost, again] = texts(session);
  expect(lost).toContain("The process that held the terminal has ended, so its screen is lost.");
  expect(again).toMatch(/^exit 0, terminal s4\.1\nagain\n\/dev\/pts/);
});

test("the outcome of a terminal is unknown after a crash of the daemon, and nothing remains of it", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await turn(daemon, [start("bash -c 'trap \"\" HUP; setsid sleep 300 & echo up; wait'")]);
  await session.untilEnd();
  expect(texts(session)[0]).toContain("up");
  expect(tagged(daemon.root)).not.toEqual([]);
  await daemon.kill();
  await daemon.start();
  await expect.poll(() => tagged(daemon.root), { timeout: 10_000 }).toEqual([]);
  expect(await daemon.connect().api.command.list.query({})).toMatchObject([{ id: "s1.1", status: "unknown" }]);
});

test("input asks, shows the exact text and the command, and a rule for the command allows it", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: "allow" } } });
  const session = await turn(daemon, [
    start("bash --norc --noprofile"),
    type("echo a\u0003b"),
    type("echo again"),
    type("echo third", ["enter"]),
  ]);
  const asked = await input(session);
  expect(asked).toMatchObject({
    header: "Type this into the command?",
    remember: { action: "input", resource: "bash --norc --noprofile" },
  });
  expect(asked.view).toMatchObject({ type: "text" });
  expect(asked.view?.type === "text" && asked.view.text).toMatch(
    /^Into s1\.1: bash --norc --noprofile\n\necho a\[ctrl-c\]b \[enter\]\n\n.*any command\.$/,
  );
  const hash = asked.hash === undefined ? {} : { hash: asked.hash };
  await session.answer({ choice: "once", ...hash }, asked.id);
  const next = await input(session);
  await session.answer({ choice: "session", ...(next.hash === undefined ? {} : { hash: next.hash }) }, next.id);
  await session.untilEnd();
  expect(openRequests(session.state)).toEqual([]);
  expect(texts(session).at(-1)).toContain("third");
});

test("calls that cannot type anything fail without a question", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: "allow" } } });
  const results = await ended(daemon, [
    start("cat"),
    type("x", ["hyper-x"]),
    type("", []),
    type("x", [], "s9.9"),
    { tool: "run_command", input: { command: "sleep 300", background: true } },
    type("x", [], "s5.1"),
    type(`short\n${"x".repeat(4_001)}\nshort`),
  ]);
  expect(results.slice(1)).toEqual([
    expect.stringContaining("There is no key hyper-x"),
    expect.stringContaining("Neither text nor keys"),
    expect.stringContaining("no background command s9.9"),
    expect.stringContaining("Started in the background"),
    expect.stringContaining("s5.1 has no terminal"),
    expect.stringContaining("A line is longer than 4000 bytes"),
  ]);
});

test("a mode that cannot run a command cannot type into one that runs", async () => {
  await using daemon = await TestDaemon.start({ config });
  const typed = { calls: [type("touch widened.txt")] };
  const model = script(daemon, [
    { calls: [start("bash --norc --noprofile")] },
    { text: "ok" },
    typed,
    { text: "ok" },
    typed,
    { text: "ok" },
  ]);
  const session = await daemon.session({ model });
  approveStarts(session);
  await session.runTurn("go");
  for (const [i, mode] of ["plan", "ask"].entries()) {
    await session.prompt("now", { mode });
    await session.untilEnd(2 + i);
    expect(texts(session).at(-1)).toContain(`The tool write_to_command is not available in mode ${mode}`);
  }
  expect(daemon.read("widened.txt")).toBe("");
});

function hasProgram(name: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => {
    try {
      return readdirSync(folder).includes(name);
    } catch {
      return false;
    }
  });
}
