import { expect, test } from "vitest";
import { commentsPrompt, withComment, type LineComment } from "./line-comments.ts";

const comment = (path: string, line: number, text: string, removed = false): LineComment => ({
  path,
  line,
  removed,
  quote: `line ${line}`,
  text,
});

test("a line has one comment, and an empty text removes it", () => {
  const one = withComment([], comment("a.ts", 1, "Why?"));
  const two = withComment(one, comment("a.ts", 1, "Because", true));
  expect(withComment(two, comment("a.ts", 1, "Really?")).map(({ text }) => text)).toEqual(["Because", "Really?"]);
  expect(withComment(two, comment("a.ts", 1, " "))).toEqual([comment("a.ts", 1, "Because", true)]);
});

test("the comments become one prompt, sorted by file and line", () => {
  expect(commentsPrompt([comment("b.ts", 2, "Rename it."), comment("a.ts", 9, "No."), comment("a.ts", 3, "Keep it.", true)])).toBe(
    "My comments on your changes:\n\na.ts:3 (removed line)\n> line 3\nKeep it.\n\na.ts:9\n> line 9\nNo.\n\nb.ts:2\n> line 2\nRename it.",
  );
});
