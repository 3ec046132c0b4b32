import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer } from "../support/model-server.ts";
import { script } from "../support/script.ts";

const list = { calls: [{ tool: "list_files", input: {} }] };
const read = (file: string) => ({ calls: [{ tool: "read_file", input: { path: file } }] });
const commandId = () => crypto.randomUUID();

test("the third equal call asks, and an approval restarts the count", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [list, list, list, list, { text: "ok" }]) });
  await session.prompt("go");
  const request = await session.untilOpen();
  expect(request.verdicts?.map(({ action, effect }) => `${action} ${effect}`)).toEqual(["read allow", "loop_guard ask"]);
  expect(request.rule?.source).toBe("the same call for the third time in a row");
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(session.state.counts.opened).toBe(1);
});

test("two alternating calls ask in the third round, and a rule can allow them", async () => {
  await using daemon = await TestDaemon.start();
  const rounds = [read("a"), read("b"), read("a"), read("b"), read("a"), read("b"), { text: "ok" }];
  const session = await daemon.session({ model: script(daemon, rounds) });
  await session.prompt("go");
  expect((await session.untilOpen()).rule?.source).toBe("two calls in turn for the third time");

  await using lenient = await TestDaemon.start({ config: { permissions: { loop_guard: "allow" } } });
  const other = await lenient.session({ model: script(lenient, rounds) });
  await other.runTurn("go");
  expect(other.state.counts.opened).toBe(0);
});

test("a turn that reaches its time limit asks, and an approval grants the same time again", async () => {
  await using model = await ModelServer.start({ replies: [list, read("a"), read("b"), { text: "ok" }] });
  await using daemon = await TestDaemon.start({
    config: {
      ...model.config,
      limits: { minutes: 0.000_001 },
    },
  });
  const session = await daemon.session();
  await session.prompt("go");
  const request = await session.untilOpen();
  expect(request).toMatchObject({ subject: { turn: 1 }, choices: [{ id: "continue" }, { id: "stop" }] });
  expect(request.text).toContain("minutes, which is its limit.");
  await session.answer({ choice: "continue" });
  await session.untilOpen();
  await session.answer({ choice: "stop" });
  await session.untilEnd();
  expect(session.state.lastTurn).toMatchObject({ reason: "limit" });
});

test("a turn that reaches its limit of tool output asks, and an approval grants the same amount again", async () => {
  await using daemon = await TestDaemon.start({ config: { limits: { output: 0.000_1 } } });
  daemon.write("long.txt", "0123456789\n".repeat(20));
  const session = await daemon.session({ model: script(daemon, [read("long.txt"), { text: "ok" }]) });
  await session.prompt("go");
  expect((await session.untilOpen()).text).toContain("of results, which is its limit.");
  await session.answer({ choice: "continue" });
  await session.untilEnd();
  expect(session.state.lastTurn?.reason).toBe("completed");
});

test("rules of a project only restrict, only if it is trusted, and as its file is at that moment", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
  const file = daemon.write(
    ".baton/config.jsonc",
    '{ "permissions": { "edit": { "locked/*": "deny" }, "command": "allow" }, "model": "evil/model" }',
  );
  const { api } = daemon.connect();
  const effects = async () => {
    const ask = (action: string, resource: string) => ({ action, resource, cwd: daemon.workspace });
    const answers = await api.permission.check.query([ask("edit", "locked/a"), ask("edit", "src/a"), ask("command", "make")]);
    return answers.map((answer) => ("error" in answer ? answer.error : answer.effect));
  };
  await daemon.session();
  expect(await effects()).toEqual(["allow", "allow", "ask"]);
  await api.workspace.trust.mutate({ commandId: commandId(), cwd: daemon.workspace, trusted: true });
  expect(await effects()).toEqual(["deny", "allow", "ask"]);
  writeFileSync(file, '{ "permissions": { "edit": { "other/*": "deny" } } }');
  expect(await effects()).toEqual(["allow", "allow", "ask"]);
  writeFileSync(file, '{ "permissions": { "edit": { "lo');
  expect(await effects()).toEqual(["allow", "allow", "ask"]); // the previous rules stay in effect
  rmSync(path.dirname(file), { recursive: true });
  expect(await effects()).toEqual(["allow", "allow", "ask"]);
});

test("while a trusted project's rules cannot be read, every call in it asks, and the error is reported", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
  const { api } = daemon.connect();
  const asked = [
    ["read", "secret/a"],
    ["edit", "a"],
    ["question", "*"],
  ] as const;
  const effects = async () => {
    const answers = await daemon
      .connect()
      .api.permission.check.query(asked.map(([action, resource]) => ({ action, resource, cwd: daemon.workspace })));
    return answers.map((answer) => ("effect" in answer ? answer.effect : answer.error));
  };
  const file = daemon.write(".baton/config.jsonc", '{ "permissions": { "read": { "secret/*": "deny" } } }');
  const servers = daemon.write(".mcp.json", '{ "mcpServers": { "typo": { "comand": "x" } } }');
  await api.workspace.trust.mutate({ commandId: commandId(), cwd: daemon.workspace, trusted: true });
  expect(await effects()).toEqual(["deny", "allow", "allow"]);
  for (const broken of [
    '{ "permissions": { "read": { "secret/*": "dney" } } }',
    '{ "permissions": { "raed": { "secret/*": "deny" } } }',
    '{ "permi',
  ]) {
    await daemon.kill();
    writeFileSync(file, broken);
    await daemon.start();
    const { diagnostics } = await daemon.connect().api.daemon.status.query({ cwd: daemon.workspace });
    expect(diagnostics).toMatchObject([
      { file, severity: "error" },
      { file: servers, severity: "warning", message: "typo: a server has either a command or a url." },
    ]);
    expect(await effects()).toEqual(["ask", "ask", "allow"]);
  }
});

test("a trusted project can remove tools and lower limits, and cannot add any", async () => {
  await using daemon = await TestDaemon.start({ config: { disabledTools: ["glob"], limits: { steps: 3, cost: 1 } } });
  daemon.write(".baton/config.jsonc", '{ "disabledTools": ["run_command"], "limits": { "steps": 500, "cost": 0.5 }, "todoList": false }');
  const { api } = daemon.connect();
  const withheld = async () =>
    (await api.daemon.tools.query({ cwd: daemon.workspace })).withheld.map(({ name, reason }) => `${name}: ${reason}`);
  expect(await withheld()).not.toContain("run_command: disabledTools names it");
  await api.workspace.trust.mutate({ commandId: commandId(), cwd: daemon.workspace, trusted: true });
  expect(await withheld()).toEqual(expect.arrayContaining(["glob: disabledTools names it", "run_command: disabledTools names it"]));
  expect(await withheld()).not.toContain("update_todo_list: the setting todoList is off");
  const session = await daemon.session();
  await session.until("its beginning", ({ state }) => state.created);
  expect(session.state).toMatchObject({ stepLimit: 3, limits: { cost: 0.5 } });
});

test("the config can turn the network off, and the verdict names the line", async () => {
  await using daemon = await TestDaemon.start({ configText: '{\n  "network": "off",\n  "permissions": { "*": "allow" }\n}' });
  const [answer] = await daemon
    .connect()
    .api.permission.check.query([{ action: "fetch", resource: "https://example.com/", cwd: daemon.workspace }]);
  expect(answer).toMatchObject({ effect: "deny", rule: { source: "network is off, config.jsonc:2" } });
});

test("rules of another agent are shown in Baton's terms, and put before the user's own rules on request", async () => {
  await using daemon = await TestDaemon.start({
    configText: '{\n  // mine\n  "permissions": [{ "action": "edit", "resource": "*", "effect": "deny" }]\n}',
  });
  const { api } = daemon.connect();
  const text = '{ "permissions": { "allow": ["Bash(make:*)", "Edit"] } }';
  const file = path.join(daemon.root, ".claude", "settings.json");
  const shown = await api.permission.import.mutate({ text, file, write: false });
  expect(shown.imported?.rules).toHaveLength(2);
  expect((await api.permission.import.mutate({ text, file, write: true })).written).toBe(true);
  expect(readFileSync(path.join(daemon.home, "config.jsonc"), "utf8")).toContain("// mine");
  const ask = (action: string, resource: string) => api.permission.check.query([{ action, resource, cwd: daemon.workspace }]);
  await expect.poll(async () => (await ask("command", "make all"))[0]).toMatchObject({ effect: "allow" });
  expect((await ask("edit", "a.txt"))[0]).toMatchObject({ effect: "deny" });
  expect((await api.permission.import.mutate({ text: "nothing", file, write: false })).imported).toBeNull();
  const project = path.join(daemon.workspace, ".claude", "settings.json");
  const theirs = '{ "permissions": { "allow": ["Bash(tool:*)"], "deny": ["Read(secrets/)", "Read(private)"] } }';
  expect((await api.permission.import.mutate({ text: theirs, file: project, write: true })).written).toBe(true);
  await expect.poll(async () => (await ask("read", "secrets/a"))[0]).toMatchObject({ effect: "deny" });
  expect((await ask("read", "x/private/a"))[0]).toMatchObject({ effect: "deny" });
  expect((await ask("command", "tool x"))[0]).toMatchObject({ effect: "ask" });
});
