import { expect, test } from "vitest";
import { isOverflow, saidIn } from "./said.ts";

test.each([
  ['{"type":"error","error":{"type":"invalid_request_error","message":"Bad."}}', "Bad"],
  ['{"error":{"message":"Bad\\n  thing","code":"x"}}', "Bad thing"],
  ['[{"error":{"code":400,"message":"Bad"}}]', "Bad"],
  ['{"error":"Bad"}', "Bad"],
  ['{"detail":[{"msg":"Bad"}]}', "Bad"],
  ['{"error":{"message":"Provider returned error","metadata":{"raw":"{\\"error\\":{\\"message\\":\\"Bad\\"}}"}}}', "Bad"],
  ["Bad", "Bad"],
  ["<html>Bad gateway</html>", undefined],
  ["", undefined],
])("of %s a person reads the sentence", (body, says) => {
  expect(saidIn(body)).toBe(says);
});

test.each([
  "prompt is too long: 210000 tokens > 200000 maximum",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "the request exceeds the available context size. try increasing the context size or enable context shift",
  "Input is too long for requested model.",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
])("%s means that the conversation is too long", (said) => {
  expect(isOverflow(said, 400)).toBe(true);
});

test("other refusals do not mean that", () => {
  expect(isOverflow("messages: roles must alternate", 400)).toBe(false);
  expect(isOverflow("max_tokens must be positive", 400)).toBe(false);
});
