import { expect, test } from "vitest";
import { isAboutImage, isOverflow, providerErrorMessage } from "./provider-error-message.ts";

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
])("for %s the user reads the sentence of the error", (body, says) => {
  expect(providerErrorMessage(body)).toBe(says);
});

test.each([
  "prompt is too long: 210000 tokens > 200000 maximum",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "the request exceeds the available context size. try increasing the context size or enable context shift",
  "Input is too long for requested model.",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
])("%s means that the conversation is too long", (message) => {
  expect(isOverflow(message, 400)).toBe(true);
});

test("other refusals do not mean that the conversation is too long", () => {
  expect(isOverflow("messages: roles must alternate", 400)).toBe(false);
  expect(isOverflow("max_tokens must be positive", 400)).toBe(false);
});

test.each([
  [
    "bad_request",
    "messages.2.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
  ],
  ["bad_request", "Could not process image"],
  ["bad_request", "The PDF specified was not valid"],
  [
    "bad_request",
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp']",
  ],
  ["bad_request", "Unsupported MIME type: image/gif"],
  ["bad_request", "Invalid content type. image_url is only supported by certain models"],
  ["not_found", "No endpoints found that support image input"],
  ["overloaded", "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"],
] as const)("%s, %s: the error is about an image", (code, message) => {
  expect(isAboutImage(message, code)).toBe(true);
  expect(isOverflow(message, 400)).toBe(false);
});

test.each([
  ["bad_request", "messages: roles must alternate"],
  ["bad_request", "Invalid schema for function 'generate_image'"],
  ["not_found", "The model image-1 does not exist"],
  ["overloaded", "The image service is overloaded"],
  ["rate_limited", "Too many images a minute"],
] as const)("%s, %s: the error is not about an image", (code, message) => {
  expect(isAboutImage(message, code)).toBe(false);
});
