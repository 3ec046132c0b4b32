import { expect, test } from "vitest";
import { plainEntryLines, plainRequestLines } from "./plain-lines.ts";
import { approval, at, call, edit, limit, question } from "../../../test/support/render-fixtures.ts";

test("a request is a list of facts, one per line, with a number for each choice", () => {
  expect(plainRequestLines(approval, 1, 5, "/home/ada")).toEqual([
    "[needs you 1 of 5] run",
    "  pnpm test --run booking && git push origin HEAD:fix/idempotent-booking",
    "  folder: ~/work/ledger   hash: 3f9c e1a0",
    '  asked by: command "git push *" (user, config.jsonc:14)',
    "  allow: command pnpm test --run booking",
    "  ask: command git push origin HEAD:fix/idempotent-booking",
    "  1 once, 2 session, 3 workspace, 4 deny",
  ]);
  expect(plainRequestLines(question, 2, 5, "/home/ada")).toEqual([
    "[needs you 2 of 5] Two retries carry different amounts. Which one may win?",
    "  1 The first that was booked; log the other",
    "  2 The one with the later provider timestamp",
  ]);
  expect(plainRequestLines(limit, 3, 5, "/home/ada")).toEqual([
    "[needs you 3 of 5] Go on?",
    "  This turn has taken 200 steps, which is its limit.",
    "  1 Go on",
    "  2 Stop here",
  ]);
  expect(plainRequestLines(edit, 4, 5, "/home/ada").slice(0, 3)).toEqual([
    "[needs you 4 of 5] edit",
    "  migrations/0042_key.sql",
    "   -- idempotent booking",
  ]);
});

test("calls are drawn as ASCII words", () => {
  const facts = [
    call("run", "pnpm test", { startedAt: at, endedAt: at + 11_400, result: { outcome: "ok", text: "", end: "exit 0" } }),
    call("edit", "a.ts", { result: { outcome: "ok", text: "", ...(edit.view ? { view: edit.view } : {}) } }),
    call("run", "pnpm tsc --noEmit", { phase: "failed", result: { outcome: "failed", text: "2 errors", end: "exit 2" } }),
    call("read", ".env.production", {
      phase: "denied",
      result: { outcome: "denied", text: "", end: "denied: ceiling, user, config.jsonc:22" },
    }),
    call("run", "pnpm db:migrate --env staging", { phase: "unknown", result: { outcome: "unknown", text: "" } }),
  ].flatMap(plainEntryLines);
  expect(facts).toEqual([
    "[ok] run: pnpm test, exit 0, 11.4 s",
    "[ok] edit: a.ts, +3 -1",
    "[FAILED] run: pnpm tsc --noEmit, exit 2",
    "  2 errors",
    "[denied] read: .env.production (ceiling, user, config.jsonc:22)",
    "[UNKNOWN] run: pnpm db:migrate --env staging",
  ]);
});

test("the new errors that an edit caused are shown below it", () => {
  const text = "This edit caused 1 new error:\nsrc/cart.ts:5:22: Expected 2 arguments, but got 1.";
  const entry = {
    ...call("edit", "a.ts", { result: { outcome: "ok", text: "" } }),
    diagnostics: { text, view: { type: "files" as const, files: [] } },
  };
  expect(plainEntryLines(entry)).toEqual([
    "[ok] edit: a.ts",
    "  This edit caused 1 new error:",
    "  src/cart.ts:5:22: Expected 2 arguments, but got 1.",
  ]);
});
