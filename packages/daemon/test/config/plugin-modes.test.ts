import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import { TestSession } from "../support/session.ts";

type Api = ReturnType<TestDaemon["connect"]>["api"];

const id = () => crypto.randomUUID();
const support = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url));

/** One plugin for each kind of setting: without modes, for the mode `close` only, and for `distant` only. */
const plugins = { whole: true, near: ["close"], far: ["distant"] } as const;
const names = Object.keys(plugins) as (keyof typeof plugins)[];
const isUsed = (name: keyof typeof plugins, mode: string): boolean => {
  const setting = plugins[name];
  return setting === true || setting.some((each) => each === mode) || mode === `${name}-checker`;
};

/** A plugin with a part of each kind. Its hook writes its input to a file. */
const kit = (name: string, root: string): Record<string, string> => ({
  ".claude-plugin/plugin.json": JSON.stringify({ name }),
  "skills/review/SKILL.md": "---\nname: review\ndescription: Reviews.\n---\nReview it.\n",
  "commands/ship.md": "Ship it.",
  "agents/checker.md": "---\nname: checker\ndescription: Checks.\n---\nYou check.\n",
  "hooks/hooks.json": JSON.stringify({
    hooks: { PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command: `{ cat; echo; } >> ${root}/ran-${name}` }] }] },
  }),
  ".mcp.json": JSON.stringify({ mcpServers: { talk: { command: process.execPath, args: [support("mcp/mcp-server.ts"), "good"] } } }),
  ".lsp.json": JSON.stringify({
    own: { command: "node", args: [support("language/odd-language-server.ts")], extensionToLanguage: { [`.${name}`]: "own" } },
  }),
});

async function addPlugins(api: Api, { root, home, workspace: cwd }: TestDaemon): Promise<void> {
  mkdirSync(path.join(home, "modes"));
  for (const mode of ["close", "distant"])
    writeFileSync(
      path.join(home, "modes", `${mode}.md`),
      `---\nname: ${mode}\ngroups: [read, edit, command, mcp, orchestrate]\n---\nYou work.\n`,
    );
  for (const name of names) {
    const folder = path.join(root, name);
    for (const [file, text] of Object.entries(kit(name, root))) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    const { hash } = await api.plugin.fetch.mutate({ commandId: id(), source: folder });
    await api.plugin.approve.mutate({ commandId: id(), cwd, hash, use: false });
    const setting = plugins[name];
    await api.plugin.use.mutate({ commandId: id(), cwd, name, on: true, ...(setting === true ? {} : { modes: [...setting] }) });
  }
  await api.workspace.trust.mutate({ commandId: id(), cwd, trusted: true });
}

async function approveParts(api: Api, { workspace: cwd }: TestDaemon): Promise<void> {
  const { hooks } = await api.hook.list.query({ cwd });
  await api.hook.settle.mutate({ commandId: id(), cwd, hashes: hooks.map(({ hash }) => hash), approved: true });
  // The first question of a server is about its start, the second about its tools.
  for (let asked = 0; asked < 2; asked++) {
    for (const { server: name, hash } of await api.mcp.questions.query({ cwd }))
      await api.mcp.approve.mutate({ commandId: id(), cwd, name, hash, approved: true });
    await api.mcp.named.query({ cwd }); // starts them
  }
}

/** Replies that use one part of each kind of each plugin. */
const useAll = [
  { calls: [{ tool: "run_command", input: { command: "rm -f a.*" } }] },
  {
    calls: [
      { tool: "read_file", input: { path: "read.txt" } },
      ...names.flatMap((name) => [
        { tool: "skill", input: { name: `${name}:review` } },
        { tool: `plugin_${name}_talk__say`, input: { text: "hi" } },
        { tool: "write_file", input: { path: `a.${name}`, content: "bad" } },
      ]),
    ],
  },
  { text: "Done." },
];

type Used = Record<string, string[]>;

/** The parts of each plugin that had an effect in the last turn of a session. */
function partsUsed({ id: sessionId, events }: TestSession, { root }: TestDaemon): Used {
  const turn = events.slice(events.findLastIndex(({ type }) => type === "prompt.delivered"));
  const calls = turn.flatMap((event) => (event.type === "model.replied" ? event.calls : []));
  const succeeded = new Set(turn.flatMap((event) => (event.type === "tool.finished" && event.result.outcome === "ok" ? event.callId : [])));
  const checked = new Set(turn.flatMap((event) => (event.type === "tool.finished" && event.awaitsDiagnostics ? event.callId : [])));
  const hooks = turn.flatMap((event) => (event.type === "hook.started" ? event.run.hook.name : []));
  const isDone = (tool: string, text: string, done: ReadonlySet<string> = succeeded) =>
    calls.some((call) => call.tool === tool && JSON.stringify(call.input).includes(text) && done.has(call.id));
  const parts = (name: string) => {
    const file = path.join(root, `ran-${name}`);
    const hasRun = existsSync(file) && readFileSync(file, "utf8").includes(sessionId);
    return [
      ...(hasRun && hooks.some((hook) => hook.includes(`ran-${name}`)) ? ["hook"] : []),
      ...(isDone("skill", `${name}:`) ? ["skill"] : []),
      ...(isDone(`plugin_${name}_talk__say`, "hi") ? ["server"] : []),
      ...(isDone("write_file", `a.${name}`, checked) ? ["language server"] : []),
      ...(isDone("new_task", `${name}-checker`) ? ["mode"] : []),
    ];
  };
  return Object.fromEntries(names.map((name) => [name, parts(name)]));
}

const IN_TASK = ["hook", "skill", "server", "language server"];
const expected = (mode: string, kinds: readonly string[]): Used =>
  Object.fromEntries(names.map((name) => [name, isUsed(name, mode) ? [...kinds] : []]));

/** Whether each plugin's command may begin a prompt. The prompts wait for the end of the turn that is under way. */
async function commandsAllowed(session: TestSession, mode: string): Promise<Record<string, boolean>> {
  const allowed: Record<string, boolean> = {};
  for (const name of names)
    allowed[name] = await session.prompt(`/${name}:ship`, { mode }).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toContain(`belongs to a plugin that is not used in the mode ${mode}`);
        return false;
      },
    );
  return allowed;
}

const tasks = ["distant", ...names.map((name) => `${name}-checker`)].map((mode) => ({
  calls: [{ tool: "new_task", input: { mode, message: `Work in ${mode}.`, todos: "" } }],
}));

const follow = async (daemon: TestDaemon, sessionId: string): Promise<TestSession> => {
  const session = new TestSession(daemon.connect().api, sessionId);
  await session.untilEnd();
  return session;
};

test("every kind of part is used exactly in the modes of its plugin: after a change of modes, in subtasks, and in the plugin's own mode", async () => {
  await using daemon = await TestDaemon.start({
    config: { permissions: { "*": "allow" }, limits: { childDepth: 1 }, coordination: "off" },
  });
  const { api } = daemon.connect();
  daemon.write("read.txt", "text");
  await addPlugins(api, daemon);
  await approveParts(api, daemon);
  const model = script(daemon, [...tasks, ...useAll, ...useAll, ...useAll]);
  const session = await daemon.session({ mode: "close", model });
  await session.runTurn("go");
  expect(partsUsed(session, daemon)).toEqual(expected("close", [...IN_TASK, "mode"]));

  const children = session.events.flatMap((event) => (event.type === "tool.finished" && event.result.child ? event.result.child : []));
  expect(children.map(({ mode }) => mode)).toEqual(["distant", "whole-checker", "near-checker"]);
  for (const { childId, mode } of children) {
    using child = await follow(daemon, childId);
    expect([mode, partsUsed(child, daemon)]).toEqual([mode, expected(mode, IN_TASK)]);
  }

  let turns = 1;
  for (const mode of ["distant", "close"]) {
    await session.prompt("go", { mode });
    await session.untilEnd(++turns);
    expect([mode, partsUsed(session, daemon)]).toEqual([mode, expected(mode, IN_TASK)]);
  }
  for (const mode of ["close", "distant", "code"])
    expect(await commandsAllowed(session, mode)).toEqual(Object.fromEntries(names.map((name) => [name, isUsed(name, mode)])));
  expect((await api.daemon.modes.query({ cwd: daemon.workspace })).map(({ slug }) => slug)).toEqual(
    expect.arrayContaining(names.map((name) => `${name}-checker`)), // the user may choose the mode of a plugin in every mode
  );
}, 60_000);

test("a session asks only about the hooks and servers of plugins that its mode uses, and a change of modes adds the others", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { "*": "allow" }, coordination: "off" } });
  daemon.write("read.txt", "text");
  await addPlugins(daemon.connect().api, daemon);
  const read = { calls: [{ tool: "read_file", input: { path: "read.txt" } }] };
  const session = await daemon.session({ mode: "close", model: script(daemon, [read, { text: "Done." }, read, { text: "Done." }]) });
  const asked = () =>
    session.events.flatMap((event): string[] => {
      if (event.type !== "request.opened") return [];
      const { subject } = event.request;
      const text = "hooks" in subject ? `hook ${subject.hooks}` : "server" in subject ? `server ${subject.server}` : "other";
      return names.flatMap((name) => (text.includes(name) ? `${text.split(" ")[0]} ${name}` : []));
    });
  const both = (...of: string[]) => of.flatMap((name) => [`hook ${name}`, `server ${name}`]).toSorted();
  let turns = 0;
  for (const [mode, expectedNames] of [
    ["close", ["whole", "near"]],
    ["distant", names],
  ] as const) {
    await session.prompt("go", { mode });
    await session.until("the questions", () => asked().length === expectedNames.length * 2);
    for (const request of openRequests(session.state)) await session.answer({ choice: "deny" }, request.id);
    await session.untilEnd(++turns);
    expect(asked().toSorted()).toEqual(both(...expectedNames));
  }
}, 60_000);
