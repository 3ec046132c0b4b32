import { expect, test } from "vitest";
import { style } from "../../../test/support/render-fixtures.ts";
import { auditCells, auditHeader, auditLine, csvLine, type AuditRow } from "./audit.ts";

const row: AuditRow = {
  at: Date.UTC(2026, 10, 24, 12),
  sessionId: "k3m9x2abcd",
  workspace: "/w",
  seq: 7,
  decision: "denied",
  by: "terminal",
  tool: "run_command",
  what: "command rm -rf build",
  why: 'Deny: keep "it", please',
};

test("a line of CSV has every column, quoted where it must be", () => {
  expect(auditCells(row)).toHaveLength(auditHeader.length);
  expect(csvLine(auditCells(row))).toBe(
    '2026-11-24T12:00:00.000Z,k3m9x2abcd,/w,7,denied,terminal,run_command,command rm -rf build,"Deny: keep ""it"", please"',
  );
});

test.each(["=1+1", "+1", "-1", "@x"])("a spreadsheet does not run %j", (text) => {
  expect(csvLine([text])).toBe(`'${text}`);
});

test("a row of the table fits the screen and contains no escape sequence of a command", () => {
  const line = auditLine({ ...row, what: `command echo \u001b[2J ${"x".repeat(200)}` }, style(90, "plain"));
  expect(line).toMatch(/^2026-11-2\d \d\d:\d\d {2}k3m9x2abcd {2}denied {3}terminal {3}run_command: command echo x+…$/);
  expect(line.length).toBeLessThanOrEqual(88);
});
