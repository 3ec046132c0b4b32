import { expect, test } from "vitest";
import { complexityOf } from "./complexity-score.ts";
import { parseShell } from "./parse.ts";

test.each([
  ["ls", 0],
  ["ls a b c", 0],
  ["a | b", 0.3],
  ["a | b | c | d", 0.3],
  ["a > out", 0.2],
  ["echo $A $(b)", 0.2],
  ["for i in a b; do c; done", 0.3],
  ["cat a | grep x > out; for i in 1 2; do echo $i; done", 1],
  [`echo ${"a".repeat(100)}`, 0.1],
])("%s has the complexity %d", (text, complexity) => {
  const script = parseShell(text);
  expect(script && complexityOf(script, text)).toBe(complexity);
});
