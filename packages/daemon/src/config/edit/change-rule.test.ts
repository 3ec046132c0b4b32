import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { changeRule, type RuleChange, type ShownRule } from "./change-rule.ts";
import { openConfigEditor } from "./edit-jsonc.ts";
import { parseConfig } from "../load-config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "baton-rule-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, "config.jsonc");

/** Changes the nth rule, as Baton shows it. Returns the text of the file, after the refusal if there is one. */
async function change(text: string, nth: number, to: RuleChange | undefined, more: Partial<ShownRule> = {}): Promise<string> {
  writeFileSync(file, text);
  const rule = parseConfig(text, file).rules[nth];
  if (!rule) throw new Error("there is no such rule");
  const { action, resource, effect, source } = rule;
  const edited = await changeRule(openConfigEditor(file), file, { action, resource, effect, source, ...more }, to);
  return ("refused" in edited ? edited.refused.message : "") + readFileSync(file, "utf8");
}

const LIST = `{
  "model": "a/b", // mine
  "permissions": [
    // never publish
    { "action": "command", "resource": "npm publish *", "effect": "deny" }, // for good
    { "action": "read", "resource": "~/notes/*", "effect": "allow" },
    {
      "action": "command",
      "resource": { "exact": "git push" }, /* exact */
      "effect": "ask",
    },
  ],
}
`;

test("a rule of a list is changed in its place, and the rest of the file stays as it is written", async () => {
  expect(await change(LIST, 0, { effect: "ask" })).toBe(LIST.replace('"deny"', '"ask"'));
  expect(await change(LIST, 0, { effect: "deny", resource: "pnpm publish *" })).toBe(LIST.replace("npm publish", "pnpm publish"));
  expect(await change(LIST, 1, { effect: "deny" })).toBe(LIST.replace('"allow"', '"deny"')); // `~` stays, although Baton shows the whole path
  expect(await change(LIST, 2, { effect: "allow", resource: { exact: "git push origin" } })).toBe(
    LIST.replace('"git push"', '"git push origin"')
      .replace('"ask"', '"allow"')
      .replace(/\{ "exact": (.*) \},/, '{\n        "exact": $1\n      },'),
  );
});

test("a removed rule takes its line, and comments stay", async () => {
  expect(await change(LIST, 1, undefined)).toBe(
    LIST.replace('    { "action": "read", "resource": "~/notes/*", "effect": "allow" },\n', ""),
  );
  const without = await change(LIST, 0, undefined);
  expect(without).toContain("// never publish");
  expect(without).toContain("// for good");
  expect(parseConfig(without, file)).toMatchObject({ diagnostics: [], rules: [{ resource: `${homedir()}/notes/*` }, { effect: "ask" }] });
  expect(await change('{ "permissions": [{ "action": "edit", "resource": "*", "effect": "ask" }] }', 0, undefined)).toBe(
    '{ "permissions": [] }',
  );
});

const TABLE = `{
  "permissions": {
    "edit": "ask", // all files
    "command": { "npm *": "allow", /* tools */ "git push *": "deny" },
    "read": { "*.secret": "deny" },
  }
}
`;

test("a rule of a table is changed in its place and removed", async () => {
  expect(await change(TABLE, 0, { effect: "allow" })).toBe(TABLE.replace('"ask"', '"allow"'));
  expect(await change(TABLE, 1, { effect: "ask", resource: "pnpm *" })).toBe(TABLE.replace('"npm *": "allow"', '"pnpm *": "ask"'));
  expect(parseConfig(await change(TABLE, 0, { effect: "allow", resource: "docs/*" }), file).rules[0]).toMatchObject({
    action: "edit",
    resource: "docs/*",
    effect: "allow",
  });
  expect(await change(TABLE, 1, undefined)).toBe(TABLE.replace('"npm *": "allow",', ""));
  expect(await change(TABLE, 3, undefined)).toBe(TABLE.replace('    "read": { "*.secret": "deny" },\n', ""));
});

test("a change that does not fit is refused, and the file stays as it is", async () => {
  const handMade = "The rules in config.jsonc cannot take this change. Edit the file by hand.";
  const gone = (line: number) =>
    `The rule command npm publish * is no longer at config.jsonc:${line}. Look at the current rules, then try again.`;
  expect(await change(TABLE, 1, { effect: "ask", resource: "git push *" })).toBe(handMade + TABLE);
  expect(await change(TABLE, 1, { effect: "ask", resource: { exact: "npm test" } })).toBe(handMade + TABLE);
  expect(await change(LIST, 0, undefined, { effect: "allow" })).toBe(gone(5) + LIST);
  expect(await change(LIST, 0, undefined, { source: "config.jsonc:9" })).toBe(gone(9) + LIST);
});

test("of two equal rules, the one at the shown line is changed", async () => {
  const rule = '{ "action": "edit", "resource": "*", "effect": "ask" }';
  const twice = `{ "permissions": [\n  ${rule},\n  ${rule}\n] }`;
  expect(await change(twice, 1, { effect: "deny" })).toBe(`{ "permissions": [\n  ${rule},\n  ${rule.replace("ask", "deny")}\n] }`);
});
