import { expect, test } from "vitest";
import { conversationItems, sumBySource } from "./context-sources.ts";
import type { Message } from "./build-messages.ts";

const call = (id: string, tool: string, input: object) => ({ id, tool, input });
const result = (id: string, tool: string, text: string, images?: object[]) => ({
  id,
  tool,
  outcome: "ok",
  text,
  ...(images ? { images } : {}),
});

const messages = [
  { role: "user", text: "a".repeat(40), replies: 3 },
  { role: "user", text: "b".repeat(80) },
  {
    role: "assistant",
    text: "c".repeat(20),
    calls: [call("1", "read_file", { path: "a.ts" }), call("2", "run_command", { command: "ls" })],
    reasoning: { model: "m", reasoning: "d".repeat(8) },
  },
  { role: "tool", results: [result("1", "read_file", "e".repeat(400)), result("2", "run_command", "f".repeat(40))] },
  { role: "assistant", text: "", calls: [call("3", "read_file", { path: "a.ts", start_line: 5 }), call("4", "read_file", { path: 7 })] },
  { role: "tool", results: [result("3", "read_file", "g".repeat(40), [{}]), result("4", "read_file", "no path")] },
] as unknown as Message[];

test("each part of a conversation has its source", () => {
  expect(conversationItems(messages)).toEqual([
    { source: "messages", name: "summary", tokens: 10 },
    { source: "messages", name: "prompts", tokens: 20 },
    { source: "messages", name: "answers", tokens: 5 },
    { source: "messages", name: "reasoning", tokens: 2 },
    { source: "messages", name: "calls", tokens: 6 + 7 + 10 + 5, count: 4 },
    { source: "files", name: "a.ts", tokens: 100 + 10 + 1_200, count: 2 },
    { source: "results", name: "run_command", tokens: 10 },
    { source: "results", name: "read_file", tokens: 2 },
  ]);
});

test("the sums are in the order of a request, and empty sources are left out", () => {
  const items = [...conversationItems(messages), { source: "prompt" as const, name: "x", tokens: 3 }];
  expect(sumBySource(items)).toEqual([
    { source: "prompt", tokens: 3 },
    { source: "messages", tokens: 65 },
    { source: "files", tokens: 1_310 },
    { source: "results", tokens: 12 },
  ]);
});
