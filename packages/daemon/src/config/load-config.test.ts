import { homedir } from "node:os";
import { expect, test } from "vitest";
import { parseConfig } from "./load-config.ts";

const problemsIn = (text: string) =>
  parseConfig(text, "/home/me/config.jsonc").diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`);

test("both forms of permissions give rules in the order of the file, each with its line", () => {
  const list = parseConfig(
    '{\n "permissions": [\n  {"action": "edit", "resource": "*", "effect": "ask"},\n  {"action": "edit", "resource": "docs/*", "effect": "allow"}\n ]\n}',
    "/x/config.jsonc",
  );
  const table = parseConfig(
    '{\n "permissions": {\n  "edit": { "*": "ask",\n   "docs/*": "allow" },\n  "command": "ask"\n }\n}',
    "/x/config.jsonc",
  );
  expect(list.rules.map(({ action, resource, effect, source }) => [action, resource, effect, source])).toEqual([
    ["edit", "*", "ask", "config.jsonc:3"],
    ["edit", "docs/*", "allow", "config.jsonc:4"],
  ]);
  expect(table.rules.map(({ action, resource, effect, source }) => [action, resource, effect, source])).toEqual([
    ["edit", "*", "ask", "config.jsonc:3"],
    ["edit", "docs/*", "allow", "config.jsonc:4"],
    ["command", "*", "ask", "config.jsonc:5"],
  ]);
});

test("a byte order mark at the start is valid", () => expect(problemsIn('\uFEFF{ "model": "a/b" }')).toEqual([]));

test("comments and trailing commas are valid", () => expect(problemsIn('{ // mine\n "model": "a/b", /* so */ }')).toEqual([]));

test("an unknown key suggests the nearest known one, and the rest of the file applies", () => {
  const loaded = parseConfig('{ "permisions": [], "model": "a/b" }', "/x/config.jsonc");
  expect(loaded.config).toEqual({ model: "a/b" });
  expect(loaded.diagnostics).toMatchObject([{ line: 1, column: 3, message: 'Unknown key "permisions". Did you mean "permissions"?' }]);
});

test("a wrong value is reported with its position", () => {
  expect(problemsIn('{\n "model": "without-provider",\n "limits": {\n  "steps": 0\n }\n}')).toEqual([
    "2:11 model: write a model as provider/model",
    expect.stringMatching(/^4:12 limits\.steps: /),
  ]);
});

test("text that is not JSON keeps the previous rules, or denies calls that would ask", () => {
  const before = parseConfig('{ "permissions": { "command": "ask" }, "model": "a/b" }', "/x/config.jsonc");
  const after = parseConfig('{ "permissions": { "command": "allow" ', "/x/config.jsonc", before);
  expect(after).toMatchObject({ config: before.config, rules: before.rules });
  expect(after.diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    "1:39 A closing brace } is missing here, so the file cannot be read. The previous version stays in effect until you fix the file.",
  ]);
  expect(parseConfig("{", "/x/config.jsonc")).toMatchObject({
    rules: [],
    insteadOfAsking: { effect: "deny", source: "config.jsonc is broken" },
  });
});

test.each([
  ['{"edit": "yes"}', 'permissions.edit: "yes" is not an effect; the effects are allow, ask, deny'],
  ['{"edit": {"a/*": "dney"}}', 'permissions.edit.a/*: "dney" is not an effect; the effects are allow, ask, deny'],
  [
    '[{"action": "edit", "resource": "*", "effect": "no"}]',
    'permissions.0.effect: "no" is not an effect; the effects are allow, ask, deny',
  ],
  ['[{"action": "edit", "resource": "*", "efect": "deny"}]', "permissions.0: effect is missing in this rule"],
  ['"allow"', "permissions: write a list of rules {action, resource, effect}, or a table of actions with their effects"],
])("the error about rules that are %s is a sentence", (permissions, message) => {
  const { diagnostics } = parseConfig(`{ "permissions": ${permissions} }`, "config.jsonc");
  expect(diagnostics.map((fault) => fault.message)).toEqual([message]);
});

test("a broken permissions section never makes the rules wider", () => {
  const before = parseConfig('{ "permissions": { "command": "deny" } }', "/x/config.jsonc");
  const half = '{ "permissions": [ { "action": "command", "resource": "*", "effect": "alow" } ], "defaultMode": "ask" }';
  expect(parseConfig(half, "/x/config.jsonc", before)).toMatchObject({ rules: before.rules, config: { defaultMode: "ask" } });
});

test("a list is not a config", () => expect(problemsIn("[]")).toEqual(["1:1 The config must be one object: { ... }."]));

const reading = { layer: "user", actions: ["edit", "command", "read_file"] } as const;

test("an action that does not exist breaks the rules, so the previous rules stay in effect", () => {
  const before = parseConfig('{ "permissions": { "edit": "deny" } }', "/x/config.jsonc", undefined, reading);
  const after = parseConfig('{\n "permissions": { "edti": "deny", "command": "allow" } }', "/x/config.jsonc", before, reading);
  expect(after.rules).toEqual(before.rules);
  expect(after.diagnostics).toMatchObject([
    { line: 2, severity: "error", message: expect.stringContaining('Did you mean "edit"?') as string },
  ]);
  const first = parseConfig('{ "permissions": { "edti": "deny" } }', "/x/config.jsonc", undefined, reading);
  expect(first.insteadOfAsking).toMatchObject({ effect: "deny" });
});

test("tools, wildcards and tools of servers are actions too", () =>
  expect(
    parseConfig('{ "permissions": { "read_*": "ask", "read_file": "allow", "files__read": "allow" } }', "/x/c", undefined, reading)
      .diagnostics,
  ).toEqual([]));

test("a rule that never decides is reported with the rule that covers it", () => {
  const { diagnostics } = parseConfig(
    '{ "permissions": {\n "edit": {\n  "docs/*": "deny",\n  "*": "allow" } } }',
    "/x/config.jsonc",
    undefined,
    reading,
  );
  expect(diagnostics).toMatchObject([
    {
      line: 3,
      severity: "warning",
      message: 'This rule never applies, because edit "*" (config.jsonc:4) comes later and covers edit "docs/*".',
    },
  ]);
});

test("~ and $HOME at the start of a resource mean the home folder", () => {
  const { rules } = parseConfig(
    '{ "permissions": { "edit": { "~/notes/*": "allow", "$HOME": "deny", "$HOMEs": "ask" } } }',
    "/x/c",
    undefined,
    reading,
  );
  expect(rules.map(({ resource }) => resource)).toEqual([`${homedir()}/notes/*`, homedir(), "$HOMEs"]);
});

test.each([
  ['{ "inbox": "ctrl+r" }', /^1:36 terminal\.keys\.inbox: Ctrl\+R is by default the key of searchHistory, too\./],
  ['{ "inbox": ["f2", "g"] }', /^1:43 terminal\.keys\.inbox\.1: "g" is not a key for an action\./],
  ['{ "inbx": "f2" }', /^1:25 terminal\.keys: There is no action "inbx"\. Did you mean "inbox"\?$/],
])("the keys %s are reported with their setting", (keys, message) => {
  expect(problemsIn(`{ "terminal": { "keys": ${keys} } }`)).toEqual([expect.stringMatching(message)]);
});

test("a mistake in a section that limits agents keeps its previous value", () => {
  const before = parseConfig('{ "network": "off", "disabledTools": ["fetch_url"], "todoList": false }', "/x/config.jsonc");
  const after = parseConfig('{ "network": "of", "disabledTools": "fetch_url", "todoList": 1 }', "/x/config.jsonc", before);
  expect(after.config).toEqual({ network: "off", disabledTools: ["fetch_url"] });
  expect(after.diagnostics).toHaveLength(3);
});
