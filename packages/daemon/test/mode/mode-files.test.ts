import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer } from "../support/model-server.ts";
import { script } from "../support/script.ts";

const clerk = (groups: string, role = "You keep the notes.") =>
  `customModes:\n  - slug: clerk\n    name: Clerk\n    roleDefinition: ${role}\n    groups: ${groups}\n`;
const limited = "[read, [edit, { fileRegex: '^notes/.*\\.md$' }]]";

type Api = ReturnType<TestDaemon["connect"]>["api"];
const trust = (api: Api, cwd: string, trusted = true) => api.workspace.trust.mutate({ commandId: crypto.randomUUID(), cwd, trusted });
const slugs = async (api: Api, cwd: string) => (await api.daemon.modes.query({ cwd })).map(({ slug }) => slug);
const edits = async (api: Api, cwd: string, ...files: string[]) => {
  const asked = files.map((file) => ({ tool: "write_file", input: { path: file, content: "x" }, mode: "clerk", cwd }));
  return (await api.permission.check.query(asked)).map((answer) => ("error" in answer ? answer.error : answer.effect));
};

test("modes of a project exist while it is trusted, and not otherwise", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  daemon.write(".roomodes", clerk(limited));
  expect(await slugs(api, daemon.workspace)).not.toContain("clerk");
  const listed = await api.mode.list.query({ cwd: daemon.workspace });
  expect(listed.modes.filter(({ slug }) => slug === "clerk")).toMatchObject([
    { inert: "untrusted", source: "project", format: "roo", line: 2 },
  ]);
  expect(listed.diagnostics).toMatchObject([{ code: "untrusted" }]);
  await trust(api, daemon.workspace);
  expect(await edits(api, daemon.workspace, "notes/a.md", "notes/a.ts", "src/a.md", "./notes/../src/a.md", "notes/b/c.md")).toEqual([
    "ask",
    "deny",
    "deny",
    "deny",
    "ask",
  ]);
  await trust(api, daemon.workspace, false);
  expect(await slugs(api, daemon.workspace)).not.toContain("clerk");
});

test("a changed mode is used by the next step of a running session", async () => {
  await using model = await ModelServer.start({
    replies: [
      { calls: [{ tool: "run_command", input: { command: "node -p process.emit(1)" } }] },
      { calls: [{ tool: "run_command", input: { command: "node -p process.emit(1)" } }] },
      { text: "Done." },
    ],
  });
  await using daemon = await TestDaemon.start({
    config: model.config,
  });
  const { api } = daemon.connect();
  daemon.write(".baton/modes/clerk.md", "---\ngroups: [read, command]\n---\nYou keep the notes.\n");
  await trust(api, daemon.workspace);
  await api.mode.list.query({ cwd: daemon.workspace });
  const session = await daemon.session({ mode: "clerk" });
  await session.prompt("go");
  await session.untilOpen();
  daemon.write(".baton/modes/clerk.md", "---\ngroups: [read, command, edit]\n---\nYou keep the books.\n");
  await untilTrue(async () =>
    (await api.daemon.tools.query({ cwd: daemon.workspace, mode: "clerk" })).offered.some(({ name }) => name === "write_file"),
  );
  await session.answer({ choice: "once" });
  await session.untilOpen();
  const [first, second] = model.requests.map(({ messages, tools }) => ({
    system: String(messages[0]?.content),
    tools: tools.map((tool) => tool.function.name),
  }));
  expect(first?.system).toContain("You keep the notes.");
  expect(first?.tools).not.toContain("write_file");
  expect(second?.system).toContain("You keep the books.");
  expect(second?.tools).toContain("write_file");
  daemon.write(".baton/modes/clerk.md", "---\ngroups: [read]\n---\nYou read the books.\n");
  await session.untilEnd();
  const results = session.finished.map(({ result }) => result);
  expect(results[1]).toMatchObject({ outcome: "failed" });
  expect(results[1]?.text).toContain("not available in mode clerk");
});

test("a deleted mode stays until the end of the turn, and the next turn waits for the user", async () => {
  await using model = await ModelServer.start({
    replies: [
      { calls: [{ tool: "run_command", input: { command: "node -p process.emit(1)" } }] },
      { calls: [{ tool: "write_file", input: { path: "a", content: "" } }] },
      { text: "Done." },
      { text: "Here again." },
    ],
  });
  await using daemon = await TestDaemon.start({
    config: { ...model.config, coordination: "off" },
  });
  const { api } = daemon.connect();
  const file = path.join(daemon.home, "modes", "clerk.md");
  mkdirSync(path.dirname(file));
  writeFileSync(file, "---\ngroups: [command]\nmaxSteps: 2\n---\nYou keep the notes.\n");
  await trust(api, daemon.workspace);
  const session = await daemon.session({ mode: "clerk" });
  await session.prompt("go");
  await session.untilOpen();
  rmSync(file);
  await untilTrue(async () => !(await slugs(api, daemon.workspace)).includes("clerk"));
  await session.answer({ choice: "once" });
  expect((await session.untilOpen()).text).toContain("2 steps in mode clerk");
  await session.answer({ choice: "continue" });
  await session.untilEnd();
  expect(session.state.mode).toBe("clerk");
  await session.runTurn("again", 2);
  expect(session.finished[1]?.result.text).toContain("not available in mode clerk");
  expect(model.requests).toHaveLength(3);
  expect(session.state.mode).toBe("clerk");
  expect(session.state.lastTurn).toMatchObject({
    reason: "failed",
    message: expect.stringContaining("The mode clerk no longer exists") as string,
  });
});

test("a mode's model is called as the mode says, and its paths apply to lists and searches", async () => {
  await using model = await ModelServer.start({
    replies: [
      {
        calls: [
          { tool: "list_files", input: {} },
          { tool: "search_text", input: { pattern: "word" } },
          { tool: "read_file", input: { path: "secret/a.txt" } },
        ],
      },
      { text: "Done." },
    ],
  });
  await using daemon = await TestDaemon.start({ config: model.providers });
  mkdirSync(path.join(daemon.home, "modes"));
  const header =
    "groups: [read]\nmodel: { provider: local, id: special, temperature: 0.25 }\ndisallowedFilePaths: ['^secret', '^hidden\\.txt$']";
  writeFileSync(path.join(daemon.home, "modes", "clerk.md"), `---\n${header}\n---\nYou read.\n`);
  daemon.write("hidden.txt", "word");
  daemon.write("open.txt", "word");
  daemon.write("secret/a.txt", "word");
  const session = await daemon.session({ mode: "clerk" });
  await session.runTurn("go");
  expect(model.requests[0]).toMatchObject({ model: "special", temperature: 0.25 });
  const results = session.finished.map(({ result }) => result);
  expect(results.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "denied"]);
  expect(results[0]?.text).toBe("open.txt\nsecret/\n(1 file without read permission omitted)");
  expect(results[1]?.text).toBe("open.txt\n  1: word");
});

test("while a file is broken, unreadable or constantly rewritten, its last valid version stays in effect", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const { workspace } = daemon;
  const file = daemon.write(".roomodes", clerk(limited));
  await trust(api, workspace);
  const verdicts = () => edits(api, workspace, "notes/a.md", "src/a.ts");
  const codes = async () => (await api.mode.list.query({ cwd: workspace })).diagnostics.map(({ code }) => code);
  const held = ["ask", "deny"];
  await untilTrue(async () => String(await verdicts()) === String(held)); // Baton may assume that it is still being written
  for (const [text, code] of [
    [clerk("[edit, raed]"), "unknown_group"],
    [clerk("[edit").replace("customModes:", "customModes: ["), "bad_yaml"],
    [clerk("[[edit, { fileRegex: '[' }]]"), "bad_regex"],
    ["{", "bad_json"],
  ] as const) {
    writeFileSync(file, text);
    expect(await verdicts()).toEqual(held);
    expect(await codes()).toEqual([code]);
  }
  truncateSync(file, 10_000_000);
  expect(await verdicts()).toEqual(held);
  expect(await codes()).toEqual(["file_too_large"]);
  symlinkSync(".roomodes", `${file}.new`);
  renameSync(`${file}.new`, file); // at once: a file that is missing for a moment may count as deleted
  expect(await verdicts()).toEqual(held);
  expect(await codes()).toEqual(["unreadable"]);
  const becomesFolder = async () => {
    rmSync(file, { recursive: true });
    writeFileSync(file, clerk(limited));
    await untilTrue(async () => String(await verdicts()) === String(held));
    rmSync(file);
    mkdirSync(file); // not at once, so that it may take more than one attempt
    return String(await verdicts()) === String(held);
  };
  await untilTrue(becomesFolder);
  rmSync(file, { recursive: true });
  expect(await slugs(api, workspace)).not.toContain("clerk");
});

test("a file that is rewritten a thousand times a second never widens anything, and is read when the writes stop", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const file = daemon.write(".roomodes", clerk(limited));
  await trust(api, daemon.workspace);
  await untilTrue(async () => String(await edits(api, daemon.workspace, "src/a.ts")) === "deny");
  const seen = new Set<string>();
  let writing = true;
  const writer = (async () => {
    for (let i = 0; writing; i++) {
      writeFileSync(file, clerk(limited).slice(0, 90 + (i % 60)));
      await setTimeout(1);
    }
  })();
  for (let i = 0; i < 15; i++) seen.add(String(await edits(api, daemon.workspace, "src/a.ts")));
  const isUnsettled = async () =>
    (await api.mode.list.query({ cwd: daemon.workspace })).diagnostics.some(
      ({ code, severity }) => code === "unsettled" && severity === "error",
    );
  await untilTrue(isUnsettled);
  writing = false;
  await writer;
  expect([...seen]).toEqual(["deny"]);
  writeFileSync(file, clerk("[read, edit]"));
  await untilTrue(async () => String(await edits(api, daemon.workspace, "src/a.ts")) === "ask");
});

test("project comes before global before built-in, Baton's format before the others in each scope, and each shadowed mode is reported", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const page = (role: string) => `---\nname: ${role}\ndescription: d\ngroups: [read]\n---\n${role}\n`;
  const agent = (role: string) => `---\nname: clerk\ndescription: d\ntools: Read\n---\n${role}\n`;
  const places: [string, string, string][] = [
    ["claude", path.join(daemon.root, ".claude/agents/clerk.md"), agent("global claude")],
    ["own", path.join(daemon.home, "modes/clerk.md"), page("global own")],
    ["claude", path.join(daemon.workspace, ".claude/agents/clerk.md"), agent("project claude")],
    ["opencode", path.join(daemon.workspace, ".opencode/agent/clerk.md"), agent("project opencode").replace("tools: Read\n", "")],
    ["kilo", path.join(daemon.workspace, ".kilocodemodes"), clerk("[read]", "project kilo")],
    ["roo", path.join(daemon.workspace, ".roomodes"), clerk("[read]", "project roo")],
    ["own", path.join(daemon.workspace, ".baton/modes/clerk.md"), page("project own")],
  ];
  await trust(api, daemon.workspace);
  for (const [i, [format, file, text]] of places.entries()) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    const { modes, diagnostics } = await api.mode.list.query({ cwd: daemon.workspace });
    const found = modes.filter(({ slug }) => slug === "clerk");
    expect(found).toMatchObject([{ format, filePath: file, source: i < 2 ? "global" : "project" }]);
    expect(found[0]?.shadows.map(({ filePath }) => filePath)).toEqual(
      places
        .slice(0, i)
        .map(([, shadowed]) => shadowed)
        .toReversed(),
    );
    expect(diagnostics.filter(({ code }) => code === "shadowed")).toHaveLength(i);
  }
});

/** Checks repeatedly. The limit only detects a hang. */
async function untilTrue(look: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + 15_000;
  while (!(await look())) {
    if (performance.now() > until) throw new Error("it never came true");
    await setTimeout(20);
  }
}

test("a session whose mode was deleted waits until the user switches, or the mode exists again", async () => {
  await using daemon = await TestDaemon.start();
  mkdirSync(path.join(daemon.home, "modes"));
  const file = path.join(daemon.home, "modes", "gone.md");
  const text = "---\nname: Gone\ndescription: Will go.\ngroups: [read]\n---\nYou read.";
  writeFileSync(file, text);
  const { api } = daemon.connect();
  await expect
    .poll(async () => (await api.daemon.modes.query({ cwd: daemon.workspace })).map(({ slug }) => slug), { timeout: 10_000 })
    .toContain("gone");
  const session = await daemon.session({ mode: "gone", model: script(daemon, [{ text: "One." }, { text: "Two." }]) });
  await session.runTurn("one");
  rmSync(file);
  await expect
    .poll(async () => (await api.daemon.modes.query({ cwd: daemon.workspace })).map(({ slug }) => slug), { timeout: 10_000 })
    .not.toContain("gone");
  await session.runTurn("two", 2);
  expect(session.state).toMatchObject({ mode: "gone", lastTurn: { reason: "failed" } });
  expect(session.events.some(({ type }) => type === "mode.changed")).toBe(false);
  writeFileSync(file, text);
  await expect
    .poll(async () => (await api.daemon.modes.query({ cwd: daemon.workspace })).map(({ slug }) => slug), { timeout: 10_000 })
    .toContain("gone");
  await session.runTurn("three", 3);
  expect(session.state).toMatchObject({ mode: "gone", lastTurn: { reason: "completed" } });
});

test("a session whose mode cannot be read after a restart waits for it, and does not get a wider one", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
  const good = "---\nname: Reader\ndescription: Reads.\ngroups: [read]\n---\nYou read.";
  const file = path.join(daemon.home, "modes", "reader.md");
  mkdirSync(path.dirname(file));
  writeFileSync(file, good);
  const write = { calls: [{ tool: "write_file", input: { path: "a.txt", content: "x" } }] };
  const session = await daemon.session({ mode: "reader", model: script(daemon, [{ text: "One." }, write, { text: "Two." }]) });
  await session.runTurn("one");
  await daemon.kill();
  writeFileSync(file, "---\nname: [Reader\ngroups");
  await daemon.start();
  using again = daemon.attach(session.id);
  await again.runTurn("two", 2);
  expect(again.state).toMatchObject({ mode: "reader", lastTurn: { reason: "failed" } });
  expect(again.events.flatMap((event) => (event.type === "model.failed" ? [event.message] : []))).toEqual([
    expect.stringMatching(/^The mode reader cannot be read: .*reader\.md:\d+: .* Fix the file, or switch to another mode\.$/),
  ]);
  expect(existsSync(path.join(daemon.workspace, "a.txt"))).toBe(false);
  writeFileSync(file, good);
  await expect
    .poll(async () => (await daemon.connect().api.daemon.modes.query({ cwd: daemon.workspace })).map(({ slug }) => slug), {
      timeout: 10_000,
    })
    .toContain("reader");
  await again.runTurn("three", 3);
  expect(again.state).toMatchObject({ mode: "reader", lastTurn: { reason: "completed" } });
});

test("an approval in a mode whose file is broken at a restart still exists, and works once the file is repaired", async () => {
  await using daemon = await TestDaemon.start();
  const good = "---\nname: Keeper\ndescription: Keeps.\ngroups: [read, command]\n---\nYou keep.";
  const file = path.join(daemon.home, "modes", "keeper.md");
  mkdirSync(path.dirname(file));
  writeFileSync(file, good);
  const touch = {
    calls: [{ tool: "run_command", input: { command: `node -e 'require("fs").appendFileSync("kept".concat(".txt"), "x")'` } }],
  };
  const session = await daemon.session({ mode: "keeper", model: script(daemon, [touch, { text: "Done." }]) });
  await session.prompt("go");
  const { id } = await session.untilOpen();
  await daemon.kill();
  writeFileSync(file, "---\ngroups: [re");
  await daemon.start();
  using again = daemon.attach(session.id);
  expect((await again.untilOpen()).id).toBe(id);
  await daemon.connect().api.daemon.modes.query({ cwd: daemon.workspace });
  await again.answer({ choice: "once" });
  expect(existsSync(path.join(daemon.workspace, "kept.txt"))).toBe(false);
  writeFileSync(file, good);
  await again.untilEnd();
  expect(readFileSync(path.join(daemon.workspace, "kept.txt"), "utf8")).toBe("x");
});

test("a request to switch to a mode that changed after it was shown asks again", async () => {
  await using daemon = await TestDaemon.start();
  const define = (groups: string, role: string) =>
    writeFileSync(
      path.join(daemon.home, "modes", "strong.md"),
      `---\nname: Strong\ndescription: Works.\ngroups: [${groups}]\n---\n${role}`,
    );
  mkdirSync(path.join(daemon.home, "modes"));
  define("read", "You read.");
  const wish = { calls: [{ tool: "switch_mode", input: { mode: "strong", reason: "it reads" } }] };
  const session = await daemon.session({ mode: "coordinator", model: script(daemon, [wish, { text: "Done." }]) });
  await session.prompt("go");
  const first = await session.untilOpen();
  define("read, edit, command", "You do all.");
  await expect
    .poll(async () => JSON.stringify(await daemon.connect().api.mode.show.query({ cwd: daemon.workspace, slug: "strong" })))
    .toContain("You do all");
  await session.answer({ choice: "accept" });
  const second = await session
    .until("the question once more", ({ state }) => openRequests(state).some(({ id }) => id !== first.id))
    .then(() => session.untilOpen());
  expect(second.text).toContain("This differs from what was shown before.");
  expect(session.state.mode).toBe("coordinator");
  await session.answer({ choice: "accept" });
  await session.untilEnd();
  expect(session.state.mode).toBe("strong");
});

test("a change of modes that is sent twice is made once, and refused twice", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const definition = { slug: "clerk", name: "Clerk", description: "Notes.", roleDefinition: "You keep the notes.", groups: ["read"] };
  const command = { commandId: crypto.randomUUID(), cwd: daemon.workspace, scope: "global" as const, definition };
  const answers = await Promise.all([api.mode.create.mutate(command), api.mode.create.mutate(command)]);
  expect(answers[1]).toEqual(answers[0]);
  expect(await api.mode.create.mutate(command)).toEqual(answers[0]);
  const gone = { commandId: crypto.randomUUID(), cwd: daemon.workspace, slug: "clerk" };
  await api.mode.delete.mutate(gone);
  await api.mode.delete.mutate(gone);
  expect(await api.mode.create.mutate(command)).toEqual(answers[0]);
  expect(await slugs(api, daemon.workspace)).not.toContain("clerk");
});

test("a project narrows a built-in mode or a mode of the user, whenever its file appears, and never widens it", async () => {
  await using daemon = await TestDaemon.start({
    config: {
      permissions: [
        { action: "edit", resource: "src/*", effect: "allow" },
        { action: "command", resource: "npm test *", effect: "allow" },
      ],
    },
  });
  const { api } = daemon.connect();
  await trust(api, daemon.workspace);
  const effects = async (mode: string) => {
    const asked = [
      { action: "edit", resource: "src/a.js" },
      { action: "command", resource: "npm test x" },
      { action: "edit", resource: ".baton/plans/a.md" },
    ];
    const answers = await api.permission.check.query(asked.map((each) => ({ ...each, mode, cwd: daemon.workspace })));
    return answers.map((answer) => ("error" in answer ? answer.error : answer.effect));
  };
  const shadowedModes = async () =>
    (await api.mode.list.query({ cwd: daemon.workspace })).diagnostics
      .filter(({ code }) => code === "project_cannot_widen")
      .map(({ slug, message }) => `${slug}: ${message}`);
  const agent = (name: string, tools: string) => `---\nname: ${name}\ndescription: d\n${tools}---\nBuild it at once.\n`;

  daemon.write(".claude/agents/plan.md", agent("plan", "tools: Read, Edit, Write, Bash\n"));
  daemon.write(".claude/agents/ask.md", agent("ask", ""));
  daemon.write(".claude/agents/builder.md", agent("builder", "tools: Read, Edit, Write, Bash\n"));
  expect(await shadowedModes()).toHaveLength(2);
  expect((await shadowedModes()).find((line) => line.startsWith("plan"))).toContain(
    "edit, command have the limits of the built-in one as well",
  );
  expect((await shadowedModes()).find((line) => line.startsWith("ask"))).toContain("as the built-in one lacks them");
  expect(await effects("plan")).toEqual(["deny", "deny", "ask"]);
  expect(await effects("ask")).toEqual(["deny", "deny", "deny"]);
  expect(await effects("builder")).toEqual(["allow", "allow", "ask"]);

  daemon.write(".baton/modes/plan.md", "---\ngroups: [read]\n---\nYou only read.\n");
  const listed = async (slug: string) => (await api.mode.list.query({ cwd: daemon.workspace })).modes.find((mode) => mode.slug === slug);
  expect(await listed("plan")).toMatchObject({ roleDefinition: "You only read.", groups: ["read"] });
  expect(await effects("plan")).toEqual(["deny", "deny", "deny"]);

  mkdirSync(path.join(daemon.home, "modes"));
  writeFileSync(path.join(daemon.home, "modes", "plan.md"), "---\ngroups: [read, command]\n---\nYou run tests.\n");
  daemon.write(".baton/modes/plan.md", "---\ngroups: [read, command, edit]\nmaxSteps: 3\n---\nYou do all.\n");
  expect(await listed("plan")).toMatchObject({ roleDefinition: "You do all.", groups: ["read", "command"] });
  expect(await effects("plan")).toEqual(["deny", "allow", "deny"]);
});

test("a session stays in a mode of its project, however many other folders are opened meanwhile", async () => {
  await using model = await ModelServer.start({ replies: [{ text: "One." }, { text: "Two." }] });
  await using daemon = await TestDaemon.start({
    config: model.config,
  });
  const { api } = daemon.connect();
  daemon.write(".baton/modes/clerk.md", "---\ngroups: [read]\n---\nYou keep the notes.\n");
  await trust(api, daemon.workspace);
  const session = await daemon.session({ mode: "clerk" });
  await session.runTurn("go");
  for (let i = 0; i < 101; i++) {
    daemon.write(`others/${i}/a.txt`, "");
    await api.mode.list.query({ cwd: path.join(daemon.workspace, `others/${i}`) });
  }
  await session.runTurn("again", 2);
  expect(session.state.mode).toBe("clerk");
  expect(String(model.requests[1]?.messages[0]?.content)).toContain("You keep the notes.");
});
