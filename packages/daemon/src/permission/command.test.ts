import { expect, test } from "vitest";
import { gateCommand, isPlain } from "./command.ts";

test.each(["pnpm test --run booking", "git log HEAD~1..HEAD^ --format=%H", "node src/a.ts:3", "date +%Y-%m-%d", "ls"])(
  "%s is plain",
  (text) => {
    expect(isPlain(text)).toBe(true);
    expect(gateCommand(text)).toEqual([{ action: "command", resource: text }]);
  },
);

test.each([
  "a && b",
  "a; b",
  "a | b",
  "a &",
  "a > b",
  "a < b",
  "a $(b)",
  "a `b`",
  "a $B",
  'a "b"',
  "a 'b'",
  "a \\b",
  "a *",
  "a ?",
  "a [b]",
  "a {b,c}",
  "a ~/b",
  "a --b=~/c",
  "a b:~",
  "A=1 b",
  "A+=1 b",
  "! a",
  "a #b",
  "(a)",
  "time a",
  "coproc a",
  "a\nb",
  "a\tb",
  " a",
  "a ",
  "a  b",
  "",
  "ls ä",
])("%j is not plain, so it asks", (text) => {
  expect(gateCommand(text)).toEqual([
    {
      action: "command",
      resource: text,
      floor: { action: "command", resource: "*", effect: "ask", layer: "gate", source: "command gate: not a plain command" },
    },
  ]);
});

test.each(["a\0b", "a\x1b[2Jb", "a\rb", "a\u202eb", "a\u200bb"])("%j hides something, so it is denied", (text) => {
  expect(gateCommand(text)[0]?.floor).toMatchObject({ effect: "deny", source: "command gate: hidden or control characters" });
});

test("a command of more than 10 kB is denied", () => {
  expect(gateCommand(`a ${"b".repeat(10_000)}`)[0]?.floor).toMatchObject({ effect: "deny", source: "command gate: longer than 10 kB" });
  expect(gateCommand(`a ${"b".repeat(9_998)}`)).toHaveLength(1);
});

test("a text without end is judged in a moment", () => {
  const began = performance.now();
  isPlain(`${"a~".repeat(50_000)}!`);
  isPlain(`${"A_".repeat(50_000)}`);
  expect(performance.now() - began).toBeLessThan(10_000);
});
