import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer } from "../support/model-server.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const mcpServer = fileURLToPath(new URL("../support/mcp/mcp-server.ts", import.meta.url));

type Replies = Parameters<typeof script>[1];
const call = (tool: string, input: object) => ({ tool, input });
const write = (file: string) => call("write_file", { path: file, content: "x" });
const read = (file: string) => call("read_file", { path: file });
const stay = { calls: [call("coordinate_mode", { outcome: "stay", reason: "reading is enough" })] };

const results = ({ finished }: TestSession) => finished.map(({ callId, result }) => `${callId} ${result.outcome}: ${result.text}`);
const changes = ({ events }: TestSession) => events.flatMap((event) => (event.type === "mode.changed" ? [event] : []));
const synthetic = ({ events }: TestSession) =>
  events.flatMap((event) => (event.type === "prompt.received" && event.synthetic !== undefined ? [event.text] : []));

async function run(daemon: TestDaemon, mode: string, replies: Replies): Promise<TestSession> {
  const session = await daemon.session({ model: script(daemon, replies), mode });
  await session.prompt("do it");
  return session;
}

/** A mode of the user, which applies everywhere. */
function define(daemon: TestDaemon, slug: string, header: string): void {
  mkdirSync(path.join(daemon.home, "modes"), { recursive: true });
  writeFileSync(path.join(daemon.home, "modes", `${slug}.md`), `---\n${header}\n---\nYou are ${slug}.\n`);
}

async function isListed(daemon: TestDaemon, slug: string): Promise<void> {
  const { api } = daemon.connect();
  await expect
    .poll(async () => (await api.daemon.modes.query({ cwd: daemon.workspace })).map((mode) => mode.slug), { timeout: 10_000 })
    .toContain(slug);
}

test("a call beyond the limits of a group starts coordination, like a tool that the mode lacks", async () => {
  await using daemon = await TestDaemon.start();
  const session = await run(daemon, "architect", [{ calls: [write("src/x.ts")] }, stay, { text: "Well." }]);
  await session.untilEnd();
  expect(changes(session).map(({ from, to }) => `${from} > ${to}`)).toEqual(["architect > coordinator", "coordinator > architect"]);
  expect(results(session)[0]).toMatch(/^s1\.1 failed: Not allowed: edit src\/x\.ts denied by .* Coordination was requested\.$/);
});

test.each([
  [
    "a rule of the user",
    { permissions: [{ action: "edit", resource: "src/*", effect: "deny" }] },
    "groups: [read, [edit, {fileRegex: '^docs/'}]]",
  ],
  ["the file paths of the mode", {}, "groups: [read, edit]\nallowedFilePaths: ['^docs/']"],
])("a call that %s denies stays denied, because no other mode would help", async (_, config, header) => {
  await using daemon = await TestDaemon.start({ config });
  define(daemon, "docs", header);
  await isListed(daemon, "docs");
  const session = await run(daemon, "docs", [{ calls: [write("src/x.ts")] }, { text: "Well." }]);
  await session.untilEnd();
  expect(changes(session)).toEqual([]);
  expect(results(session)[0]).toContain("s1.1 denied: Not allowed");
});

test("calls before the one that starts coordination run, and those after it do not", async () => {
  await using daemon = await TestDaemon.start();
  for (const name of ["a.txt", "b.txt", "c.txt"]) daemon.write(name, name);
  for (const lacking of [write("x.txt"), call("run_command", { command: "ls" })])
    for (const before of [0, 1, 2, 5]) {
      const reads = ["a.txt", "b.txt", "c.txt", "a.txt", "b.txt"].slice(0, before).map(read);
      const session = await run(daemon, "ask", [{ calls: [...reads, lacking, write("y.txt")] }, stay, { text: "Well." }]);
      await session.untilEnd();
      const outcomes = session.finished.map(({ result }) => result.outcome);
      expect(outcomes.slice(0, before + 2)).toEqual([...reads.map(() => "ok"), "failed", "interrupted"]);
      expect(session.events.filter(({ type }) => type === "request.opened")).toEqual([]);
    }
});

test("the coordinator uses only what the mode allows that coordination started from", async () => {
  const server = { command: process.execPath, args: [mcpServer, "good"] };
  await using daemon = await TestDaemon.start({ config: { permissions: { "*": "allow" }, mcpServers: { good: server } } });
  define(daemon, "docs", "groups: [read, [edit, {fileRegex: '^docs/'}]]\ndisallowedFilePaths: ['^private/']");
  await isListed(daemon, "docs");
  daemon.write("private/a.txt", "opal\n");
  daemon.write("a.txt", "amber\n");
  const beyond = [read("private/a.txt"), call("fetch_url", { url: "https://example.com/" }), call("good__say", { text: "x" })];
  const search = call("search_text", { pattern: "opal|amber" });
  const session = await run(daemon, "docs", [
    { calls: [write("src/x.ts")] },
    { calls: [...beyond, search, read("a.txt")] },
    stay,
    { text: "Well." },
  ]);
  await session.untilEnd();
  expect(changes(session).map(({ to }) => to)).toEqual(["coordinator", "docs"]);
  expect(results(session)[1]).toContain("denied: Not allowed: read private/a.txt denied by read");
  expect(results(session)[1]).toContain("mode docs");
  expect(results(session)[2]).toContain("failed: The tool fetch_url is not available in mode coordinator: docs has no browser tools.");
  expect(results(session)[3]).toContain("failed");
  expect(results(session)[4]).toContain("amber");
  expect(results(session)[4]).not.toContain("opal");
  expect(results(session)[5]).toContain("amber");
});

test.each([
  ["rules that deny everything else", "groups: [read]\npermissions: { '*': deny, read: allow }"],
  ["a list of tools", "groups: [read]\ntools: { allow: [read_file] }"],
  ["no groups", "groups: []"],
])("a coordination from a mode with %s can still switch", async (_, header) => {
  await using daemon = await TestDaemon.start();
  define(daemon, "docs", header);
  await isListed(daemon, "docs");
  const switching = { calls: [call("switch_mode", { mode_slug: "code", reason: "it writes" })] };
  const session = await run(daemon, "docs", [{ calls: [write("src/x.ts")] }, switching, { text: "Well." }]);
  expect((await session.untilOpen()).tool).toBe("switch_mode");
  await session.answer({ choice: "accept" });
  await session.untilEnd();
  expect(changes(session).map(({ to }) => to)).toEqual(["coordinator", "code"]);
});

test("a coordinator that the user chose has all of its own rights", async () => {
  await using daemon = await TestDaemon.start();
  define(daemon, "docs", "groups: [read]\ndisallowedFilePaths: ['^private/']");
  await isListed(daemon, "docs");
  daemon.write("private/a.txt", "opal\n");
  const session = await daemon.session({
    model: script(daemon, [{ calls: [read("private/a.txt")] }, stay, { text: "Well." }]),
    mode: "docs",
  });
  await session.wish({ type: "switchMode", mode: "coordinator" });
  await session.runTurn("look");
  expect(results(session)[0]).toContain("opal");
});

test.each(["ask", "plan"])("a coordination from %s asks before it delegates, and its subtask changes nothing", async (mode) => {
  await using daemon = await TestDaemon.start({
    config: (root) => ({
      permissions: { "*": "allow" },
      modes: {
        code: {
          model: script({ root }, [{ calls: [write("a.txt"), call("run_command", { command: "touch b.txt" })] }, { text: "Done." }]),
        },
      },
    }),
  });
  const lacking = call("new_task", { mode: "debug", message: "write" });
  const delegate = call("new_task", { mode: "code", message: "write" });
  const session = await run(daemon, mode, [{ calls: [lacking] }, { calls: [delegate] }, stay, { text: "Well." }]);
  const request = await session.untilOpen();
  expect([request.tool, request.choices.map(({ id }) => id)]).toEqual(["new_task", ["once", "deny"]]);
  await session.answer({ choice: "once" });
  await session.untilEnd();
  using child = daemon.attach(`${session.id}.s2.1`);
  await child.untilEnd();
  expect(child.finished.map(({ result }) => result.outcome)).toHaveLength(2);
  expect(child.finished.map(({ result }) => result.outcome)).not.toContain("ok");
  expect(["a.txt", "b.txt"].filter((file) => existsSync(path.join(daemon.workspace, file)))).toEqual([]);
});

test("a change of mode that the user approved names the user and the request", async () => {
  await using daemon = await TestDaemon.start({ config: { coordination: "ask" } });
  for (const replies of [
    [{ calls: [write("a.txt")] }, stay, { text: "Well." }],
    [
      { calls: [call("attempt_completion", { result: "I cannot.", outcome: "blocked", needs: "a mode that writes files" })] },
      stay,
      { text: "Well." },
    ],
    [{ calls: [write("src/a.ts")] }, stay, { text: "Well." }],
  ]) {
    const session = await run(daemon, replies.length === 3 ? "architect" : "ask", replies);
    if (openRequests(session.state).length === 0) await session.untilOpen();
    const [request] = openRequests(session.state);
    await session.answer({ choice: "accept" });
    await session.untilEnd();
    const [first] = changes(session);
    expect(first).toMatchObject({ to: "coordinator", requestId: request?.id });
    expect(first?.by).toHaveProperty("person");
  }
});

test("texts about coordination are whole sentences", async () => {
  await using daemon = await TestDaemon.start();
  const needs = call("attempt_completion", { result: "I cannot.", outcome: "blocked", needs: "a mode that writes files" });
  const session = await run(daemon, "ask", [{ calls: [needs] }, stay, { text: "Well." }]);
  await session.untilEnd();
  const [asked, over] = synthetic(session);
  expect(asked).toContain("a mode that writes files. Decide");
  expect(over).toContain("reading is enough. Continue");
});

test("a session that starts with coordination is not named after a text of the daemon", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [stay, { text: "Well." }]), mode: "ask" });
  await session.wish({ type: "coordinate", promptId: crypto.randomUUID() });
  await session.untilEnd();
  await session.runTurn("count the files", 2);
  expect(session.state.title).toBe("count the files");
});

test("an agent learns which rights its mode lacks and which ones coordination can add, but never the name of a mode", async () => {
  await using model = await ModelServer.start({ replies: Array.from({ length: 9 }, () => ({ text: "Well." })) });
  await using daemon = await TestDaemon.start({ config: model.config });
  const prompts = new Map<string, string>();
  for (const mode of ["ask", "architect", "code", "coordinator"]) {
    const session = await daemon.session({ mode });
    await session.runTurn("hi");
    prompts.set(mode, String(model.requests.at(-1)?.messages[0]?.content));
  }
  const section = (mode: string) => /# Coordination\n[^#]*/.exec(prompts.get(mode) ?? "")?.[0] ?? "";
  expect(section("ask")).toContain("- Change files.");
  expect(section("ask")).toContain("- Run programs.");
  expect(section("architect")).toContain("- Change files. (this mode does so within limits");
  expect(section("coordinator")).toBe("");
  for (const mode of ["ask", "architect", "code"]) expect(section(mode)).not.toMatch(/\b(code|debug|build|orchestrator|architect)\b/);
});

test("the user can redefine the coordinator, and a mode that cannot coordinate is reported and ignored", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const coordinates = async (): Promise<boolean> => {
    const session = await run(daemon, "ask", [
      { calls: [write("a.txt")] },
      { calls: [call("switch_mode", { mode_slug: "code" })] },
      { text: "Well." },
    ]);
    const request = await session.untilOpen();
    await session.answer({ choice: "stay" });
    await session.untilEnd();
    return request.tool === "switch_mode";
  };
  for (const header of [
    "groups: [read]",
    "groups: [coordinator, read]\nswitchTargets: []",
    "groups: [coordinator]\ntools: { deny: [switch_mode] }",
  ]) {
    define(daemon, "coordinator", header);
    await expect
      .poll(async () => (await api.mode.list.query({ cwd })).diagnostics.map(({ code }) => code), { timeout: 10_000 })
      .toContain("cannot_coordinate");
    expect(await coordinates()).toBe(true);
  }
  define(daemon, "coordinator", "groups: [coordinator, read]\ndescription: Mine.");
  await expect
    .poll(async () => (await api.daemon.modes.query({ cwd })).find(({ slug }) => slug === "coordinator")?.description, { timeout: 10_000 })
    .toBe("Mine.");
  expect(await coordinates()).toBe(true);
});

test.each(["coordinator", "endpoint"])("a project cannot define the mode %s", async (slug) => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  daemon.write(`.baton/modes/${slug}.md`, `---\nname: X\ndescription: X.\ngroups: [read, mcp]\n---\nYou are X.\n`);
  daemon.write(".kilocodemodes", JSON.stringify([{ slug, name: "X", roleDefinition: "You are X.", groups: ["read"] }]));
  await api.workspace.trust.mutate({ commandId: crypto.randomUUID(), cwd: daemon.workspace, trusted: true });
  const { modes, diagnostics } = await api.mode.list.query({ cwd: daemon.workspace });
  expect(modes.filter((mode) => mode.slug === slug).map(({ source }) => source)).toEqual(slug === "coordinator" ? ["builtin"] : []);
  expect(diagnostics.filter(({ code }) => code === "reserved_slug")).toHaveLength(2);
});

test("the built-in coordinator can be edited, and its export can be imported", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const exported = await api.mode.export.query({ cwd, slug: "coordinator", format: "own" });
  const edited = await api.mode.update.mutate({
    commandId: crypto.randomUUID(),
    cwd,
    slug: "coordinator",
    change: { description: "Mine." },
  });
  expect(edited).toMatchObject({ slug: "coordinator", description: "Mine.", source: "global" });
  await api.mode.restore.mutate({ commandId: crypto.randomUUID(), cwd, slug: "coordinator", scope: "global" });
  const file = path.join(daemon.root, "coordinator.md");
  writeFileSync(file, exported.text);
  const imported = await api.mode.import.mutate({ commandId: crypto.randomUUID(), cwd, scope: "global", files: [{ path: file }] });
  expect(imported).toMatchObject({ imported: ["coordinator"], diagnostics: [] });
});

test("a mode takes rules as a list or as a table, in the config too", async () => {
  const list = [{ action: "edit", resource: "docs/*", effect: "allow" }];
  for (const permissions of [list, { edit: { "docs/*": "allow" } }]) {
    await using daemon = await TestDaemon.start({ config: { modes: { code: { permissions } } } });
    const { api } = daemon.connect();
    const asked = ["docs/a.md", "src/a.ts"].map((file) => ({ ...write(file), mode: "code", cwd: daemon.workspace }));
    const answers = await api.permission.check.query(asked);
    expect(answers.map((answer) => ("error" in answer ? answer.error : answer.effect))).toEqual(["allow", "ask"]);
  }
  await using daemon = await TestDaemon.start({ config: { modes: { code: { permissions: { edit: "perhaps" } } } } });
  const { diagnostics } = await daemon.connect().api.daemon.status.query({ cwd: daemon.workspace });
  expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('modes.code.permissions.edit: "perhaps"')]);
});

test("no session can be in a mode for subtasks, and no subtask in a mode for users", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { new_task: "allow" } } });
  define(daemon, "worker", "groups: [read]\nkind: subagent");
  define(daemon, "desk", "groups: [read]\nkind: primary");
  await isListed(daemon, "desk");
  await isListed(daemon, "worker");
  const { api } = daemon.connect();
  const create = api.session.create.mutate({ commandId: crypto.randomUUID(), workspace: daemon.workspace, mode: "worker" });
  await expect(create).rejects.toThrow('The mode "worker" is for subtasks only');
  const task = (mode: string) => ({ calls: [call("new_task", { mode, message: "look" })] });
  const switchTo = { calls: [call("switch_mode", { mode_slug: "worker" })] };
  const session = await run(daemon, "orchestrator", [task("desk"), { text: "Well." }]);
  await session.untilEnd();
  expect(results(session)[0]).toContain("The mode desk takes no subtasks (kind: primary)");
  const coordinator = await run(daemon, "coordinator", [switchTo, { text: "Well." }]);
  await coordinator.untilEnd();
  expect(results(coordinator)[0]).toContain("The mode worker is only for subtasks");
  expect(existsSync(path.join(daemon.workspace, "a.txt"))).toBe(false);
});

test("todos of a task keep their state", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { new_task: "allow" } } });
  const todos = "- [ ] a\n- [x] b\n[-] c\n* d";
  const session = await run(daemon, "orchestrator", [
    { calls: [call("new_task", { mode: "ask", message: "look", todos })] },
    { text: "Well." },
  ]);
  await session.untilEnd();
  using child = daemon.attach(`${session.id}.s1.1`);
  await child.untilEnd();
  expect(child.state.todos).toEqual([
    { text: "a", state: "open" },
    { text: "b", state: "done" },
    { text: "c", state: "doing" },
    { text: "d", state: "open" },
  ]);
});
