import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openHome, type Home, type Ran } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

type Said = { modes: Record<string, unknown>[]; diagnostics: Record<string, unknown>[] };
const parsed = ({ out }: Ran): Said => JSON.parse(out) as Said; // these tests check the shape

/** Matches a text that contains this one. */
const containing = (part: string): unknown => expect.stringContaining(part);

function put(home: Home, file: string, text: string): string {
  const whole = path.join(home.workspace, file);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

const roo = `customModes:
  - slug: docs-writer
    name: 📝 Docs
    roleDefinition: You write docs.
    whenToUse: For docs.
    customInstructions: Be brief.
    groups:
      - read
      - - edit
        - fileRegex: \\.md$
          description: Markdown only
      - command
    rulesFiles:
      - relativePath: style.md
        content: No jargon.
`;

test("`baton modes validate` prints modes and diagnostics, and exits with 2 if one of them is an error", async () => {
  await using home = openHome();
  put(home, "good.yaml", roo);
  put(home, "bad.yaml", roo.replace("- command", "- comand"));
  const good = await home.run(["modes", "validate", "good.yaml", "--json"]);
  expect(good.code).toBe(0);
  expect(parsed(good)).toMatchObject({
    modes: [{ slug: "docs-writer", name: "📝 Docs", format: "roo", source: "project", filePath: path.join(home.workspace, "good.yaml") }],
    diagnostics: [],
  });
  const bad = await home.run(["modes", "validate", "good.yaml", "bad.yaml", "nope.yaml", "--json"]);
  expect(bad.code).toBe(2);
  expect(parsed(bad).modes).toHaveLength(1);
  expect(parsed(bad).diagnostics).toMatchObject([
    {
      file: path.join(home.workspace, "bad.yaml"),
      line: 12,
      column: 9,
      severity: "error",
      code: "unknown_group",
      slug: "docs-writer",
      fix: "Did you mean command?",
    },
    { file: path.join(home.workspace, "nope.yaml"), code: "unreadable" },
  ]);
  expect((await home.run(["modes", "validate", "bad.yaml"])).err).toContain("bad.yaml:12:9 error unknown_group");
});

test.each([
  [
    ".claude/agents/rev.md",
    "---\nname: rev\ndescription: Reviews.\ntools: Read, Grep, Bash(git diff:*)\nmodel: sonnet\n---\nReview.\n",
    "claude",
    ["read_file", "search_text", "run_command"],
  ],
  [
    ".opencode/agent/rev.md",
    "---\ndescription: Reviews.\nmode: subagent\npermission:\n  edit: deny\n  bash: deny\n  webfetch: deny\n---\nReview.\n",
    "opencode",
    ["read_file", "list_files", "search_text", "glob"],
  ],
  [
    ".github/agents/rev.agent.md",
    "---\ndescription: Reviews.\ntools: ['search', 'fetch', 'files/*']\n---\nReview.\n",
    "vscode",
    ["search_text", "glob", "list_files", "fetch_url"],
  ],
  [
    ".cline/agents/rev.yaml",
    "---\nname: rev\ndescription: Reviews.\ntools: [read_file, search_files]\n---\nReview.\n",
    "cline",
    ["read_file", "search_text"],
  ],
  [
    "rev.chatmode.md",
    "---\ndescription: Reviews.\ntools: ['codebase', 'editFiles', 'runCommands']\n---\nReview.\n",
    "vscode",
    ["read_file", "write_file", "delete_file", "run_command"],
  ],
])("%s is recognised by its path, and an imported mode offers its tools", async (file, text, format, offered) => {
  await using home = openHome();
  put(home, file, text);
  const validated = await home.run(["modes", "validate", file, "--json"]);
  expect([validated.code, parsed(validated).diagnostics.filter(({ severity }) => severity === "error")]).toEqual([0, []]);
  expect(parsed(validated).modes).toMatchObject([{ slug: "rev", format }]);
  expect((await home.run(["modes", "import", file])).code).toBe(0);
  const tools = JSON.parse((await home.run(["tools", "--mode", "rev", "--json"])).out) as {
    offered: { name: string; group: string | null }[];
  };
  const names = tools.offered.filter(({ group }) => group !== null).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(offered));
  expect(["write_file", "run_command"].filter((name) => names.includes(name))).toEqual(
    ["write_file", "run_command"].filter((name) => offered.includes(name)),
  );
});

test("importing and exporting a mode changes nothing, and Baton reports what another format cannot express", async () => {
  await using home = openHome();
  put(home, "mine.yaml", roo);
  expect((await home.run(["modes", "import", "mine.yaml"])).out).toBe("Imported 1 mode: docs-writer.\n");
  expect(readFileSync(home.file("rules-docs-writer", "style.md"), "utf8")).toBe("No jargon.");
  const bundle = await home.run(["modes", "export", "docs-writer", "--format", "roo", "--out", "out.yaml"]);
  expect(bundle).toMatchObject({ code: 0, err: "" });
  const [before, after] = await Promise.all(["mine.yaml", "out.yaml"].map((file) => home.run(["modes", "validate", file, "--json"])));
  if (!before || !after) throw new Error("nothing was validated");
  const withoutPlace = ({ modes }: Said) => modes.map(({ filePath: _, line: _line, ...mode }) => mode);
  expect(withoutPlace(parsed(after))).toEqual(withoutPlace(parsed(before)));
  expect(readFileSync(path.join(home.workspace, "out.yaml"), "utf8")).toContain("No jargon.");
  const agent = await home.run(["modes", "export", "docs-writer", "--format", "claude"]);
  expect(agent.out).toContain("tools: Read, Grep, Glob, Edit, Write, Bash");
  expect(agent.err).toContain("The group edit has limits that Claude Code does not support");
  expect((await home.run(["modes", "import", "mine.yaml"])).code).toBe(2);
  expect((await home.run(["modes", "import", "mine.yaml", "--overwrite"])).code).toBe(0);
});

test("a mode can be created, changed, refused and deleted, and a built-in mode can be redefined and restored", async () => {
  await using home = openHome();
  const file = home.file("modes", "clerk.md");
  expect((await home.run(["modes", "create", "clerk", "--set", 'groups=["read"]', "description=Keeps notes."])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("Keeps notes.");
  expect(await home.run(["modes", "create", "clerk", "--set", "description=Again."])).toMatchObject({
    code: 2,
    err: containing("already"),
  });
  expect(await home.run(["modes", "edit", "clerk", "--set", "slug=other"])).toMatchObject({
    code: 2,
    err: containing("cannot change"),
  });
  expect(await home.run(["modes", "edit", "clerk", "--set", 'groups=["raed"]'])).toMatchObject({
    code: 2,
    err: containing("Did you mean read?"),
  });
  expect((await home.run(["modes", "edit", "clerk", "--set", 'groups=["read","edit"]'])).code).toBe(0);
  expect((await home.run(["tools", "--mode", "clerk"])).out).toContain("write_file");
  for (const [answer, code] of [
    ["n", 1],
    ["y", 0],
  ] as const) {
    const terminal = home.terminal(["modes", "delete", "clerk"]);
    await terminal.until(/Delete the mode clerk from .*\? \[y\/N\]/s);
    terminal.press(`${answer}${KEY.enter}`);
    expect(await terminal.exited).toBe(code);
    expect(existsSync(file)).toBe(code === 1);
  }
  expect((await home.run(["modes", "edit", "ask", "--set", "description=Mine."])).code).toBe(0);
  expect((await home.run(["modes", "list"])).out).toContain("overrides the built-in one");
  expect((await home.run(["modes", "restore", "ask"])).code).toBe(0);
  expect(await home.run(["modes", "restore", "ask"])).toMatchObject({ code: 2, err: containing("built in and unchanged") });
  expect(await home.run(["modes", "delete", "ask"])).toMatchObject({ code: 2, err: containing("built in") });
  expect((await home.run(["modes", "show", "nope"])).code).toBe(2);
});

test("each name of a field sets it, and an unknown field or a missing description is refused", async () => {
  await using home = openHome();
  expect(await home.run(["modes", "create", "clerk"])).toMatchObject({ code: 2, err: containing("--set description=") });
  const fields = ["description=Notes.", "prompt=You keep notes.", 'tools=["read"]', "instructions=Be brief.", "maxTurns=7"];
  expect((await home.run(["modes", "create", "clerk", "--set", ...fields])).code).toBe(0);
  const shown = async () => (JSON.parse((await home.run(["modes", "show", "clerk", "--json"])).out) as { mode: unknown }).mode;
  expect(await shown()).toMatchObject({
    description: "Notes.",
    roleDefinition: "You keep notes.",
    groups: ["read"],
    customInstructions: "Be brief.",
    maxSteps: 7,
  });
  expect((await home.run(["modes", "edit", "clerk", "--set", "role=You write.", 'tools=["edit"]'])).code).toBe(0);
  expect(await shown()).toMatchObject({ roleDefinition: "You write.", groups: ["edit"] });
  for (const words of [
    ["edit", "clerk", "--set", "colour=red"],
    ["create", "other", "--set", "description=x", "colour=red"],
  ])
    expect(await home.run(["modes", ...words])).toMatchObject({
      code: 2,
      err: containing("A mode has no field colour. Did you mean color?"),
    });
});

test("a mode's settings in the config stay there when the user changes the mode", async () => {
  await using home = openHome();
  const ofConfig = { model: "scripted/nothing", permissions: [{ action: "command", resource: "git log*", effect: "allow" }] };
  const modes = { ask: { ...ofConfig, customInstructions: "Be brief." } };
  home.configure({ modes });
  expect((await home.run(["modes", "edit", "ask", "--set", "description=Mine."])).code).toBe(0);
  const text = readFileSync(home.file("modes", "ask.md"), "utf8");
  for (const own of ["Mine.", "Be brief."]) expect(text).toContain(own);
  for (const other of ["scripted", "git log"]) expect(text).not.toContain(other);
  const shown = JSON.parse((await home.run(["modes", "show", "ask", "--json"])).out) as { mode: unknown };
  expect(shown.mode).toMatchObject({
    description: "Mine.",
    model: { provider: "scripted", id: "nothing" },
    permissions: ofConfig.permissions,
  });
});

test("a change of an entry keeps comments and other entries, and Baton writes to a project only if it is trusted", async () => {
  await using home = openHome();
  const file = put(
    home,
    ".roomodes",
    `# ours\ncustomModes:\n  # the writer\n  - slug: docs\n    name: Docs\n    roleDefinition: x\n    groups: [read] # only\n  - slug: other\n    name: Other\n    roleDefinition: y\n    groups: []\n    unknownThing: 3\n`,
  );
  expect(await home.run(["modes", "edit", "docs", "--set", "name=New"])).toMatchObject({ code: 2 });
  expect(await home.run(["modes", "create", "mine", "--scope", "project", "--set", "description=Mine."])).toMatchObject({
    code: 2,
    err: containing("You do not trust"),
  });
  await home.run(["trust"]);
  expect((await home.run(["modes", "edit", "docs", "--set", "name=New"])).code).toBe(0);
  expect((await home.run(["modes", "delete", "other"])).code).toBe(0);
  const text = readFileSync(file, "utf8");
  for (const part of ["# ours", "# the writer", "# only", "name: New"]) expect(text).toContain(part);
  expect(text).not.toContain("other");
});

test("`baton tools` names the limits of a mode, and the rule that denies a tool", async () => {
  await using home = openHome();
  const config = { modes: { code: { permissions: { fetch: "deny" } } } };
  home.configure(config);
  home.env["COLUMNS"] = "140";
  const plan = (await home.run(["tools", "--mode", "plan"])).out;
  expect(plan).toMatch(/✓ allow {2}write_file +edit +The plan file only · edit \.baton\/plans\/\*\.md · mode, mode plan/);
  expect(plan).toMatch(/◆ ask {4}run_command +command +read-only commands/);
  expect(plan).toMatch(/– the group plan of the mode plan leaves it out: enter_plan$/m);
  expect(plan).toMatch(/– plan has no orchestrate tools: new_task$/m);
  expect((await home.run(["tools", "--mode", "code"])).out).toMatch(/– a rule in the permissions of the mode code denies it: fetch_url$/m);
});
