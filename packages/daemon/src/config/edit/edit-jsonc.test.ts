import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { addRules, appendRule, changeServers } from "./change-config.ts";
import { openConfigEditor } from "./edit-jsonc.ts";
import { parseConfig } from "../load-config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "baton-edit-"));
afterAll(() => rmSync(folder, { recursive: true }));
const place = (name: string, text?: string) => {
  const file = path.join(folder, name);
  if (text !== undefined) writeFileSync(file, text);
  return { file, edit: openConfigEditor(file), now: () => readFileSync(file, "utf8") };
};
const server = { command: "true" };

test("concurrent changes all count, and leave no files beside the config", async () => {
  const { edit, file, now } = place("many.jsonc");
  const names = ["a", "b", "c", "d"];
  const rule = { action: "edit", resource: "*", effect: "ask" } as const;
  await Promise.all([...names.map((name) => changeServers(edit, { [name]: server })), addRules(edit, [rule])]);
  const { config, rules, diagnostics } = parseConfig(now(), file);
  expect({ names: Object.keys(config.mcpServers ?? {}).sort(), rules: rules.length, diagnostics }).toEqual({
    names,
    rules: 1,
    diagnostics: [],
  });
  expect(readdirSync(folder)).toEqual(["many.jsonc"]);
});

test("an unreadable file stays as it is, the error names the position, and the next change tries again", async () => {
  const broken = '{\n  // mine\n  "model": "a/b"\n  "modes": {}\n}\n';
  const { edit, file, now } = place("broken.jsonc", broken);
  expect(await changeServers(edit, { a: server })).toMatchObject({
    refused: { code: "config_broken", message: expect.stringContaining(`${file}:4:3: A comma is missing here.`) as string },
  });
  expect(now()).toBe(broken);
  for (const text of ["[1]", '{ "mcpServers": ["x"] }']) {
    writeFileSync(file, text);
    expect(await changeServers(edit, { a: server })).toMatchObject({ refused: { code: "config_broken" } });
    expect(now()).toBe(text);
  }
  writeFileSync(file, '{ "model": "a/b", /* mine */ }');
  expect(await changeServers(edit, { a: server })).toEqual({ written: true });
  expect(now()).toContain("/* mine */");
});

test("a config that begins with a byte order mark can be changed", async () => {
  const { edit, file, now } = place("marked.jsonc", '\uFEFF{ "model": "a/b" }');
  expect(await changeServers(edit, { a: server })).toEqual({ written: true });
  expect(parseConfig(now(), file)).toMatchObject({ config: { model: "a/b", mcpServers: { a: server } }, diagnostics: [] });
});

test("a change of a symlink writes to its target, even if the target does not exist yet", async () => {
  const { edit, file } = place("link.jsonc");
  const target = path.join(folder, "behind.jsonc");
  symlinkSync("behind.jsonc", file);
  for (const name of ["a", "b"]) {
    await changeServers(edit, { [name]: server });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toContain(`"${name}"`);
  }
});

test("a new rule comes after the others and wins, in a list and in a table, and comments stay", async () => {
  const rule = { action: "command", resource: "git push *", effect: "deny" } as const;
  const added = async (text: string) => {
    const { edit, file, now } = place(`rule-${text.length}.jsonc`, text);
    expect(await appendRule(edit, rule)).toEqual({ written: true });
    const { rules, diagnostics } = parseConfig(now(), file);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(now().includes("mine")).toBe(text.includes("mine"));
    return rules.map(({ action, resource, effect }) => `${effect} ${action} ${typeof resource === "string" ? resource : "?"}`);
  };
  expect(await added("{}")).toEqual(["deny command git push *"]);
  expect(await added('{ "permissions": [\n // mine\n { "action": "command", "resource": "*", "effect": "allow" }] }')).toEqual([
    "allow command *",
    "deny command git push *",
  ]);
  expect(await added('{ "permissions": { "command": "allow" } }')).toEqual(["allow command *", "deny command git push *"]);
  expect(await added('{ "permissions": { /* // mine */ "command": { "git push *": "allow", "*": "ask" } } }')).toEqual([
    "ask command *",
    "deny command git push *",
  ]);
  const { edit } = place("exact.jsonc", '{ "permissions": { "command": "ask" } }');
  expect(await appendRule(edit, { ...rule, resource: { exact: "ls" } })).toEqual({ written: false });
});
