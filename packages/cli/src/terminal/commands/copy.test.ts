import { expect, test } from "vitest";
import { lastCodeBlock } from "./copy.ts";

test.each([
  ["text\n```sh\nnpm test\n```\nmore", "npm test"],
  ["```a\none\n```\n```b\ntwo\nlines\n```", "two\nlines"],
  ["````md\n```\ninner\n```\n````", "```\ninner\n```"],
  ["~~~\ntilde\n~~~", "tilde"],
  ["no code", undefined],
])("the last code block of %j", (text, block) => expect(lastCodeBlock(text)).toBe(block));
