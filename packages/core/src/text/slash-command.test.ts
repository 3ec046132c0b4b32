import { expect, test } from "vitest";
import { normalizePrompt, parseSlash, unknownSlash } from "./slash-command.ts";

test.each([
  ["/review a b", { name: "review", args: "a b" }],
  ["/review", { name: "review", args: "" }],
  ["/a:b.c line\nnext", { name: "a:b.c", args: "line\nnext" }],
  ["/", { name: "", args: "" }],
  ["review", undefined],
  ["/etc/hosts is wrong", undefined],
  ["/usr/bin/foo", undefined],
  [" /review", undefined],
  ["look at /review", undefined],
])("%j", (prompt, expected) => expect(parseSlash(prompt)).toEqual(expected));

test.each([
  ["  go on \n", "go on"],
  ["/review a ", "/review a"],
  ["\n  /review a ", " /review a"],
  ["  ", ""],
])("for %j, the prompt %j is sent", (typed, sent) => expect(normalizePrompt(typed)).toBe(sent));

test.each([
  ["/reviw a.ts", ["mode", "review"], /^There is no command \/reviw\. Did you mean \/review\?/],
  ["/zebra", ["mode", "review"], /^There is no command \/zebra\. The commands are: \/mode \/review\./],
  ["/zebra", [], /^There is no command \/zebra\. There are no commands here\./],
])("%s with %j is not sent", (prompt, names, message) => expect(unknownSlash(prompt, names)).toMatch(message));

test.each(["/review a.ts", "/etc/hosts is wrong", " /zebra", "/mcp:files:list", "go"])("%j is sent", (prompt) =>
  expect(unknownSlash(prompt, ["review"])).toBeUndefined(),
);
