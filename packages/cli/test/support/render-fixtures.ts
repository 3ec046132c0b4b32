import type { Request } from "@baton/core/protocol/request";
import { RequestId, CallId, SessionId, requestIdOf } from "@baton/core/protocol/ids";
import { defaultBindings } from "@baton/core/terminal/key-bindings";
import type { CallEntry } from "@baton/core/session/transcript/entry";
import { ansiStyle, type Level } from "../../src/render/ansi-style.ts";
import type { TerminalStyle } from "../../src/render/layout.ts";

/** Requests and entries for tests. */
export const at = Date.UTC(2026, 10, 19, 10, 42, 0);

export const style = (columns: number, level: Level = "mono"): TerminalStyle => ({
  columns,
  ansi: ansiStyle(level, new Map([["build", "green"]])),
  now: at,
  home: "/home/ada",
  keys: defaultBindings,
});

const session = SessionId.parse("k3m9x2p7qa");
export const requestId = (subject: string): RequestId => RequestId.parse(requestIdOf(session, subject));

export const approval: Request = {
  id: requestId("s3.1"),
  kind: "approval",
  subject: { call: CallId.parse("s3.1") },
  tool: "run_command",
  input: { command: "pnpm test --run booking && git push origin HEAD:fix/idempotent-booking" },
  header: "Run this command?",
  text: "run pnpm test --run booking && git push origin HEAD:fix/idempotent-booking",
  view: {
    type: "command",
    command: "pnpm test --run booking && git push origin HEAD:fix/idempotent-booking",
    cwd: "/home/ada/work/ledger",
    timeLimitMs: 120_000,
  },
  folder: "/home/ada/work/ledger",
  choices: [
    { id: "once", label: "Allow once" },
    { id: "session", label: "This session" },
    { id: "workspace", label: "This workspace" },
    { id: "deny", label: "Deny" },
  ],
  freeText: false,
  hash: `3f9ce1a0${"0".repeat(56)}`,
  rule: { action: "command", resource: "git push *", effect: "ask", layer: "user", source: "config.jsonc:14" },
  verdicts: [
    {
      action: "command",
      resource: "pnpm test --run booking",
      effect: "allow",
      rule: { action: "command", resource: "pnpm test *", effect: "allow", layer: "workspace", source: "grant of 2026-11-19" },
    },
    {
      action: "command",
      resource: "git push origin HEAD:fix/idempotent-booking",
      effect: "ask",
      rule: { action: "command", resource: "git push *", effect: "ask", layer: "user", source: "config.jsonc:14" },
    },
  ],
  remember: { action: "command", resource: "git push origin HEAD:fix/idempotent-booking", effect: "allow" },
  openedAt: at - 52_000,
};

export const edit: Request = {
  ...approval,
  id: requestId("s3.2"),
  subject: { call: CallId.parse("s3.2") },
  tool: "edit_file",
  header: "Change this file?",
  text: "edit migrations/0042_key.sql",
  view: {
    type: "diff",
    path: "migrations/0042_key.sql",
    change: "change",
    added: 3,
    removed: 1,
    hunks: [
      {
        oldStart: 1,
        newStart: 1,
        lines: [
          " -- idempotent booking",
          "-ALTER TABLE booking ADD COLUMN key TEXT NOT NULL;",
          "+ALTER TABLE booking ADD COLUMN key TEXT;",
          "+CREATE UNIQUE INDEX booking_key ON booking (key)",
          "+  WHERE key IS NOT NULL;",
        ],
      },
    ],
  },
  verdicts: [
    {
      action: "edit",
      resource: "migrations/0042_key.sql",
      effect: "ask",
      rule: { action: "edit", resource: "migrations/*", effect: "ask", layer: "user", source: "config.jsonc:6" },
    },
  ],
  remember: { action: "edit", resource: "migrations/0042_key.sql", effect: "allow" },
};

export const host: Request = {
  id: requestId("network.1"),
  kind: "approval",
  subject: { network: "data.example.com" },
  header: "Let commands connect to data.example.com?",
  text: "A command in the sandbox waits for this connection, at most a minute. “Allow once” and “Deny” hold until the commands that run now have ended.",
  choices: approval.choices,
  freeText: false,
  rule: null,
  remember: { action: "network", resource: "data.example.com", effect: "allow" },
  openedAt: at - 22_000,
};

export const question: Request = {
  id: requestId("s4.1"),
  kind: "question",
  subject: { call: CallId.parse("s4.1") },
  tool: "ask_followup_question",
  header: "Question",
  text: "Two retries carry different amounts. Which one may win?",
  choices: [
    { id: "1", label: "The first that was booked; log the other" },
    { id: "2", label: "The one with the later provider timestamp", description: "Providers send it in UTC." },
  ],
  freeText: true,
  openedAt: at - 360_000,
};

export const limit: Request = {
  id: requestId("t1.200"),
  kind: "approval",
  subject: { turn: 1 },
  header: "Go on?",
  text: "This turn has taken 200 steps, which is its limit.",
  choices: [
    { id: "continue", label: "Go on", description: "For up to 200 more steps." },
    { id: "stop", label: "Stop here" },
  ],
  freeText: false,
  openedAt: at,
};

export const call = (verb: string, object: string, more: Partial<CallEntry> = {}): CallEntry => ({
  kind: "call",
  seq: 1,
  id: CallId.parse("s1.1"),
  tool: "any",
  providerId: "p",
  label: { verb, object },
  phase: "ok",
  result: { outcome: "ok", text: "" },
  at,
  ...more,
});
