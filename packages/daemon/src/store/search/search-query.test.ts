import Driver from "libsql";
import { expect, test } from "vitest";
import { parseQuery, toMatch } from "./search-query.ts";

test("quotation marks and punctuation keep words together", () => {
  expect(parseQuery('fix "the cart" src/cart.ts')).toEqual({ terms: [["fix"], ["the", "cart"], ["src", "cart", "ts"]] });
});

test.each(["", "   ", "***", '"', '""', "( ) : ^ -", "x".repeat(1_001), "a ".repeat(40)])("%j is refused", (text) => {
  expect(parseQuery(text)).toHaveProperty("problem");
});

test("no text of a user causes an error of FTS5", () => {
  const driver = new Driver(":memory:");
  driver.exec("CREATE VIRTUAL TABLE t USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii')");
  const pieces = [
    '"',
    "*",
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    ")",
    "words:",
    "^",
    "-",
    "+",
    "'",
    ";",
    "{a b}",
    "\0",
    "é",
    "購物",
    "⒈",
    "ﷺ",
    "½",
    "\ud800",
    "ab",
    "abc",
  ];
  let tried = 0;
  for (const one of pieces)
    for (const other of pieces)
      for (const text of [`${one} ${other}`, `${one}${other}`, `"${one} ${other}`]) {
        const query = parseQuery(text);
        if ("problem" in query) continue;
        driver.prepare("SELECT rowid FROM t WHERE t MATCH ?").all([toMatch(query.terms)]);
        tried++;
      }
  driver.close();
  expect(tried).toBeGreaterThan(500);
});
