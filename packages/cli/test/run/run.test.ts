import { spawn } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { call, openHome, runClient } from "../support/home.ts";

const command = call("run_command", { command: "echo hi" });
const linesOf = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split("\n")
    .map((line) => objectOf(line));

function objectOf(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== "object" || value === null) throw new Error(`not an object: ${line}`);
  return { ...value };
}

test("the answer goes to stdout, and the progress to stderr", async () => {
  await using home = openHome();
  const model = home.script({ text: "Hello there." });
  for (const prompt of ["go", "/etc/hosts is wrong", " /nosuch is text"])
    expect(await home.run(["run", prompt, "--model", model])).toEqual({ code: 0, out: "Hello there.\n", err: "" });
});

test.for([
  ["deny", 0, false],
  ["allow", 0, true],
  ["fail", 3, false],
] as const)("requests of a subtask are answered like those of the turn: %s", async ([onRequest, exit, isMade]) => {
  await using home = openHome();
  const touch = call("run_command", { command: "touch made" });
  const models = {
    orchestrator: home.script({ calls: [call("new_task", { mode: "code", message: "Make it." })] }, { text: "That is all." }),
    code: home.script({ calls: [touch] }, { calls: [call("attempt_completion", { result: "So it is." })] }),
  };
  const modes = Object.fromEntries(Object.entries(models).map(([slug, model]) => [slug, { model }]));
  writeFileSync(path.join(home.env["BATON_HOME"] ?? "", "config.jsonc"), JSON.stringify({ modes }));
  const { code, out } = await home.run(["run", "go", "--mode", "orchestrator", "--json", "--on-request", onRequest]);
  expect(code).toBe(exit);
  expect(linesOf(out).at(-1)).toMatchObject({ status: exit === 3 ? "waiting" : "completed", requests: { opened: 1 } });
  expect(existsSync(path.join(home.workspace, "made"))).toBe(isMade);
  if (exit === 3) return;
  const session = String(linesOf(out).at(-1)?.["session"]);
  const used = await home.run(["usage", "--session", session, "--json"]);
  expect(linesOf(used.out)).toMatchObject([
    { turn: "1", steps: 2 },
    { turn: expect.stringMatching(`^${session}\\.`) as unknown, steps: 2 },
  ]);
});

test("the output names what an undecided folder disables, once the folder has something to disable", async () => {
  await using home = openHome();
  const model = home.script({ text: "Hello." });
  writeFileSync(path.join(home.workspace, "CLAUDE.md"), "Be brief.");
  const left = "This folder is not trusted, so Baton ignores CLAUDE.md. `baton trust` trusts it.\n";
  expect(await home.run(["run", "go", "--model", model])).toEqual({ code: 0, out: "Hello.\n", err: left });
  await home.run(["trust"]);
  expect(await home.run(["run", "go", "--model", model])).toEqual({ code: 0, out: "Hello.\n", err: "" });
});

test.each([
  ["nothing", { text: "" }],
  ["reasoning only", { text: " ", reasoning: "Hm." }],
])("an empty answer is a failure: %s", async (_, reply) => {
  await using home = openHome();
  const ran = await home.run(["run", "go", "--model", home.script(reply)]);
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("The model's reply was empty") as unknown });
  expect(ran.out.trim()).toBe("");
  const [row] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  expect((await home.run(["show", row?.id ?? ""])).out).toContain("The model's reply was empty");
});

test("a turn whose calls are all denied ends by itself", async () => {
  await using home = openHome();
  const model = home.script(...Array.from({ length: 20 }, () => ({ calls: [command] })));
  const { code, out } = await home.run(["run", "go", "--json", "--model", model]);
  expect(code).toBe(4);
  expect(linesOf(out).at(-1)).toMatchObject({ status: "denied", steps: 5 });
});

test("with --json every line is an event or a frame, and the last line is the result", async () => {
  await using home = openHome();
  const { code, out } = await home.run(
    ["run", "-", "--json", "--model", home.script({ text: "Hello there.", stream: { characters: 5, everyMs: 1 } })],
    "go",
  );
  const lines = linesOf(out);
  const events = lines.filter((line) => "seq" in line);
  expect(code).toBe(0);
  expect(events.map(({ seq, type }) => `${String(seq)} ${String(type)}`)).toEqual([
    "1 session.created",
    "2 prompt.received",
    "3 prompt.delivered",
    "4 model.started",
    "5 model.replied",
    "6 turn.ended",
  ]);
  expect(lines.slice(0, -1).every((line) => "seq" in line || "frame" in line)).toBe(true);
  expect(lines.at(-1)).toMatchObject({
    type: "result",
    status: "completed",
    text: "Hello there.",
    steps: 1,
    usage: { input: 0, cachedInput: 0, output: 0, cost: 0 },
    requests: { opened: 0, answered: 0, denied: 0 },
  });
});

test("without a user, the request is denied, and exit code 4 says that the turn ended because of it", async () => {
  await using home = openHome();
  const { code, out } = await home.run([
    "run",
    "go",
    "--json",
    "--model",
    home.script({ calls: [command] }, { text: "Not allowed, so I stop." }),
  ]);
  expect(linesOf(out).at(-1)).toMatchObject({ status: "denied", requests: { opened: 1, answered: 1, denied: 1 } });
  expect(code).toBe(4);
});

test("--on-request allow allows once, and fail leaves the request open with exit code 3", async () => {
  await using home = openHome();
  const model = home.script({ calls: [command] }, { text: "Done." });
  const allowed = await home.run(["run", "go", "--on-request", "allow", "--model", model]);
  const failed = await home.run(["run", "go", "--on-request", "fail", "--model", model]);
  expect([allowed.code, allowed.out, failed.code]).toEqual([0, "Done.\n", 3]);
  const inbox: unknown = JSON.parse((await home.run(["inbox", "--json"])).out);
  expect(inbox).toMatchObject([
    { kind: "approval", tool: "run_command", choices: [{ id: "once" }, { id: "session" }, { id: "workspace" }, { id: "deny" }] },
  ]);
});

test("another command can answer a request that a run waits for, and the second answer names the first one", async () => {
  await using home = openHome();
  const model = home.script({ calls: [command] }, { text: "Done." });
  const waiting = home.run(["run", "go", "--on-request", "wait", "--model", model]);
  const id = await firstRequest(() => home.run(["inbox", "--json"]));
  const wrong = await home.run(["answer", id, "perhaps"]);
  expect([wrong.code, wrong.err]).toEqual([
    2,
    `baton: This request has no choice "perhaps". Choose one of: once, session, workspace, deny.\n`,
  ]);
  expect((await home.run(["answer", id.slice(0, 5), "1"])).out).toBe(`Answered ${id}: once.\n`);
  const late = await home.run(["answer", id, "deny"]);
  expect([late.code, late.err]).toEqual([1, "baton: Already answered by cli: once.\n"]);
  const { code, out, err } = await waiting;
  expect({ code, out }).toEqual({ code: 0, out: "Done.\n" });
  expect(err).toContain(`(or with session, workspace, deny):\n    baton answer ${id} once\n`);
  expect(err).toMatch(/Run this command\? +\[code\] · /);
});

test("the numbers of an inbox keep their meaning after requests appear or disappear", async () => {
  await using home = openHome();
  const model = home.script({ calls: [command] }, { text: "Done." });
  const leave = () => home.run(["run", "go", "--on-request", "fail", "--model", model]);
  expect((await home.run(["answer", "1", "once"])).err).toContain("Run `baton inbox`, or give the id.");
  await leave();
  await leave();
  const ids = (await home.run(["inbox"])).out.match(/\S+-s1\.1/g) ?? [];
  expect((await home.run(["answer", "1", "deny"])).out).toBe(`Answered ${ids[0]}: deny.\n`);
  expect((await home.run(["answer", "2", "deny"])).out).toBe(`Answered ${ids[1]}: deny.\n`);
  expect((await home.run(["answer", "3", "deny"])).err).toContain("The inbox last printed had 2 requests.");
});

test("wrong usage gets exit code 2 and a sentence with the next step", async () => {
  await using home = openHome();
  const model = home.script({ text: "x" });
  writeFileSync(path.join(home.workspace, "file"), "");
  const wrong: [string[], string][] = [
    [["run", "go", "--model", model, "--mode", "nix"], 'There is no mode "nix". The modes are: code'],
    [["run", "go", "--model", "nix"], 'There is no model "nix".'],
    [["run", "go"], "No model is configured."],
    [["run", "go", "--model", model, "--session", "zzzz"], "There is no session zzzz. `baton sessions` lists them."],
    [["run", "go", "--model", model, "--cwd", "file"], "is not a folder. Name the folder to work in."],
    [["run", "go", "--model", model, "--cwd", "nowhere"], "There is no folder"],
    [["run", "go", "--on-request", "perhaps"], "Allowed choices are wait, deny, fail, allow"],
    [["answer", "nothing-s1", "once"], "There is no request nothing-s1. `baton inbox` lists the open ones."],
    [["show", "zzzz"], "There is no session zzzz."],
    [["sessions", "--now"], "unknown option"],
    [["run", "/nosuch now", "--model", model], "There is no command /nosuch."],
    [["frobnicate", "--now"], 'There is no command "frobnicate", and no folder with that name.'],
    [["permisions"], 'There is no command "permisions", and no folder with that name. Did you mean `baton permissions`?'],
    [["privacy"], "`baton help privacy` prints the page about it."],
    [["help", "permisions"], "Did you mean `baton help permissions`"],
    [["daemon", "lgos"], "There is no command `baton daemon lgos`. Did you mean `baton daemon logs`?"],
    [["permissions", "check", "--action", "comand", "--resource", "ls"], 'There is no action "comand". Did you mean "command"?'],
    [["auth", "login", "antropic"], "There is no provider antropic. Did you mean anthropic? The providers are: anthropic, "],
    [["run", "go", "--model", "antropic/x"], "There is no provider antropic. Did you mean anthropic?"],
    [["answer", "x-s1", "once", "--rule", '{"action":"command"}'], "--rule is invalid: resource is missing, effect is missing."],
  ];
  for (const [args, says] of wrong) {
    const { code, err, out } = await home.run(args);
    expect({ args, code, says: err.includes(says) ? says : err, out }).toEqual({ args, code: 2, says, out: "" });
  }
});

test("help prints the packed pages, their list, and the help of commands", async () => {
  await using home = openHome();
  const outputOf = async (...words: string[]) => (await home.run(["help", ...words])).out;
  expect(await outputOf("privacy")).toMatch(/^Privacy\n\nBaton sends no telemetry/);
  expect(await outputOf("topics")).toMatch(/^ {2}guides\/undo +Undo, redo and rewind$/m);
  expect(await outputOf("mcp", "add")).toMatch(/^Usage: baton mcp add /);
});

test("with --json there is a result even if no turn could start", async () => {
  await using home = openHome();
  const { code, out, err } = await home.run(["run", "go", "--json", "--mode", "nix", "--model", home.script({ text: "x" })]);
  expect(code).toBe(2);
  expect(linesOf(out)).toMatchObject([
    { type: "result", session: null, status: "failed", message: expect.stringContaining("nix") as unknown },
  ]);
  expect(err).toContain('There is no mode "nix".');
});

test("the path of a script is relative to the working directory, and a session is named by a prefix of its id", async () => {
  await using home = openHome();
  writeFileSync(path.join(home.workspace, "hello.json"), JSON.stringify({ replies: [{ text: "Hello." }, { text: "Again." }] }));
  const first = await home.run(["run", "go", "--json", "--model", "scripted/hello.json"]);
  const session = String(linesOf(first.out).at(-1)?.["session"]);
  const again = await home.run(["run", "go", "--session", session.slice(0, 4)]);
  expect(again).toEqual({ code: 0, out: "Again.\n", err: "" });
});

test("rules are listed in the format of the config, with higher rules in a separate list, and normal events of the daemon's log are not problems", async () => {
  await using home = openHome();
  const config = {
    permissions: [
      { action: "command", resource: "git *", effect: "ask" },
      { action: "command", resource: "git push *", effect: "deny" },
    ],
  };
  writeFileSync(path.join(home.env["BATON_HOME"] ?? "", "config.jsonc"), JSON.stringify(config));
  const { out } = await home.run(["permissions", "--mode", "ask"]);
  const [rules = "", ...above] = out.split("\n\n");
  expect(rules).toMatch(/The last match decides\.\n  ◆ ask {3}\* \* [^]*◆ ask {3}command git \* [^]*– deny {2}command git push \* · user/);
  expect(above.at(-1)).toMatch(/^ {2}– deny {2}command git push \* · user/);
  expect((await home.run(["daemon", "logs"])).out).toMatch(/^\S+ \S+Z {2}pid \d+ {4}started, version/);
});

test("a broken config is reported with its position, and everything else works", async () => {
  await using home = openHome();
  writeFileSync(path.join(home.env["BATON_HOME"] ?? "", "config.jsonc"), '{\n  "modle": "a/b"\n}\n');
  await home.run(["daemon", "start"]);
  const { code, out } = await home.run(["doctor"]);
  expect(code).toBe(1);
  const flat = out.replace(/\s+/g, " ");
  expect(flat).toContain('✗ config ~/home/config.jsonc:2:3 Unknown key "modle". Did you mean "model"? Fix it there;');
  expect(flat).not.toContain("✓ config");
  const { properties } = objectOf((await home.run(["config", "schema"])).out);
  expect(properties).toMatchObject({ model: { type: "string" }, mcpServers: { type: "object" } });
});

test("a failure is reported once", async () => {
  await using home = openHome();
  const { code, err } = await home.run(["run", "go", "--model", "scripted/nothing.json"]);
  expect(code).toBe(2);
  expect(err.split("nothing.json cannot be read")).toHaveLength(2);
  expect(err).toContain("The turn failed.");
});

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

test("SIGINT stops the turn and exits with 130", async () => {
  await using home = openHome();
  const model = home.script({ text: "I take my time. ".repeat(50), stream: { characters: 2, everyMs: 50 } });
  const client = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
  const child = spawn(process.execPath, [client, "run", "go", "--json", "--model", model], {
    cwd: home.workspace,
    env: home.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (data: Buffer) => {
    if (!out.includes('"frame"') && data.includes('"frame"')) child.kill("SIGINT");
    out += data.toString();
  });
  expect(await new Promise((ended) => child.on("close", ended))).toBe(130);
  expect(linesOf(out).at(-1)).toMatchObject({ type: "result", status: "stopped" });
});

test("a killed daemon loses no line and repeats none", async () => {
  await using home = openHome();
  await home.run(["daemon", "start"]);
  const model = home.script({ text: "I take my time. ".repeat(8), stream: { characters: 2, everyMs: 20 } }, { text: "x" });
  const client = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
  const child = spawn(process.execPath, [client, "run", "go", "--json", "--model", model], {
    cwd: home.workspace,
    env: home.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.on("data", (data: Buffer) => {
    if (!out.includes('"frame"') && data.includes('"frame"')) process.kill(home.daemonPid(), "SIGKILL");
    out += data.toString();
  });
  expect(await new Promise((ended) => child.on("close", ended))).toBe(0);
  const lines = linesOf(out);
  const seqs = lines.flatMap(({ seq }) => (typeof seq === "number" ? [seq] : []));
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  expect(lines.at(-1)).toMatchObject({ status: "completed", text: "I take my time. ".repeat(8) });
});

test("a turn that breaks off is reported with its session and its cost", async () => {
  await using home = openHome();
  const slow = { text: "I take my time. ".repeat(200), stream: { characters: 2, everyMs: 20 } };
  const model = home.script({ text: "Hello." }, { text: "First I look.", calls: [call("list_files", {})] }, slow);
  const begun = await home.run(["run", "go", "--json", "--model", model]);
  const session = String(linesOf(begun.out).at(-1)?.["session"]);
  const client = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
  const child = spawn(process.execPath, [client, "run", "go on", "--json", "--session", session], {
    cwd: home.workspace,
    env: home.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  let isLost = false;
  child.stdout.on("data", (data: Buffer) => {
    out += data.toString();
    if (isLost || !/"tool.finished"[^]*"frame"/.test(out)) return;
    isLost = true;
    process.kill(home.daemonPid(), "SIGKILL");
    for (const end of ["", "-wal", "-shm"]) rmSync(path.join(home.env["BATON_HOME"] ?? "", `baton.db${end}`), { force: true });
  });
  expect(await new Promise((ended) => child.on("close", ended))).toBe(2);
  expect(linesOf(out).at(-1)).toMatchObject({
    type: "result",
    session,
    status: "failed",
    text: "First I look.",
    steps: 2,
    message: expect.stringContaining("There is no session") as unknown,
  });
});

test("the demo runs to its end without a terminal and leaves no files behind", async () => {
  await using home = openHome();
  const { code, out } = await home.run(["demo"]);
  expect(out).toContain("Everything except the model is real.");
  expect(out).toMatch(/✓ edit +src\/booking\.js/);
  expect(out).toMatch(/✓ run +node --test/);
  expect(out).toContain("End of the demo.");
  expect(code).toBe(0);
});

test("without a model and without a terminal, baton lists what it found and shows the demo", async () => {
  await using home = openHome();
  const { code, out } = await home.run([]);
  expect(out).toContain("No model is configured.");
  expect(out).toContain("End of the demo.");
  expect(code).toBe(0);
});

test("`baton permissions check` answers line by line, in order", async () => {
  await using home = openHome();
  const questions = [
    '{"tool":"read_file","input":{"path":"a.txt"}}',
    "nonsense",
    '{"action":"command","resource":"rm -rf /","rules":{"command":"deny"}}',
    '{"action":"command","resource":"ls","onlyRules":true,"rules":[{"action":"command","resource":"ls *","effect":"allow"}]}',
  ];
  const { code, out } = await home.run(["permissions", "check", "--stdin"], questions.join("\n"));
  expect(code).toBe(0);
  expect(linesOf(out).map((line) => line["effect"] ?? line["error"])).toEqual(["allow", "This line is not JSON.", "deny", "allow"]);

  const file = path.join(home.workspace, "rules.json");
  writeFileSync(file, '{"read":"deny"}');
  const check = (rules: string) => home.run(["permissions", "check", "--stdin", "--rules", rules], questions.join("\n"));
  expect(linesOf((await check(file)).out)[0]).toMatchObject({ effect: "deny" });
  expect(await check(`${file}x`)).toMatchObject({ code: 2, err: expect.stringContaining("cannot be read") as string });
});

test("each question gets one answer, whatever its characters are and however many rules belong to it", async () => {
  await using home = openHome();
  const rules = Array.from({ length: 40 }, (_, i) => ({ action: "command", resource: `tool-${i} *`, effect: "deny" }));
  const questions = Array.from({ length: 1_000 }, (_, i) =>
    JSON.stringify({ ...(i % 2 === 0 ? { action: "read", resource: "a\u2028b" } : { action: "command", resource: "tool-7 x" }), rules }),
  );
  const { code, out } = await home.run(["permissions", "check", "--stdin"], questions.join("\n"));
  expect(code).toBe(0);
  expect(linesOf(out).map((line) => line["effect"])).toEqual(questions.map((_, i) => (i % 2 === 0 ? "allow" : "deny")));
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

/** Asks the daemon until there is a request. */
async function firstRequest(ask: () => Promise<{ out: string }>): Promise<string> {
  for (;;) {
    const id = /^\[\{"id":"([^"]+)"/.exec((await ask()).out)?.[1];
    if (id !== undefined) return id;
  }
}

test("a session can be forked, exported, imported and deleted", async () => {
  await using home = openHome();
  const model = home.script(
    { text: "Hello.", calls: [call("ask_followup_question", { question: "Which?", follow_up: ["a", "b"] })] },
    { text: "Bye." },
  );
  const ran = JSON.parse((await home.run(["run", "hi", "--model", model, "--json"])).out.trim().split("\n").at(-1) ?? "") as {
    session: string;
  };
  const forked = JSON.parse((await home.run(["fork", ran.session, "--json"])).out) as { id: string };
  expect(forked.id).not.toBe(ran.session);
  const exported = await home.run(["export", ran.session]);
  const last = exported.out.trim().split("\n").length;
  const beyond = await home.run(["fork", ran.session, "--at", String(last + 1)]);
  expect(beyond).toMatchObject({
    code: 2,
    err: `baton: There is no event ${last + 1} in the session ${ran.session}. The last one is ${last}.\n`,
  });
  expect((await home.run(["fork", ran.session, "--at", String(last)])).code).toBe(0);
  expect(exported.out.split("\n")[0]).toContain('"session.created"');
  expect((await home.run(["export", ran.session, "--markdown"])).out).toContain("> hi");

  const imported = JSON.parse((await home.run(["import", "-", "--json"], exported.out)).out) as { id: string };
  const text = async (id: string) => (await home.run(["export", id, "--markdown"])).out;
  expect(await text(imported.id)).toBe(await text(ran.session));

  expect((await home.run(["delete", ran.session])).code).toBe(2); // no user is present
  expect((await home.run(["delete", ran.session, "--yes", "--json"])).out).toContain(ran.session);
  expect((await home.run(["show", ran.session])).code).toBe(2);
  expect(await text(forked.id)).toContain("Hello.");
  const broken = await home.run(["import", "-"], '{"type":"nonsense"}\n');
  expect(broken.code).not.toBe(0);
});

const schema = {
  type: "object",
  properties: { colour: { enum: ["red", "blue"] }, count: { type: "integer", minimum: 1 } },
  required: ["colour"],
};

test("with --schema the answer is JSON that matches the schema, and Baton asks once more for an answer that does not", async () => {
  await using home = openHome();
  const file = path.join(home.workspace, "schema.json");
  writeFileSync(file, JSON.stringify(schema));
  const fenced = await home.run([
    "run",
    "go",
    "--schema",
    file,
    "--model",
    home.script({ text: 'Here:\n```json\n{"colour": "red"}\n```' }),
  ]);
  expect(fenced).toEqual({ code: 0, out: '{"colour":"red"}\n', err: "" });
  const mended = await home.run([
    "run",
    "go",
    "--json",
    "--schema",
    file,
    "--model",
    home.script({ text: "red" }, { text: '{"colour":"blue"}' }),
  ]);
  expect(mended.code).toBe(0);
  const lines = linesOf(mended.out);
  expect(lines.at(-1)).toMatchObject({
    type: "result",
    status: "completed",
    output: { colour: "blue" },
    text: '{"colour":"blue"}',
    steps: 2,
  });
  expect(lines.filter(({ type }) => type === "session.created")).toHaveLength(1);
});

test("a second answer that does not match ends with exit code 1, and a file that is not a schema ends with 2 before the session starts", async () => {
  await using home = openHome();
  const file = path.join(home.workspace, "schema.json");
  writeFileSync(file, JSON.stringify(schema));
  const wrong = await home.run(["run", "go", "--schema", file, "--model", home.script({ text: "red" }, { text: '{"colour":"green"}' })]);
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("does not match the schema") as unknown });
  writeFileSync(file, "no schema");
  expect(await home.run(["run", "go", "--schema", file])).toMatchObject({
    code: 2,
    err: expect.stringContaining("is not a valid JSON Schema") as unknown,
  });
});

test("input that is too large for one message is refused, and not sent repeatedly", async () => {
  await using home = openHome();
  const { code, out, err } = await home.run(["run", "-", "--model", home.script({ text: "never" })], "x".repeat(2_000_000));
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("The message is larger than 1 MB");
});

test("a session of many megabytes can be exported and imported completely", async () => {
  await using home = openHome();
  const long = (letter: string) => ({ text: letter.repeat(400_000) });
  const model = home.script(long("a"), long("b"), long("ä"), long("d"));
  for (let i = 0; i < 4; i++) await home.run(["run", "go", ...(i === 0 ? [] : ["--continue"]), "--model", model]);
  const [first] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  const exported = await home.run(["export", first?.id ?? ""]);
  expect(exported.out.length).toBeGreaterThan(1_600_000);
  const { code, out, err } = await home.run(["import", "-", "--json"], exported.out);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const again = await home.run(["export", (JSON.parse(out) as { id: string }).id, "--markdown"]);
  expect(again.out).toBe((await home.run(["export", first?.id ?? "", "--markdown"])).out);
});

test("problems of the settings appear on stderr, and the turn runs", async () => {
  await using home = openHome();
  writeFileSync(
    path.join(home.env["BATON_HOME"] ?? "", "config.jsonc"),
    '{ "permisions": {}, "providers": { "work": { "kind": "openai", "apiKey": "{env:NOT_SET_HERE}" } } }',
  );
  const ran = await home.run(["run", "hi", "--json", "--model", home.script({ text: "Hello." })]);
  expect(ran.code).toBe(0);
  expect(ran.err).toMatch(/config\.jsonc:1:3 Unknown key "permisions"\. Did you mean "permissions"\?/);
  expect(ran.err).toContain("providers.work.apiKey: the variable NOT_SET_HERE is not set in the daemon's environment");
  const refused = await home.run(["run", "hi", "--model", "work/gpt-5.6"]);
  expect(refused.err).toContain("There is no key for work: the variable NOT_SET_HERE, which its apiKey names, is not set");
  expect((await home.run(["doctor"])).out).toMatch(/– config .*NOT_SET_HERE/);
});
