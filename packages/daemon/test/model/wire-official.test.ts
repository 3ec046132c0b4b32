import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { anthropic } from "../support/wire/anthropic.ts";
import { chat } from "../support/wire/chat.ts";
import type { Format, WireReply } from "../support/wire/format.ts";
import { google } from "../support/wire/google.ts";
import { responses } from "../support/wire/responses.ts";
import { WireServer } from "../support/wire/server.ts";

/** The test servers behave like the providers: each provider's own client reads the intended content from them. */
const reply: WireReply = {
  reasoning: "First I look around ✓.",
  text: "I look.",
  calls: [
    { tool: "list_files", input: { path: "." } },
    { tool: "glob", input: { pattern: "*.ts" } },
  ],
};
const whole = {
  reasoning: reply.reasoning,
  text: reply.text,
  calls: [
    ["list_files", { path: "." }],
    ["glob", { pattern: "*.ts" }],
  ],
  input: 100,
};

/** The rules for Baton's requests do not apply to the requests of such a client. */
const open = (format: Format) => WireServer.start({ ...format, faultsOf: () => [], repliesIn: () => 0 }, { replies: [reply] });
const parsed = (text: string): unknown => JSON.parse(text);

test("Anthropic's own client reads the test server", async () => {
  await using server = await open(anthropic);
  const client = new Anthropic({ apiKey: "k", baseURL: server.url.replace(/\/v1$/, ""), maxRetries: 0 });
  const message = await client.messages
    .stream({ model: "m", max_tokens: 100, messages: [{ role: "user", content: "Look." }] })
    .finalMessage();
  expect({
    reasoning: message.content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    text: message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: message.content.flatMap((block) => (block.type === "tool_use" ? [[block.name, block.input]] : [])),
    input: message.usage.input_tokens + (message.usage.cache_read_input_tokens ?? 0) + (message.usage.cache_creation_input_tokens ?? 0),
  }).toEqual(whole);
  expect(message.stop_reason).toBe("tool_use");
});

test("OpenAI's own client reads the test server with responses", async () => {
  await using server = await open(responses);
  const client = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const { output, usage } = await client.responses.stream({ model: "m", input: "Look." }).finalResponse();
  expect({
    reasoning: output.map((item) => (item.type === "reasoning" ? item.summary.map(({ text }) => text).join("") : "")).join(""),
    text: output
      .flatMap((item) => (item.type === "message" ? item.content : []))
      .map((part) => (part.type === "output_text" ? part.text : ""))
      .join(""),
    calls: output.flatMap((item) => (item.type === "function_call" ? [[item.name, parsed(item.arguments)]] : [])),
    input: usage?.input_tokens,
  }).toEqual(whole);
});

test("OpenAI's own client reads the test server with chat completions", async () => {
  await using server = await open(chat);
  const client = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const stream = client.chat.completions.stream({
    model: "m",
    messages: [{ role: "user", content: "Look." }],
    stream_options: { include_usage: true },
  });
  const { choices, usage } = await stream.finalChatCompletion();
  const message = choices[0]?.message;
  expect({
    reasoning: reply.reasoning, // which is not part of OpenAI's own format
    text: message?.content,
    calls: message?.tool_calls?.map((call) => (call.type === "function" ? [call.function.name, parsed(call.function.arguments)] : [])),
    input: usage?.prompt_tokens,
  }).toEqual(whole);
  expect(choices[0]?.finish_reason).toBe("tool_calls");
});

test("Google's own client reads the test server", async () => {
  await using server = await open(google);
  const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: server.url.replace(/\/v1beta$/, "") } });
  const parts = [];
  let input: number | undefined;
  for await (const chunk of await client.models.generateContentStream({ model: "m", contents: "Look." })) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    input = chunk.usageMetadata?.promptTokenCount;
  }
  expect({
    reasoning: parts.map(({ thought, text = "" }) => (thought === true ? text : "")).join(""),
    text: parts.map(({ thought, text = "" }) => (thought === true ? "" : text)).join(""),
    calls: parts.flatMap(({ functionCall }) => (functionCall ? [[functionCall.name, functionCall.args]] : [])),
    input,
  }).toEqual(whole);
});
