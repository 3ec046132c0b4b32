import { expect, test } from "vitest";
import { wrapSentences } from "./wrap-sentences.ts";

const TEXT = "No model is available. Run `baton auth login anthropic` to add a key. Baton also finds local servers.";

test("no width cuts a word or a short command", () => {
  for (let columns = 30; columns <= 120; columns++) {
    const lines = wrapSentences(TEXT, columns);
    expect(lines.join(" ")).toBe(TEXT);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.some((line) => line.includes("`baton auth login anthropic`"))).toBe(true);
  }
});

test("an address, an indented line and a table stay on one line", () => {
  const address = `https://example.com/${"x".repeat(100)}`;
  expect(wrapSentences(address, 40)).toEqual([address]);
  expect(wrapSentences(`Open ${address} now`, 40)).toEqual(["Open", address, "now"]);
  const code = `  ${"word ".repeat(20)}`;
  expect(wrapSentences(code, 40)).toEqual([code]);
  const row = `name   ${"word ".repeat(20)}`;
  expect(wrapSentences(row, 40)).toEqual([row]);
});

test("colors do not count towards the width", () => {
  expect(wrapSentences("\u001b[1mone two\u001b[22m three", 13)).toEqual(["\u001b[1mone two\u001b[22m three"]);
});

test("each line of a text is wrapped on its own", () => {
  expect(wrapSentences("one two three\nfour five six", 9)).toEqual(["one two", "three", "four five", "six"]);
});
