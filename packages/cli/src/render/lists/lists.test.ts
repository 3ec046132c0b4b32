import { expect, test } from "vitest";
import { approval, at, style, question } from "../../../test/support/render-fixtures.ts";
import { inboxLines } from "./inbox.ts";
import { sessionLines, type SessionListRow } from "./sessions.ts";
import { statusLine } from "../status-line.ts";
import { noModelLines, permissionSummary, startLines } from "./start-screen.ts";

const row = (id: string, title: string, more: Partial<SessionListRow> = {}): SessionListRow => ({
  id,
  parentId: null,
  workspace: "/home/ada/ledger",
  title,
  task: null,
  mode: "build",
  status: "idle",
  steps: 4,
  cost: 0.06,
  ...more,
});
const rows = [
  row("aaaaaaaaaa", "Book each charge once", { steps: 12, cost: 1.84, status: "working" }),
  row("aaaaaaaaaa.s3.1", "Reproduce the double charge", {
    parentId: "aaaaaaaaaa",
    mode: "debug",
    status: "waiting",
    task: { priority: "high", estimatedMinutes: 20 },
  }),
  row("aaaaaaaaaa.s4.1", "Plan the backfill", { parentId: "aaaaaaaaaa", mode: "plan", status: "failed", steps: 1 }),
  row("bbbbbbbbbb", "What owns the payout cron?", { mode: "ask" }),
  row("cccccccccc", "Regenerate fixtures", { workspace: "/srv/sdk", mode: "code", status: "unknown" }),
];

test("sessions are grouped by workspace, subtasks are below their parent, and a parent shows that a subtask waits", () => {
  expect(`\n${sessionLines(rows, style(100, "plain")).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    ~/ledger
      ◆ Book each charge once                        [build]        12 steps    $1.84  aaaaaaaaaa
      ├ ◆ Reproduce the double charge (high priorit… [debug]         4 steps    $0.06  aaaaaaaaaa.s3.1
      └ ✗ Plan the backfill                          [plan]          1 step     $0.06  aaaaaaaaaa.s4.1
      · What owns the payout cron?                   [ask]           4 steps    $0.06  bbbbbbbbbb
    /srv/sdk
      ? Regenerate fixtures                          [code]          4 steps    $0.06  cccccccccc
    ◆ needs you  … working  ✗ failed  ? outcome unknown  · idle
    "
  `);
});

test("a session that needs the user comes first, with its workspace", () => {
  const waiting = row("dddddddddd", "Old question", { workspace: "/srv/sdk", status: "waiting" });
  const shown = sessionLines([...rows.slice(3), waiting, row("eeeeeeeeee", "Newer")], style(100, "plain"));
  expect(shown.map((line) => line.replace(/(?<=\S) {2,}.*$/, ""))).toEqual([
    "/srv/sdk",
    "  ◆ Old question",
    "  ? Regenerate fixtures",
    "~/ledger",
    "  · What owns the payout cron?",
    "  · Newer",
    "◆ needs you",
  ]);
});

test("at 60 columns a session takes two lines", () => {
  expect(`\n${sessionLines(rows.slice(0, 2), style(60, "plain")).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    ~/ledger
      ◆ Book each charge once
          [build] · 12 steps · $1.84 · aaaaaaaaaa
      └ ◆ Reproduce the double charge (high priority, about 2…
          [debug] · 4 steps · $0.06 · aaaaaaaaaa.s3.1
    ◆ needs you  … working
    "
  `);
});

test("the inbox shows the content, the session and the age of each request", () => {
  const item = {
    sessionId: "k3m9x2p7qa",
    rootSessionId: "k3m9x2p7qa",
    mode: "build",
    workspace: "/home/ada/work/ledger",
    title: "Book each charge once",
  };
  expect(
    `\n${inboxLines(
      [
        { ...question, ...item },
        { ...approval, ...item },
      ],
      style(80, "plain"),
    ).join("\n")}\n`,
  ).toMatchInlineSnapshot(`
    "
     1 ◆ Two retries carry different amounts. Which one may win?             6 min
         [build] Book each charge once · ~/work/ledger
         1 The first that was booked; log the other
         2 The one with the later provider timestamp
         k3m9x2p7qa-s4.1
     2 ◆ run pnpm test --run booking && git push origin HEAD:fix/idempoten…   52 s
         [build] Book each charge once · ~/work/ledger
         k3m9x2p7qa-s3.1
    "
  `);
  expect(inboxLines([], style(80))).toEqual(["Nothing needs you."]);
});

const idle = { mode: "build", model: "anthropic/opus", tokens: 47_123, cost: 1.84, open: 0, hasDraft: false, held: false };

test("a narrow state line keeps the most important parts first", () => {
  const work = { step: 12, since: at - 8_000 };
  expect(statusLine(idle, style(80, "plain"))).toBe("[build] · opus · 47k tokens · $1.84");
  expect(statusLine({ ...idle, background: 2 }, style(80, "plain"))).toBe("[build] · opus · 47k tokens · $1.84 · 2 in background");
  expect(statusLine({ ...idle, work, open: 5 }, style(80, "plain"))).toBe(
    "[build] · opus · 47k tokens · $1.84 · step 12, 8 s · Esc stops             ◆ 5",
  );
  expect(statusLine({ ...idle, work, open: 5 }, style(40, "plain"))).toBe("[build] · opus · 47k tokens        ◆ 5");
  expect(statusLine({ ...idle, environment: ["direnv", "venv"] }, style(80, "plain"))).toBe(
    "[build] · opus · direnv, venv · 47k tokens · $1.84",
  );
});

test("while a request has the focus, the state line shows the keys that answer it", () => {
  const request = { request: approval, nth: 1, of: 5, ready: true };
  expect(statusLine({ ...idle, open: 5, request }, style(80, "plain"))).toBe(
    "◆ your answer 1 2 3 4 · Tab next request                              ◆ 1 of 5",
  );
  expect(statusLine({ ...idle, open: 5, request: { ...request, ready: false } }, style(80, "plain"))).toBe(
    "◆ needs you                                                           ◆ 1 of 5",
  );
  expect(statusLine({ ...idle, open: 1, request: { ...request, request: question, of: 1 } }, style(80, "plain"))).toBe(
    "◆ your answer 1 2, or type it and press Enter · Esc later             ◆ 1 of 1",
  );
});

test("the start screen shows the permissions of the mode and the open requests", () => {
  const offered = [
    { group: "read", effect: "allow" as const },
    { group: "edit", effect: "ask" as const },
    { group: "command", effect: "ask" as const },
    { group: null, effect: "allow" as const },
  ];
  const start = {
    version: "0.1.0",
    folder: "ledger",
    branch: "fix/booking",
    mode: "build",
    offered,
    waiting: [{ openedAt: at - 2_460_000 }],
    problems: ["config.jsonc:2:3 Unknown key"],
  };
  expect(startLines(start, style(80, "plain"))).toEqual([
    "baton 0.1.0 · ledger · fix/booking",
    "[build] may read. It asks to edit files and run commands.",
    "◆ 1 needs you, the oldest for 41 min.  Ctrl+G opens the inbox.",
    "✗ config.jsonc:2:3 Unknown key",
    "",
    "Say what you want done.  @ file  / command  Shift+Tab mode  ? keys",
  ]);
});

test("the start screen includes the limits of a mode's groups", () => {
  const offered = [
    { group: "read", effect: "allow" as const, only: null },
    { group: "edit", effect: "allow" as const, only: "The plan file only" },
    { group: "command", effect: "ask" as const, only: "read-only commands" },
  ];
  expect(permissionSummary("plan", offered, style(80, "plain"))).toBe(
    "[plan] may read and edit files (the plan file only). It asks to run commands (read-only commands).",
  );
});

test("the start screen says that commands in the sandbox do not ask", () => {
  const offered = [
    { group: "edit", effect: "ask" as const },
    { group: "command", effect: "ask" as const, freeInSandbox: true },
  ];
  expect(permissionSummary("code", offered, style(80, "plain"))).toBe(
    "[code] may do nothing without asking. It asks to edit files and run commands outside of the sandbox.",
  );
});

test("without a model, the start screen shows which variables were found, without their values, and the next step", () => {
  const found = {
    keys: [{ name: "OPENAI_API_KEY", provider: "openai" }],
    servers: [{ name: "ollama", url: "http://127.0.0.1:11434/v1", models: ["qwen"] }],
  };
  expect(noModelLines("No model is configured.", found, "~/config.jsonc", style(100, "plain"))).toEqual([
    "No model is configured.",
    "",
    "  ✓ OPENAI_API_KEY is set: models of openai",
    "  ✓ ollama answers at http://127.0.0.1:11434/v1: qwen",
    "",
    'Baton keeps your choice as "model": "openai/<model>" in ~/config.jsonc. `baton help models`',
    "explains it.",
  ]);
});

test("the last line of a cut list says that it is cut", () => {
  expect(sessionLines(rows, style(100, "plain"), rows.length - 1).at(-1)).toMatch(/^Only the \d+ newest sessions are shown\./);
  expect(sessionLines(rows, style(100, "plain"), rows.length).at(-1)).not.toContain("newest");
});
