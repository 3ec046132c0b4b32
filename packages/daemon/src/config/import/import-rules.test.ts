import { ruleText } from "@baton/core/text/rule-text";
import { expect, test } from "vitest";
import { importRules } from "./import-rules.ts";

const homes = { home: "/home/me", settings: "/home/me/.config" };
const MINE = "/home/me/.claude/settings.json";
const read = (parsed: unknown, file = MINE, everywhere = false) => importRules({ text: JSON.stringify(parsed), file, everywhere }, homes);

const rules = (parsed: unknown, file = MINE, everywhere = false) =>
  read(parsed, file, everywhere)?.rules.map(({ effect, ...rule }) => `${effect} ${ruleText(rule)}`);

test("permission objects of opencode and Kilo keep their order", () => {
  expect(
    rules({
      permission: {
        edit: { "*": "deny", "docs/*": "allow" },
        bash: { "*": "ask", "git status *": "allow" },
        webfetch: "deny",
        task: "allow",
        doom_loop: "ask",
        plan_enter: "allow",
        plan_exit: "ask",
        write: "ask",
        patch: "deny",
        lsp: "allow",
      },
    }),
  ).toEqual([
    "deny edit *",
    "allow edit docs/*",
    "ask command *",
    "allow command git status *",
    "deny fetch *",
    "allow new_task *",
    "ask loop_guard *",
    "allow enter_plan *",
    "ask exit_plan *",
    "ask edit *",
    "deny edit *",
  ]);
  expect(read({ permission: { lsp: "allow" } })?.notes).toEqual(["Baton has no such rule, so it was left out: lsp."]);
  expect(rules({ permission: "allow" })).toEqual(["allow * *"]);
});

test("permission lists of Claude Code become rules, with the denies last", () => {
  expect(
    rules({
      permissions: {
        allow: [
          "Bash(npm run test:*)",
          "Bash(git diff)",
          "Read(~/.zshrc)",
          "Edit(docs/**)",
          "mcp__puppeteer",
          "mcp__github__get_issue",
          "WebFetch(domain:example.com)",
        ],
        ask: ["Bash(git push:*)"],
        deny: ["Read(./.env)", "Read(./secrets/**)", "Read(//etc/passwd)", "WebFetch"],
      },
    }),
  ).toEqual([
    "allow command npm run test *",
    "allow command git diff",
    "allow read ~/.zshrc",
    "allow read ~/.zshrc/*",
    "allow edit docs/*",
    "allow mcp puppeteer__*",
    "allow mcp github__get_issue",
    "allow fetch https://example.com/*",
    "allow fetch http://example.com/*",
    "ask command git push *",
    String.raw`deny read /^(?:[^/]+/)*\.env(?:/|$)/`,
    "deny read secrets/*",
    "deny read /etc/passwd",
    "deny read /etc/passwd/*",
    "deny fetch *",
  ]);
});

test("a rule that becomes stricter is reported", () => {
  const { notes = [] } = read({ permissions: { allow: ["Bash", "Edit", "Bash(python:*)", "Nonsense(x)"] } }) ?? {};
  expect(notes).toHaveLength(4);
  expect(notes.join("\n")).toContain("dangerous commands");
  expect(notes.at(-1)).toBe("Baton has no such rule, so it was left out: Nonsense(x).");
});

test("a file without rules gives none", () => expect(read({ model: "x" })).toBeUndefined());

test("the allows of one project's file are left out and reported unless they are wanted everywhere, and its denies are imported", () => {
  const settings = { permissions: { allow: ["Edit(src/**)", "Bash(npm test:*)"], ask: ["Bash(git push)"], deny: ["Read(secrets/)"] } };
  const strict = ["ask command git push", "deny read /^(?:[^/]+/)*secrets(?:/|$)/"];
  for (const file of [
    "/home/me/work/.claude/settings.json",
    "/home/me/work/.claude/settings.local.json",
    "/tmp/some.json",
    "/home/me/work/.kilo/x",
  ])
    expect(rules(settings, file)).toEqual(strict);
  expect(rules(settings, "/home/me/work/.claude/settings.json", true)).toEqual(["allow edit src/*", "allow command npm test *", ...strict]);
  expect(read(settings, "/home/me/work/.claude/settings.json")?.notes).toEqual([
    'A file of one project would allow this in all projects, so it was left out: edit src/*, command npm test *. Answer with "workspace" when Baton asks there, or import with --everywhere.',
  ]);
  for (const file of [MINE, "/home/me/.config/opencode/opencode.json", "/home/me/.config/kilo/kilo.json"])
    expect(rules({ permission: { edit: "allow" } }, file)).toEqual(["allow edit *"]);
  expect(rules({ permission: { edit: "allow", bash: "deny" } }, "/home/me/work/opencode.json")).toEqual(["deny command *"]);
});

test("keys that are not rules are named, and so are errors in the file", () => {
  const settings = {
    $schema: "x",
    hooks: {},
    env: {},
    permissions: { deny: ["Bash"], defaultMode: "acceptEdits", additionalDirectories: ["../x"] },
  };
  expect(read(settings)?.notes).toEqual([
    "Baton only imports rules, so these keys were left out: hooks, env, permissions.defaultMode, permissions.additionalDirectories.",
    'Hooks run from the file itself if your config has "hooks": { "from": ["claude"] }.',
    "`baton --add-dir FOLDER` lets a session work in another folder.",
  ]);
  const opencode = { permission: { edit: "ask" }, agent: {}, mcp: {}, keybinds: {}, instructions: [] };
  expect(read(opencode)?.notes).toEqual([
    "Baton only imports rules, so these keys were left out: mcp, keybinds.",
    "These keys need no import, because Baton reads them from the file itself: agent, instructions.",
    "`baton mcp import FILE --write` adds the servers of mcp.",
  ]);
  const text = '{ "permissions": { "deny": ["Bash" "Read"] } }';
  expect(importRules({ text, file: MINE, everywhere: false }, homes)?.notes[0]).toContain("syntax errors");
});

test("a rule that is wider in Baton or cannot be expressed is reported", () => {
  const { notes = [] } =
    read({ permissions: { allow: ["Edit([[:alpha:]]x)"], deny: ["Read(./.env)", "Read(../x)", "Read(//etc/a)"] } }) ?? {};
  expect(notes.map((note) => note.split(/[,:;]/)[0])).toEqual([
    "Baton cannot express this rule exactly",
    "Read(./.env) covers more in Baton than in Claude Code",
    "Baton cannot express this rule",
  ]);
});

test("question marks in commands and stars in hosts and ports keep the meaning that the other agent gives them", () => {
  const settings = {
    permissions: { allow: ["Bash(curl https://a/?b=*)", "WebFetch(domain:*.a.com)"], deny: ["WebFetch(domain:b.com)", "Glob(x/**)"] },
  };
  expect(rules(settings)).toEqual([
    String.raw`allow command /(?s)^curl https://a/\?b=.*$/`,
    String.raw`allow fetch /^https?://[^/]*\.a\.com(?::[0-9]+)?//`,
    "deny fetch https://b.com/*",
    "deny fetch http://b.com/*",
    "deny fetch https://b.com:*",
    "deny fetch http://b.com:*",
    "deny list_files x/*",
    "deny glob x/*",
  ]);
});
