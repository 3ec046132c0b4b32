import type { Message } from "@baton/core/session/messages";
import { expect, test } from "vitest";
import type { Manner } from "./manner.ts";
import { providerForm } from "./provider-form.ts";

const picture = { blob: "h", mediaType: "image/png" as const };
const formed = (messages: readonly Message[], manner: Partial<Manner> = {}, id = "p/m") =>
  providerForm(
    { system: "S", messages, readBlob: () => Promise.resolve(new Uint8Array([1, 2, 3])) },
    { id, manner: { reasoning: "signed", ...manner }, told: new WeakMap() },
  );

const signed = { anthropic: { signature: "sig" } };
const reply: Message = {
  role: "assistant",
  text: "Before. After.",
  calls: [{ id: "c1", tool: "look", input: { a: 1 } }],
  kept: {
    model: "p/m",
    reasoning: "Hm. Aha.",
    parts: [
      { kind: "reasoning", length: 4, meta: signed },
      { kind: "text", length: 7 },
      { kind: "call", meta: { google: { thoughtSignature: "g" } } },
      { kind: "reasoning", length: 4 },
      { kind: "text", length: 7 },
    ],
  },
};

test("a reply goes back to its own model in the order it came, with what was signed", async () => {
  const [, form] = await formed([reply]);
  expect(form?.content).toEqual([
    { type: "reasoning", text: "Hm. ", providerOptions: signed },
    { type: "text", text: "Before." },
    { type: "tool-call", toolCallId: "c1", toolName: "look", input: { a: 1 }, providerOptions: { google: { thoughtSignature: "g" } } },
    { type: "text", text: " After." },
  ]);
});

test("another model gets text and calls, and an id in letters that it takes", async () => {
  const [, form] = await formed(
    [{ ...reply, calls: [{ id: "functions.look:0", tool: "look", input: {} }] }],
    { callId: (id) => id.replaceAll(/\W/g, "_") },
    "p/other",
  );
  expect(form?.content).toEqual([
    { type: "text", text: "Before. After." },
    { type: "tool-call", toolCallId: "functions_look_0", toolName: "look", input: {} },
  ]);
});

test("prompts that follow each other are one message, and one text where they are texts", async () => {
  const [, form, ...more] = await formed([
    { role: "user", text: "one" },
    { role: "user", text: "two" },
  ]);
  expect([form, more]).toEqual([{ role: "user", content: [{ type: "text", text: "one\n\ntwo" }] }, []]);
});

test("a model that reads no pictures is told of them", async () => {
  const message: Message = { role: "user", text: "Look", images: [picture] };
  const [seen, told] = [await formed([message]), await formed([message], { cannotRead: () => true })];
  expect(seen[1]?.content).toMatchObject([{ type: "text" }, { type: "file", mediaType: "image/png" }]);
  expect(told[1]?.content).toMatchObject([
    { type: "text" },
    { type: "text", text: expect.stringContaining("(image/png), which you cannot read") as unknown },
  ]);
});

test("the mark stands at the end of the system prompt and on the newest two messages that are not the model's", async () => {
  const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const tool: Message = { role: "tool", results: [{ id: "c1", tool: "look", outcome: "ok", text: "x" }] };
  const prompt = await formed([{ role: "user", text: "a" }, reply, tool, reply, tool], { cacheMark: mark });
  expect(prompt.map(({ providerOptions }) => providerOptions !== undefined)).toEqual([true, false, false, true, false, true]);
});

test("what is nothing but space is no text", async () => {
  const [, form] = await formed([{ role: "assistant", text: " \n", calls: [{ id: "c", tool: "t", input: {} }] }]);
  expect(form?.content).toMatchObject([{ type: "tool-call" }]);
});
