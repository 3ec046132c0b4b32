import { expect, test } from "vitest";
import { splitBlocks } from "./split-blocks.ts";

test("text is split at empty lines, and code, lists and indented text stay whole", () => {
  expect(splitBlocks("one\ntwo\n\nthree\n\n- a\n\n- b\n\n  more of b\n\n```ts\nx\n\ny\n```\nafter")).toEqual([
    "one\ntwo\n",
    "three\n\n- a\n\n- b\n\n  more of b\n",
    "```ts\nx\n\ny\n```\nafter",
  ]);
});

test("no text is lost, and only the last block changes while a text grows by words", () => {
  const text = "# A\n\nb c d\n\n~~~\ncode\n\nstill\n~~~\n\n1. x\n\n2. y\n\nend of it";
  expect(splitBlocks(text).join("\n")).toBe(text);
  for (let end = 1; end < text.length; end++) {
    if (!/\s/.test(text.charAt(end - 1))) continue;
    const [now, then] = [splitBlocks(text.slice(0, end)), splitBlocks(text)];
    expect(then.slice(0, now.length - 1)).toEqual(now.slice(0, -1));
  }
});

test("an unclosed fence contains the rest of the text", () => {
  expect(splitBlocks("a\n\n```\nb\n\nc")).toEqual(["a\n", "```\nb\n\nc"]);
});

test("a complete text with footnotes or link targets stays whole, and a growing one does not", () => {
  const text = "One.[^1]\n\nTwo, see [there].\n\n[^1]: A note.\n[there]: https://example.com";
  expect(splitBlocks(text)).toEqual([text]);
  expect(splitBlocks(text, true).length).toBe(2);
});
