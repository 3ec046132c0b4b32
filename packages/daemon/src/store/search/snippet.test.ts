import { expect, test } from "vitest";
import { parseQuery } from "./search-query.ts";
import { makeSnippet } from "./snippet.ts";

function snippet(query: string, ...texts: string[]): string | undefined {
  const parsed = parseQuery(query);
  if ("problem" in parsed) throw new Error(parsed.problem);
  const made = makeSnippet(
    parsed.terms,
    texts.map((text) => ({ kind: "answer", text })),
  );
  return made?.parts.map(({ text, hit }) => (hit ? `[${text}]` : text)).join("");
}

test.each([
  ["cart", "The Cart rounds.", "The [Cart] rounds."],
  ["cart", "The cartTotal of carts", "The [cartTotal] of [carts]"],
  ["to", "to the total", "[to] the total"],
  ["src/cart.ts", "See src/cart.ts, not cart/src.ts", "See [src/cart.ts], not cart/src.ts"],
  ['"rounds the"', "It rounds\nthe cart", "It [rounds the] cart"],
  ["cafe", "Un café", "Un [café]"],
  ["購物", "新購物車", "新[購物]車"],
])("%j in %j", (query, text, expected) => {
  expect(snippet(query, text)).toBe(expected);
});

test("words that do not follow each other do not match a phrase", () => {
  expect(snippet('"the rounds"', "It rounds the cart")).toBeUndefined();
  expect(snippet("cart missing", "It rounds the cart")).toBeUndefined();
});

test("terms may be in different texts of an event, and the text with the most of them is shown", () => {
  expect(snippet("npm test green", "All green", "npm test")).toBe("[npm] [test]");
});

test("a long text is cut around its first hit", () => {
  const made = snippet("needle", `${"hay ".repeat(500)}needle${" straw".repeat(500)}`) ?? "";
  expect(made).toMatch(/^…hay .*hay \[needle\] straw .*…$/);
  expect(made.length).toBeLessThan(220);
});
