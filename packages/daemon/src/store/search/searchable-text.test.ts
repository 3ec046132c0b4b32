import type { SessionEvent } from "@baton/core/protocol/event";
import { CallId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { indexedWords, searchableTexts } from "./searchable-text.ts";

const finished = (text: string): SessionEvent => ({
  type: "tool.finished",
  callId: CallId.parse("s1.1"),
  result: { outcome: "ok", text, view: { type: "terminal", head: "", tail: "", omittedLines: 0, exitCode: 0 } },
});

const titled = (title: string): SessionEvent => ({ type: "session.renamed", title });

test("escape sequences are not words and reach no client", () => {
  expect(searchableTexts(finished("a \u001b[31mred\u001b[0m b"))).toEqual([{ kind: "output", text: "a red b" }]);
  expect(indexedWords(finished("a \u001b[31mred\u001b[0m b"))).toBe("a red b");
});

test("the beginning and the end of a long output are indexed", () => {
  const [output] = searchableTexts(finished(`first ${"x ".repeat(50_000)} last`));
  expect(output?.text).toMatch(/^first x[^]*x {2}last$/);
  expect(output?.text.length).toBeLessThan(4_010);
});

test("each word is indexed once", () => {
  expect(indexedWords(titled("The cart, the Cart and THE cart"))).toBe("the cart and");
});

test("a file that a tool read is not indexed again", () => {
  expect(searchableTexts({ type: "tool.finished", callId: CallId.parse("s1.1"), result: { outcome: "ok", text: "the content" } })).toEqual(
    [],
  );
});
