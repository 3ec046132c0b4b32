import { expect, test } from "vitest";
import { importRules } from "./foreign-rules.ts";

const read = (parsed: unknown) => importRules(JSON.stringify(parsed));

const rules = (parsed: unknown) =>
  read(parsed)?.rules.map(({ action, resource, effect }) => `${effect} ${action} ${typeof resource === "string" ? resource : ""}`);

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
  expect(read({ permission: { lsp: "allow" } })?.notes).toEqual(["Says nothing here, so it was left out: lsp."]);
  expect(rules({ permission: "allow" })).toEqual(["allow * *"]);
});

test("permission lists of Claude Code become rules whose denies come last", () => {
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
    "allow edit docs/*",
    "allow mcp puppeteer__*",
    "allow mcp github__get_issue",
    "allow fetch https://example.com/*",
    "allow fetch http://example.com/*",
    "ask command git push *",
    "deny read .env",
    "deny read secrets/*",
    "deny read /etc/passwd",
    "deny fetch *",
  ]);
});

test("what becomes stricter is told", () => {
  const { notes = [] } = read({ permissions: { allow: ["Bash", "Edit", "Bash(python:*)", "Nonsense(x)"] } }) ?? {};
  expect(notes).toHaveLength(4);
  expect(notes.join("\n")).toContain("dangerous commands");
  expect(notes.at(-1)).toBe("Says nothing here, so it was left out: Nonsense(x).");
});

test("a file without rules gives none", () => expect(read({ model: "x" })).toBeUndefined());
