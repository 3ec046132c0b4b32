import { expect, test } from "vitest";
import { fullyDenied, judge } from "../permission/judge.ts";
import { stackLayers } from "../permission/rule-layers.ts";
import type { Mode } from "../protocol/mode.ts";
import type { SourcedRule } from "../protocol/rule.ts";
import { rulesOfMode } from "./mode-rules.ts";

const everything: SourcedRule = { action: "*", resource: "*", effect: "allow", layer: "user", source: "test" };
const base: Mode = {
  slug: "m",
  name: "M",
  description: "",
  whenToUse: "",
  roleDefinition: "x",
  customInstructions: "",
  groups: ["read", "edit", "command", "mcp"],
  icon: "circle",
  hue: "blue",
};

/** Judges for a user who allows everything, so that only the mode denies. */
const rulesOf = (mode: Partial<Mode>) =>
  stackLayers({ folder: "/home/me/work", mode: rulesOfMode({ ...base, ...mode }), user: [everything], workspace: [], session: [] });
const effect = (mode: Partial<Mode>, action: string, resource: string, tool = action) =>
  judge(rulesOf(mode), tool, [{ action, resource }]).effect;

test.each([
  ["docs/a.md", "allow"],
  ["docs/sub/a.md", "allow"],
  ["docs/a.md.ts", "deny"],
  ["src/docs/a.md", "deny"],
  ["docs/.md", "allow"],
  ["docs/a.MD", "deny"],
  ["docs/a b/ü.md", "allow"],
  ["docs/a\n.md", "deny"],
  ["docs", "deny"],
  [".", "deny"],
  ["/etc/docs/a.md", "deny"],
  ["/docs/a.md", "deny"],
  ["C:\\docs\\a.md", "deny"],
  ["docs/../a.md", "allow"],
])("a limit to '^docs/.*\\.md$' for %j gives: %s", (file, expected) => {
  // Baton resolves `..` and links before rules see a path, so the last case cannot occur.
  expect(effect({ groups: [{ name: "edit", fileRegex: "^docs/.*\\.md$" }] }, "edit", file)).toBe(expected);
});

test("a limit that matches anywhere does not allow files outside of the workspace", () => {
  const limited = { groups: [{ name: "edit" as const, fileRegex: "\\.md$" }] };
  expect([effect(limited, "edit", "a.md"), effect(limited, "edit", "/home/me/a.md"), effect(limited, "edit", "D:\\a.md")]).toEqual([
    "allow",
    "deny",
    "deny",
  ]);
});

test("a closed path of a group wins over an open one", () => {
  const limited = { groups: [{ name: "edit" as const, fileRegex: "\\.ts$", deny: "^src/secret/" }] };
  expect([effect(limited, "edit", "src/a.ts"), effect(limited, "edit", "src/secret/a.ts")]).toEqual(["allow", "deny"]);
});

test("a limit of one group does not affect the others", () => {
  const limited = { groups: ["read" as const, { name: "edit" as const, fileRegex: "\\.md$" }] };
  expect(effect(limited, "read", "src/a.ts")).toBe("allow");
});

test("the mode's paths apply to reading and writing, and a disallowed path wins", () => {
  const mode = { allowedFilePaths: ["^src/", "^docs/"], disallowedFilePaths: ["\\.secret$"] };
  const table = ["src/a", "docs/a", "test/a", "src/a.secret", "/src/a"].map((file) => [
    effect(mode, "read", file),
    effect(mode, "edit", file),
  ]);
  expect(table).toEqual([
    ["allow", "allow"],
    ["allow", "allow"],
    ["deny", "deny"],
    ["deny", "deny"],
    ["deny", "deny"],
  ]);
});

test("tools that search folders may search everywhere, and are checked for each file that they show", () => {
  const mode = { allowedFilePaths: ["^src/"] };
  for (const tool of ["list_files", "glob", "search_text"]) {
    expect(effect(mode, "read", ".", tool)).toBe("allow");
    expect(fullyDenied(rulesOf(mode), "read", tool)).toBeUndefined();
  }
  expect(effect(mode, "read", ".", "read_file")).toBe("deny");
});

test("a group with only some of its tools withholds the others, even under their older names", () => {
  const rules = rulesOf({ groups: [{ name: "edit", tools: ["write_to_file", "apply_patch"] }] });
  const withheld = ["write_file", "edit_file", "apply_patch", "move_file", "delete_file"].filter((tool) =>
    fullyDenied(rules, "edit", tool),
  );
  expect(withheld).toEqual(["edit_file", "move_file", "delete_file"]);
});

test("a group that is limited to some tools has only those tools", () => {
  const mode = { groups: [{ name: "mcp" as const, tools: ["files__*"] }] };
  expect([effect(mode, "mcp", "files__read", "files__read"), effect(mode, "mcp", "web__get", "web__get")]).toEqual(["allow", "deny"]);
});

test("commands can be limited by an expression", () => {
  const mode = { groups: [{ name: "command" as const, commandRegex: "^git (status|diff)( |$)" }] };
  expect(["git status", "git diff a", "git push", "xgit status"].map((command) => effect(mode, "command", command))).toEqual([
    "allow",
    "allow",
    "deny",
    "deny",
  ]);
});

test("a mode's list of tools narrows its groups", () => {
  const withheldBy = (tools: Mode["tools"]) =>
    ["read_file", "write_file", "run_command", "ask_followup_question"].filter((tool) =>
      fullyDenied(rulesOf({ tools }), ACTIONS[tool] ?? tool, tool),
    );
  expect(withheldBy({ allow: ["read_*", "files__*"] })).toEqual(["write_file", "run_command"]);
  expect(withheldBy({ deny: ["execute_command", "ask_followup_question"] })).toEqual(["run_command", "ask_followup_question"]);
});

const ACTIONS: Record<string, string> = { read_file: "read", write_file: "edit", run_command: "command" };

test("the subtask modes that a mode lists are a ceiling", () => {
  const mode = { groups: ["orchestrate" as const], subagents: ["code", "docs-*"] };
  expect(["code", "docs-writer", "debug"].map((slug) => effect(mode, "new_task", slug))).toEqual(["allow", "allow", "deny"]);
  expect(fullyDenied(rulesOf({ ...mode, subagents: [] }), "new_task", "new_task")).toBeDefined();
});

test("nobody can allow what a mode's own rules deny, and the config can open what the mode lacks", () => {
  expect(effect({ permissions: [{ action: "edit", resource: "gen/*", effect: "deny" }] }, "edit", "gen/a")).toBe("deny");
  expect(effect({ groups: ["read"] }, "edit", "a")).toBe("deny");
  expect(effect({ groups: ["read"], opened: [{ action: "edit", resource: "notes/*", effect: "ask" }] }, "edit", "notes/a")).toBe("allow");
  expect(effect({ groups: ["read"], opened: [{ action: "edit", resource: "notes/*", effect: "ask" }] }, "edit", "a")).toBe("deny");
});
