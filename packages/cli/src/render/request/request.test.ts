import type { Request } from "@baton/core/protocol/request";
import { expect, test } from "vitest";
import { approval, edit, host, limit, style, question } from "../../../test/support/render-fixtures.ts";
import { fullText, requestLines } from "./request.ts";

const standing = { mode: "build", nth: 1, of: 2 };
const drawn = (...[request, columns]: [typeof approval, number]) =>
  `\n${requestLines(request, standing, style(columns, "plain")).join("\n")}\n`;

test("an approval shows its notes below the exact action", () => {
  const notes = ["It would run outside of the sandbox. The reason of the agent: It needs \u202ethe key"];
  const text = drawn({ ...approval, notes }, 200);
  expect(text).toContain("HEAD:fix/idempotent-booking\n\n  It would run outside of the sandbox. The reason of the agent: It needs ");
  expect(text).not.toContain("\u202e");
});

test("the approval of a command shows the whole command, the folder, the hash, the verdicts and the choices", () => {
  expect(drawn(approval, 80)).toMatchInlineSnapshot(`
    "
    ◆ Run this command?                                    [build] · 1 of 2 · 52 s

        pnpm test --run booking && git push origin HEAD:fix/idempotent-booking

      in ~/work/ledger · sha256 3f9c e1a0 · time limit 2 min
      ✓ allow  command pnpm test --run booking
               workspace grant of 2026-11-19
      ◆ ask    command git push origin HEAD:fix/idempotent-booking
               rule command git push * · user, config.jsonc:14

      [1] Allow once   [2] This session   [3] This workspace   [4] Deny
      [e] edit the rule that 2 and 3 remember:
          command git push origin HEAD:fix/idempotent-booking
      [n] note for the agent   [v] full text   [Esc] later
    "
  `);
});

test("at 60 columns the right-hand texts move to a line below, and nothing is cut", () => {
  expect(drawn(approval, 60)).toMatchInlineSnapshot(`
    "
    ◆ Run this command?
      [build] · 1 of 2 · 52 s

        pnpm test --run booking && git push origin
        HEAD:fix/idempotent-booking

      in ~/work/ledger · sha256 3f9c e1a0 · time limit 2 min
      ✓ allow command pnpm test --run booking
              workspace grant of 2026-11-19
      ◆ ask command git push origin
            HEAD:fix/idempotent-booking
            rule command git push * · user, config.jsonc:14

      [1] Allow once
      [2] This session
      [3] This workspace
      [4] Deny
      [e] edit the rule that 2 and 3 remember:
          command git push origin HEAD:fix/idempotent-booking
      [n] note   [v] all   [Esc] later
    "
  `);
});

test("at 40 columns the request is still complete", () => {
  expect(drawn(approval, 40)).toMatchInlineSnapshot(`
    "
    ◆ Run this command?
      [build] · 1 of 2 · 52 s

        pnpm test --run booking && git
        push origin
        HEAD:fix/idempotent-booking

      in ~/work/ledger · sha256 3f9c e1a0
      · time limit 2 min
      ✓ allow command pnpm test --run
              booking
              workspace grant of
              2026-11-19
      ◆ ask command git push origin
            HEAD:fix/idempotent-booking
            rule command git push * ·
            user, config.jsonc:14

      [1] Allow once
      [2] This session
      [3] This workspace
      [4] Deny
      [e] edit the rule that 2 and 3 remember:
          command git push origin
          HEAD:fix/idempotent-booking
      [n] note   [v] all   [Esc] later
    "
  `);
});

test("a note about changed line ends is above the lines", () => {
  const { view } = edit;
  if (view?.type !== "diff") throw new Error("the fixture is no diff");
  const ends: typeof edit = { ...edit, view: { ...view, lineEnds: { from: "CRLF", to: "LF" } } };
  const [above, below] = drawn(edit, 80).split(/(?<=−\d+\n)/);
  expect(drawn(ends, 80)).toBe(`${above}       line ends change from CRLF to LF\n${below}`);
});

test("the approval of an edit shows its diff", () => {
  expect(drawn(edit, 80)).toMatchInlineSnapshot(`
    "
    ◆ Change this file?                                    [build] · 1 of 2 · 52 s

      migrations/0042_key.sql  +3 −1
       1   -- idempotent booking
       2 - ALTER TABLE booking ADD COLUMN key TEXT NOT NULL;
       2 + ALTER TABLE booking ADD COLUMN key TEXT;
       3 + CREATE UNIQUE INDEX booking_key ON booking (key)
       4 +   WHERE key IS NOT NULL;
      Asks because of the rule edit migrations/* (config.jsonc:6).

      [1] Allow once   [2] This session   [3] This workspace   [4] Deny
      [e] edit the rule that 2 and 3 remember:
          edit migrations/0042_key.sql
      [n] note for the agent   [v] full text   [Esc] later
    "
  `);
});

test("a request about a host names it once, and says until when an answer counts", () => {
  expect(drawn(host, 80).replace(/\d\d:\d\d(?=:38)/, "10:42")).toMatchInlineSnapshot(`
    "
    ◆ Let commands connect to data.example.com?
      [build] · 1 of 2 · answer by 10:42:38

      A command in the sandbox waits for this connection, at most a minute.
      “Allow once” and “Deny” hold until the commands that run now have
      ended.
      Asks because no rule allows it.

      [1] Allow once   [2] This session   [3] This workspace   [4] Deny
      [e] edit the rule that 2 and 3 remember:
          network data.example.com
      [v] full text   [Esc] later
    "
  `);
});

test("a question shows its text, and its choices one below the other", () => {
  expect(drawn(question, 80)).toMatchInlineSnapshot(`
    "
    ◆ Two retries carry different amounts. Which one may win?
      [build] · 1 of 2 · 6 min

      [1] The first that was booked; log the other
      [2] The one with the later provider timestamp
          Providers send it in UTC.
    "
  `);
});

test("a request about a limit explains the effect of continuing", () => {
  expect(drawn(limit, 80)).toMatchInlineSnapshot(`
    "
    ◆ Go on?
      [build] · 1 of 2 · 0 s

      This turn has taken 200 steps, which is its limit.

      [1] Go on
          For up to 200 more steps.
      [2] Stop here
    "
  `);
});

test("each hidden character of a command is shown as its code point", () => {
  const sly = { ...approval, view: { type: "command" as const, command: "rm -rf \u202e/ \u001b[8mhidden", cwd: "/tmp/\u200bx" } };
  const lines = requestLines(sly, standing, style(80, "plain"));
  expect(lines[2]).toBe("    rm -rf \\u{202e}/ \\u{1b}[8mhidden");
  expect(lines[4]).toBe("  in /tmp/\\u{200b}x · sha256 3f9c e1a0 · in the background");
  const typed = { ...sly, view: { ...sly.view, terminal: true } };
  expect(requestLines(typed, standing, style(80, "plain"))[4]).toMatch(/ · with a terminal$/);
});

test("a long command is shown in full at every width", () => {
  const command = Array.from({ length: 60 }, (_, i) => `--option-${i}=value`).join(" ");
  for (const columns of [20, 40, 60, 80, 200]) {
    const text = requestLines({ ...approval, view: { type: "command", command, cwd: "/" } }, standing, style(columns, "plain")).join("");
    for (let i = 0; i < 60; i++) expect(text.replace(/\s/g, "")).toContain(`--option-${i}=value`);
  }
});

test("a note and another rule are visible before the user chooses", () => {
  const rule = { action: "command", resource: "git push *", effect: "allow" as const };
  const lines = requestLines(approval, standing, style(80, "plain"), { rule, note: "only this branch" });
  expect(lines.slice(-4)).toEqual([
    "  [e] edit the rule that 2 and 3 remember:",
    "      command git push *",
    "  [n] note for the agent   [v] full text   [Esc] later",
    "  note: “only this branch”",
  ]);
});

test("the terminal uses the user's own colours, and requests are bold yellow", () => {
  expect(requestLines(question, standing, style(80, "16")).slice(0, 2)).toEqual([
    "\u001b[1;33m◆\u001b[22;39m \u001b[1;33mTwo retries carry different amounts. Which one may win?\u001b[22;39m",
    "  \u001b[1;32mbuild\u001b[22;39m \u001b[2m· 1 of 2 · 6 min\u001b[22m",
  ]);
});

test("the full text contains the whole input and the whole hash", () => {
  expect(fullText(approval, style(120, "plain"))).toEqual([
    "  tool run_command",
    '  command: "pnpm test --run booking && git push origin HEAD:fix/idempotent-booking"',
    "  folder /home/ada/work/ledger",
    `  sha256 ${approval.hash}`,
    "  request k3m9x2p7qa-s3.1",
  ]);
});

test.each([10, 100, 1_000])("below a command of %i lines the choices stay visible", (lines) => {
  const command = `cat > f <<'END'\n${Array.from({ length: lines }, (_, i) => `line ${i}`).join("\n")}\nEND`;
  const request: Request = {
    ...approval,
    view: { type: "command", command, cwd: "/" },
    verdicts: [{ action: "command", resource: command, effect: "ask", rule: null }],
    remember: { action: "command", resource: { exact: command }, effect: "allow" },
  };
  for (const columns of [60, 80, 120]) {
    const drawn = requestLines(request, standing, style(columns, "plain"));
    expect(drawn.filter((line) => line.includes(`line ${lines - 1}`))).toHaveLength(1);
    const choices = drawn.findIndex((line) => line.includes("Allow once"));
    expect(drawn.length - choices).toBeLessThanOrEqual(12);
  }
});

test("the full text shows texts of several lines as they are", () => {
  const lines = fullText(
    { ...approval, tool: "edit_file", input: { path: "a.ts", old_text: "one\n  two", all: true } },
    style(80, "plain"),
  );
  expect(lines).toEqual(expect.arrayContaining(['  path: "a.ts"', "  old_text:", "    one", "      two", "  all: true"]));
});
