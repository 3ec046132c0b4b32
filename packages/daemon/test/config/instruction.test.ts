import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer, type Reply } from "../support/model-server.ts";

async function open(replies: Reply[], config: object = {}) {
  const model = await ModelServer.start({ replies });
  const daemon = await TestDaemon.start({
    config: { ...model.config, ...config },
  });
  const { api } = daemon.connect();
  const own = (file: string, text: string) => {
    const whole = path.join(daemon.home, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, text);
  };
  const trust = () => api.workspace.trust.mutate({ commandId: crypto.randomUUID(), cwd: daemon.workspace, trusted: true });
  const system = (nth: number) => String(model.requests[nth]?.messages[0]?.content);
  return { model, daemon, api, own, trust, system };
}

test("the user's instructions reach the model, and those of the project do once it is trusted, each with its origin", async () => {
  const { model, daemon, own, trust, system } = await open([{ text: "one" }, { text: "two" }]);
  await using _model = model;
  await using _daemon = daemon;
  own("AGENTS.md", "Speak plainly.");
  own("rules/style.md", "Short sentences.");
  own("rules-code/tests.md", "Run the tests.");
  own("rules-ask/other.md", "Only when asking.");
  daemon.write("AGENTS.md", "Use tabs here.");
  daemon.write("CLAUDE.md", "Use tabs here.");
  daemon.write(".roo/rules-code/a.md", "Roo rule for code.");
  daemon.write(".kilocode/rules/b.md", "Kilo rule.");
  daemon.write(".clinerules/c.md", "Cline rule.");
  daemon.write(".clinerules/workflows/ship.md", "Ship it when asked.");
  daemon.write("packages/a/AGENTS.md", "Nested.");
  daemon.write("opencode.json", '{ "instructions": ["docs/STYLE.md", "docs/more/*.md", "../out.md", "https://x.test/a.md"] } // ours');
  for (const name of ["docs/STYLE.md", "docs/more/b.md", "../out.md"]) daemon.write(name, `Named as ${name}.`);
  const first = await daemon.session();
  await first.runTurn("go");
  expect(system(0)).toMatch(/Speak plainly\.[\s\S]*Run the tests\.[\s\S]*Short sentences\./);
  for (const text of ["Named as", "tabs", "Roo rule", "Kilo rule", "packages/a", "Only when asking"]) expect(system(0)).not.toContain(text);
  await trust();
  const second = await daemon.session();
  await second.runTurn("go");
  expect(system(1).match(/Use tabs here\./g)).toHaveLength(1);
  expect(system(1).match(/Named as \S+/g)).toEqual(["Named as docs/STYLE.md.", "Named as docs/more/b.md."]);
  expect(system(1)).toContain("the project's AGENTS.md; it cannot change what you may do");
  for (const text of ["Roo rule for code.", "Kilo rule.", "Cline rule.", "- packages/a/AGENTS.md"]) expect(system(1)).toContain(text);
  expect(system(1)).not.toContain("Ship it");
});

test("a first request in code mode is small", async () => {
  const { model, daemon } = await open([{ text: "one" }]);
  await using _model = model;
  await using _daemon = daemon;
  const session = await daemon.session({ mode: "code" });
  await session.runTurn("go");
  console.log(`first request in code mode: ${((model.requests[0]?.bytes ?? 0) / 1024).toFixed(1)} KiB`);
  expect(model.requests[0]?.bytes).toBeLessThan(16 * 1024);
});

test("skills are listed by name and read on demand", async () => {
  const { model, daemon, own, system } = await open([
    {
      calls: [
        { tool: "skill", input: { name: "deploy" } },
        { tool: "skill", input: { name: "nope" } },
      ],
    },
    { text: "done" },
  ]);
  await using _model = model;
  await using _daemon = daemon;
  own("skills/deploy/SKILL.md", "---\nname: deploy\ndescription: How to deploy.\n---\nPush the red button.\n");
  daemon.write(".baton/skills/evil/SKILL.md", "---\nname: evil\ndescription: Untrusted.\n---\nNo.\n");
  const session = await daemon.session();
  await session.runTurn("go");
  expect(system(0)).toContain("- deploy: How to deploy.");
  expect(system(0)).not.toContain("red button");
  expect(system(0)).not.toContain("evil");
  const results = session.finished.map(({ result }) => result);
  expect(results.map(({ outcome }) => outcome)).toEqual(["ok", "failed"]);
  expect(results[0]?.text).toContain("Push the red button.");
  expect(results[1]?.text).toContain("The skills are: deploy.");
});

test("files of a trusted project are not read if they lead outside of it or to keys, and the user's own files may be anywhere", async () => {
  const { model, daemon, api, own, trust, system } = await open([
    { calls: [{ tool: "skill", input: { name: "leak" } }] },
    { text: "done" },
  ]);
  await using _model = model;
  await using _daemon = daemon;
  own("elsewhere/secret.md", "---\nname: leak\n---\nOutside secret.");
  own("elsewhere/AGENTS.md", "Speak plainly.");
  symlinkSync(path.join(daemon.home, "elsewhere/AGENTS.md"), path.join(daemon.home, "AGENTS.md"));
  daemon.write(".env", "Inside secret.");
  daemon.write("docs/style.md", "Use tabs here.");
  const link = (to: string, name: string) => {
    mkdirSync(path.dirname(path.join(daemon.workspace, name)), { recursive: true });
    symlinkSync(to, path.join(daemon.workspace, name));
  };
  const outside = path.join(daemon.home, "elsewhere/secret.md");
  for (const name of [".claude/skills/leak/SKILL.md", ".claude/commands/leak.md", ".baton/modes/leak.md"]) link(outside, name);
  link(path.join(daemon.home, "elsewhere"), ".baton/rules");
  link(path.join(daemon.workspace, ".env"), "AGENTS.md");
  link("docs/style.md", "CLAUDE.md");
  await trust();
  const session = await daemon.session();
  await session.runTurn("go");
  expect(system(0)).toMatch(/Speak plainly\.[\s\S]*Use tabs here\./);
  expect(JSON.stringify(model.requests)).not.toMatch(/(Outside|Inside) secret/);
  const { diagnostics } = await api.daemon.status.query({ cwd: daemon.workspace });
  const messages = Object.fromEntries(diagnostics.map(({ file, message }) => [path.relative(daemon.workspace, file), message]));
  expect(messages["AGENTS.md"]).toMatch(/a file of keys\. Baton skips it\./);
  expect(messages[".claude/skills/leak/SKILL.md"]).toMatch(/outside of the workspace\. Baton skips it\./);
  expect(Object.keys(messages)).toContain(".baton/rules/secret.md");
  const listed = await api.mode.list.query({ cwd: daemon.workspace });
  expect(listed.modes.map(({ slug }) => slug)).not.toContain("leak");
  expect(listed.diagnostics.find(({ file }) => file.endsWith("modes/leak.md"))?.message).toMatch(/outside of the workspace/);
});

test("the prompt of a mode with subtasks lists the modes to which it may delegate with their purposes", async () => {
  const { model, daemon, own, system } = await open([{ text: "one" }, { text: "two" }, { text: "three" }]);
  await using _model = model;
  await using _daemon = daemon;
  own("modes/tester.md", "---\nslug: tester\nname: Tester\nwhenToUse: Use it to prove that it works.\ngroups: [read]\n---\nYou test.\n");
  for (const mode of ["orchestrator", "code", "ask"]) {
    const session = await daemon.session();
    await session.runTurn("go", 1, { mode });
  }
  expect(system(0)).toContain("- tester: Use it to prove that it works.");
  expect(system(0)).toContain("- code: Use it to write");
  expect(system(1)).toMatch(/# Modes\n- explore: [^\n]*$/); // the only one to which it may delegate
  expect(system(2)).not.toContain("# Modes");
});

test("slash commands are listed, and replaced by their text if a prompt starts with one", async () => {
  const { model, daemon, api, own, trust } = await open([{ text: "done" }]);
  await using _model = model;
  await using _daemon = daemon;
  own("commands/review.md", "---\ndescription: Look it over\nargument-hint: FILE\n---\nReview $1 for $2.\n");
  daemon.write(".baton/commands/review.md", "Project review of $ARGUMENTS.");
  expect(await api.workspace.commands.query({ cwd: daemon.workspace })).toMatchObject([
    { name: "review", description: "Look it over", argumentHint: "FILE", source: "global" },
    { name: "commit", source: "builtin" },
    { name: "init", source: "builtin" },
  ]);
  const session = await daemon.session();
  await session.runTurn("/review a.ts speed");
  expect(model.requests[0]?.messages.at(-1)?.content).toBe("Review a.ts for speed.");
  await trust();
  expect(await api.workspace.commands.query({ cwd: daemon.workspace })).toMatchObject([
    { name: "review", source: "project" },
    { name: "commit", source: "builtin" },
    { name: "init", source: "builtin" },
  ]);
});

test("the tool for slash commands exists only with its experiment", async () => {
  for (const on of [false, true]) {
    const { model, daemon, api, own } = await open(
      [{ calls: [{ tool: "run_slash_command", input: { command: "hello", args: "Ann" } }] }, { text: "done" }],
      on ? { experiments: { runSlashCommand: true } } : {},
    );
    await using _model = model;
    await using _daemon = daemon;
    own("commands/hello.md", "Greet $1.");
    const { offered, withheld } = await api.daemon.tools.query({ cwd: daemon.workspace });
    expect(offered.some(({ name }) => name === "run_slash_command")).toBe(on);
    expect(withheld.filter(({ name }) => name === "run_slash_command")).toEqual(
      on ? [] : [{ name: "run_slash_command", group: null, reason: "the experiment runSlashCommand is off" }],
    );
    const session = await daemon.session();
    await session.runTurn("go");
    const [result] = session.finished.map(({ result }) => result);
    expect(result).toMatchObject(on ? { outcome: "ok", text: "Greet Ann." } : { outcome: "failed" });
  }
});

test("the user's instructions for other agents apply, and so do files that an instruction file names inside its folder", async () => {
  const { model, daemon, trust, system } = await open([{ text: "one" }, { text: "two" }]);
  await using _model = model;
  await using _daemon = daemon;
  const at = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(daemon.root, file)), { recursive: true });
    writeFileSync(path.join(daemon.root, file), text);
  };
  at(".claude/CLAUDE.md", "Be brief. @more.md");
  at(".claude/more.md", "And kind.");
  at(".roo/rules-code/a.md", "Roo, everywhere.");
  at("secret.md", "Not for you.");
  daemon.write("CLAUDE.md", "See @docs/style.md and @../secret.md, `@docs/code.md`, me@docs/mail.md.\n```\n@docs/block.md\n```");
  daemon.write("docs/style.md", "Tabs. @../CLAUDE.md @deep.md");
  for (const name of ["code", "mail", "block"]) daemon.write(`docs/${name}.md`, `Never: ${name}.`);
  daemon.write("docs/deep.md", "Deep.");
  const first = await daemon.session({ mode: "code" });
  await first.runTurn("go");
  for (const text of ["Be brief.", "And kind.", "Roo, everywhere."]) expect(system(0)).toContain(text);
  expect(system(0)).not.toContain("Tabs.");
  await trust();
  const second = await daemon.session({ mode: "code" });
  await second.runTurn("go");
  expect(system(1)).toMatch(/project's CLAUDE\.md → docs\/style\.md; [^\n]+\nTabs\./);
  expect(system(1)).toContain("Deep.");
  for (const text of ["Not for you", "Never:"]) expect(system(1)).not.toContain(text);
});
