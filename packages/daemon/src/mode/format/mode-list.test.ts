import { expect, test } from "vitest";
import type { ModeDiagnostic } from "../parse/diagnostic.ts";
import { readModeList } from "./mode-list.ts";

const good = "  - slug: good\n    name: Good\n    roleDefinition: You are good.\n    groups: [read]\n";
const read = (text: string, file = "/p/.roomodes") => readModeList(file, text, "project");
const slugs = async (text: string, file?: string) => (await read(text, file)).modes.map(({ mode }) => mode.slug);
const asText = ({ line, column, severity, code, slug }: ModeDiagnostic) =>
  `${line}:${column} ${severity} ${code}${slug === undefined ? "" : ` ${slug}`}`;
const bad = (fields: string) => `customModes:\n${good}  - ${fields.trim().split("\n").join("\n    ")}\n`;

test.each([
  ["customModes in YAML", `customModes:\n${good}`, ".roomodes"],
  ["modes in YAML", `modes:\n${good}`, "modes.yaml"],
  ["a bare list", good.replace(/^ {2}/gm, ""), "modes.yaml"],
  ["one mode alone, as from a marketplace", "slug: good\nname: Good\nroleDefinition: x\ngroups: []\n", "mode.yaml"],
  [
    "customModes in JSON",
    '{"customModes":[{"slug":"good","name":"G","roleDefinition":"x","groups":["read",["edit",{"fileRegex":"\\\\.md$"}]]}]}',
    ".roomodes",
  ],
  [
    "the design documents' form",
    '[{"slug":"good","name":"G","role":"x","description":"d","tools":["read",{"name":"edit","tools":["write_to_file"]}]}]',
    ".kilocodemodes",
  ],
  ["a byte order mark and CRLF", `\ufeffcustomModes:\n${good}`.replaceAll("\n", "\r\n"), ".roomodes"],
  ["indentation by no-break spaces", `customModes:\n${good}`.replaceAll("    ", "\u00a0\u00a0\u00a0\u00a0"), ".roomodes"],
  ["a comment in JSON", '{ // mine\n "customModes": [{"slug":"good","name":"G","roleDefinition":"x","groups":[]},] }', ".roomodes"],
])("%s is read", async (_, text, file) => expect(await slugs(text, `/p/${file}`)).toEqual(["good"]));

test.each([
  ["no slug", "name: B\nroleDefinition: x\ngroups: []", "6:5 error missing_field"],
  ["a bad slug", "slug: a b\nname: B\nroleDefinition: x\ngroups: []", "6:11 error bad_slug a b"],
  ["no name", "slug: b\nroleDefinition: x\ngroups: []", ""],
  ["a blank name", 'slug: b\nname: "  "\nroleDefinition: x\ngroups: []', "7:11 error blank_field b"],
  ["no role", "slug: b\nname: B\ngroups: []", "6:5 error missing_field b"],
  ["a blank role", 'slug: b\nname: B\nroleDefinition: ""\ngroups: []', "8:21 error blank_field b"],
  ["no groups", "slug: b\nname: B\nroleDefinition: x", "6:5 error missing_field b"],
  ["groups that are no list", "slug: b\nname: B\nroleDefinition: x\ngroups: read", "9:13 error wrong_type b"],
  ["a group twice", "slug: b\nname: B\nroleDefinition: x\ngroups: [read, read]", "9:20 error duplicate_group b"],
  [
    "a group plain and limited",
    "slug: b\nname: B\nroleDefinition: x\ngroups:\n  - edit\n  - [edit, { fileRegex: 'x' }]",
    "11:9 error duplicate_group b",
  ],
  ["an unknown group", "slug: b\nname: B\nroleDefinition: x\ngroups: [raed]", "9:14 error unknown_group b"],
  ["the coordinator's group", "slug: b\nname: B\nroleDefinition: x\ngroups: [coordinator]", "9:14 error reserved_group b"],
  ["an expression that is none", "slug: b\nname: B\nroleDefinition: x\ngroups: [[edit, { fileRegex: '[' }]]", "9:34 error bad_regex b"],
  [
    "a wildcard for an expression",
    'slug: b\nname: B\nroleDefinition: x\ngroups: [[edit, { fileRegex: "*.md" }]]',
    "9:34 error bad_regex b",
  ],
  [
    "a backspace for an expression",
    'slug: b\nname: B\nroleDefinition: x\ngroups: [[edit, { fileRegex: "\\bx" }]]',
    "9:34 error bad_escape b",
  ],
  ["an alias for an expression", "slug: b\nname: B\nroleDefinition: x\ngroups: [[edit, { fileRegex: *.md }]]", "9:34 error bad_yaml b"],
  ["broken YAML", "slug: b\nname: [B\nroleDefinition: x\ngroups: []", "8:5 error bad_yaml b"],
  ["a tab for indentation", "slug: b\n\tname: B\nroleDefinition: x\ngroups: []", "7:5 error bad_yaml b"],
  ["a field twice", "slug: b\nname: B\nname: C\nroleDefinition: x\ngroups: []", "8:5 error duplicate_field"],
  ["a field of the wrong type", "slug: b\nname: B\nroleDefinition: x\ngroups: []\nallowedFilePaths: { a: 1 }", "10:23 error wrong_type b"],
  ["a slug that is taken", "slug: good\nname: B\nroleDefinition: x\ngroups: []", "6:11 error duplicate_slug good"],
  ["a text instead of a mode", "just words", "6:5 error wrong_type"],
])("%s is reported with its position, and hides no valid mode", async (_, fields, diagnostic) => {
  const { modes, diagnostics } = await read(bad(fields));
  expect(modes.map(({ mode }) => mode.slug)).toEqual(diagnostic === "" ? ["good", "b"] : ["good"]);
  expect(diagnostics.map(asText)).toEqual(diagnostic === "" ? [] : [diagnostic]);
  for (const each of diagnostics) expect(each.message).not.toBe("");
});

test.each([
  ["an escape that YAML does not know", 'groups: [[edit, { fileRegex: "\\.md$" }]]', "9:35 warning bad_escape"],
  ["the group of modes", "groups: [modes]", "9:14 warning ignored_group b"],
  ["a limit that means nothing", "groups: [[browser, { fileRegex: 'x' }]]", "9:26 warning limit_without_effect b"],
  ["an unknown tool", "groups: [{ name: edit, tools: [write_file, run_command] }]", "9:48 warning unknown_tool b"],
  ["a flag without effect", "groups: []\nexperimentalFeatures: { enableAutoMode: true }", "10:29 info flag_without_effect b"],
  ["a slip of the pen", "groups: []\ncustomInstruction: x", "10:5 warning unknown_field b"],
  [
    "a grant by a project",
    "groups: [edit]\npermissions: [{ action: edit, resource: '*', effect: allow }]",
    "10:18 warning project_cannot_grant b",
  ],
  [
    "an endpoint by a project",
    "groups: []\nmodel: { provider: x, id: y, baseUrl: 'http://evil.example/v1' }",
    "10:34 warning project_cannot_grant b",
  ],
  ["the place of a model without the model", "groups: []\napiBase: 'http://h/v1'", "10:5 warning incomplete_model b"],
])("%s is reported, and the mode works", async (_, fields, diagnostic) => {
  const { modes, diagnostics } = await read(bad(`slug: b\nname: B\nroleDefinition: x\n${fields}`));
  expect(modes.map(({ mode }) => mode.slug)).toEqual(["good", "b"]);
  expect(diagnostics.map(asText)).toEqual([diagnostic]);
});

test("the approvals of a user's mode come before its own rules, and a project's mode approves nothing", async () => {
  const text = bad(
    "slug: b\nname: B\nroleDefinition: x\ngroups: []\nautoApprove: { browser: allow, command: false }\npermissions: { command: { make: deny } }",
  );
  const own = (await readModeList("/h/modes.yaml", text, "global")).modes[1]?.mode.permissions;
  expect(own).toEqual([
    { action: "browser", resource: "*", effect: "allow" },
    { action: "fetch", resource: "*", effect: "allow" },
    { action: "command", resource: "*", effect: "ask" },
    { action: "command", resource: "make", effect: "deny" },
  ]);
  const { modes, diagnostics } = await read(text);
  expect(modes[1]?.mode.permissions).toEqual(own?.slice(2));
  expect(diagnostics.map(asText)).toEqual(["10:29 warning project_cannot_grant b"]);
});

test("texts stay as they are", async () => {
  const role = "You are 👨‍💻 “quoted” – \u00a0dashed";
  const { modes } = await read(`customModes:\n  - slug: e\n    name: "👨‍💻 E"\n    roleDefinition: "${role}"\n    groups: []\n`);
  expect(modes[0]?.mode).toMatchObject({ name: "👨‍💻 E", roleDefinition: role });
});

test("a file cannot claim another origin for its mode", async () => {
  const { modes } = await read(
    bad("slug: b\nname: B\nroleDefinition: x\ngroups: []\nsource: global\nisCustom: false\nfilePath: /etc/passwd"),
  );
  expect(modes[1]?.mode).not.toHaveProperty("source");
  expect(modes[1]?.mode.extra).toBeUndefined();
});

test("rules files must be in the folder of their mode", async () => {
  const files = ["a.md", "rules-b/c.md", "../x.md", "/etc/x", "d/../../y.md", "C:\\z"]
    .map((path) => `  - { relativePath: '${path}', content: t }`)
    .join("\n");
  const { modes, diagnostics } = await read(bad(`slug: b\nname: B\nroleDefinition: x\ngroups: []\nrulesFiles:\n${files}`));
  expect(modes[1]?.rulesFiles.map(({ relativePath }) => relativePath)).toEqual(["a.md", "c.md"]);
  expect(diagnostics.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => "unsafe_path"));
});

test.each([
  "^(?!src/secret).*\\.ts$",
  "^src/(?!.*__tests__).*\\.(js|ts)$",
  ".*/handoffs/(?!x/).*\\.md$|^a$",
  "a|b(?!c)d",
  "(a(?!b))c",
  "^(?=.*x).*y",
])("%s is used as it is", async (pattern) => {
  const { modes, diagnostics } = await read(bad(`slug: b\nname: B\nroleDefinition: x\ngroups: [[edit, { fileRegex: '${pattern}' }]]`));
  expect(diagnostics).toEqual([]);
  expect(modes[1]?.mode.groups).toEqual([{ name: "edit", fileRegex: pattern }]);
});

test.each([
  ["a look back", "(?<!x)y"],
  ["a reference back", "(?!x)(a)\\1"],
])("%s cannot be matched in limited time, and is reported", async (_, pattern) => {
  const { modes, diagnostics } = await read(bad(`slug: b\nname: B\nroleDefinition: x\ngroups: [[edit, { fileRegex: '${pattern}' }]]`));
  expect([modes.length, diagnostics.map(({ code }) => code)]).toEqual([1, ["bad_regex"]]);
});

test("groups can also have the formats of Roo and its relatives", async () => {
  const { modes, diagnostics } = await read(
    bad("slug: b\nname: B\nroleDefinition: x\ngroups:\n  - write: { fileRegex: '\\.md$' }\n  - execute"),
  );
  expect(diagnostics).toEqual([]);
  expect(modes[1]?.mode.groups).toEqual([{ name: "edit", fileRegex: "\\.md$" }, "command"]);
});

test("an empty file is valid, and a file with other content is an error", async () => {
  expect(await read("")).toMatchObject({ modes: [], diagnostics: [], broken: false });
  expect((await read("customModes:\n")).diagnostics).toEqual([]);
  expect((await read("hello: 1\n")).diagnostics.map(asText)).toEqual(["1:1 error not_modes"]);
  expect(await read('{"customModes": [', "/p/x.json")).toMatchObject({ broken: true, diagnostics: [{ code: "bad_json" }] });
});
