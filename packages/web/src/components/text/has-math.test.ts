import { expect, test } from "vitest";
import { hasMath, withDollars } from "./has-math.ts";

test("formulas are recognized, and prices and shell variables are not", () => {
  for (const text of ["so $E = mc^2$ holds", "$x$", "$$\n\\int_0^1 x\n$$"]) expect([text, hasMath(text)]).toEqual([text, true]);
  for (const text of ["it costs $5 and $6", "$5", "echo $HOME and $PATH", "from $10 to $20", "no formula"])
    expect([text, hasMath(text)]).toEqual([text, false]);
});

test("formulas in brackets become formulas between dollar signs", () => {
  expect(withDollars("a \\( x + 1 \\) b \\[ y \\]")).toBe("a $x + 1$ b $$ y $$");
});
