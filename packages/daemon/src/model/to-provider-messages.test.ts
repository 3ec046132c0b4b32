import type { Message } from "@baton/core/session/context/build-messages";
import { expect, test } from "vitest";
import type { ProviderDialect } from "./provider-dialect.ts";
import { toProviderMessages } from "./to-provider-messages.ts";

const picture = { blob: "h", mediaType: "image/png" as const };
const formed = (messages: readonly Message[], manner: Partial<ProviderDialect> = {}, id = "p/m") =>
  toProviderMessages(
    { system: "S", messages, readBlob: () => Promise.resolve(new Uint8Array([1, 2, 3])) },
    { id, manner: { reasoning: "signed", ...manner }, cache: new WeakMap() },
  );

const signed = { anthropic: { signature: "sig" } };
const reply: Message = {
  role: "assistant",
  text: "Before. After.",
  calls: [{ id: "c1", tool: "look", input: { a: 1 } }],
  reasoning: {
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

test("a reply goes back to its own model in its original order, with its signatures", async () => {
  const [, form] = await formed([reply]);
  expect(form?.content).toEqual([
    { type: "reasoning", text: "Hm. ", providerOptions: signed },
    { type: "text", text: "Before." },
    { type: "tool-call", toolCallId: "c1", toolName: "look", input: { a: 1 }, providerOptions: { google: { thoughtSignature: "g" } } },
    { type: "text", text: " After." },
  ]);
});

test("another model gets text and calls, and ids in characters that it accepts", async () => {
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

test("consecutive prompts become one message, and one text if all of them are text", async () => {
  const [, form, ...more] = await formed([
    { role: "user", text: "one" },
    { role: "user", text: "two" },
  ]);
  expect([form, more]).toEqual([{ role: "user", content: [{ type: "text", text: "one\n\ntwo" }] }, []]);
});

test("a model that reads no images gets a note about them", async () => {
  const message: Message = { role: "user", text: "Look", images: [picture] };
  const [seen, noted] = [await formed([message]), await formed([message], { cannotRead: () => true })];
  expect(seen[1]?.content).toMatchObject([{ type: "text" }, { type: "file", mediaType: "image/png" }]);
  expect(noted[1]?.content).toMatchObject([
    { type: "text" },
    { type: "text", text: expect.stringContaining("an image (PNG image, 1 KB) was attached here, but you cannot read it") as unknown },
  ]);
});

const shot: Message = {
  role: "tool",
  results: [
    { id: "c1", tool: "read_file", outcome: "ok", text: "shot.png", images: [{ ...picture, name: "shot.png" }] },
    { id: "c2", tool: "look", outcome: "ok", text: "x" },
  ],
};
const result = (toolCallId: string, toolName: string, output: unknown) => ({ type: "tool-result", toolCallId, toolName, output });
const file = { type: "file", mediaType: "image/png", filename: "shot.png", data: { type: "data", data: new Uint8Array([1, 2, 3]) } };

test("an image is in the result of its call, if results may contain images", async () => {
  const [, form, ...more] = await formed([shot]);
  expect(form?.content).toEqual([
    result("c1", "read_file", { type: "content", value: [{ type: "text", text: "shot.png" }, file] }),
    result("c2", "look", { type: "text", value: "x" }),
  ]);
  expect(more).toEqual([]);
});

test("if results may contain only text, the image follows all results and names its call", async () => {
  const after = await formed([shot, { role: "user", text: "And?" }], { inResults: () => false });
  expect(after.slice(1)).toEqual([
    {
      role: "tool",
      content: [
        result("c1", "read_file", { type: "text", value: "shot.png\nIts images follow the results." }),
        result("c2", "look", { type: "text", value: "x" }),
      ],
    },
    {
      role: "user",
      content: [{ type: "text", text: "[Attached to the result of read_file shot.png:]" }, file, { type: "text", text: "And?" }],
    },
  ]);
});

test("the result has a note if the model cannot see images, and if the image was removed", async () => {
  const textOf = async (form: Promise<Awaited<ReturnType<typeof formed>>>) => JSON.stringify((await form).slice(1));
  expect(await textOf(formed([shot], { cannotRead: () => true }))).toContain(
    "shot.png (PNG image, 1 KB) was attached here, but you cannot read it",
  );
  const gone = toProviderMessages(
    { system: "S", messages: [shot], readBlob: () => Promise.resolve(undefined) },
    { id: "p/m", manner: { reasoning: "none" }, cache: new WeakMap() },
  );
  expect(await textOf(gone)).toContain("shot.png was attached here, but it is no longer stored");
});

test("if the model must speak between results and a prompt, Baton adds a reply", async () => {
  const prompt = await formed([shot, { role: "user", text: "And?" }], { inResults: () => false, speaksAfterResults: true });
  expect(prompt.map(({ role }) => role)).toEqual(["system", "tool", "assistant", "user"]);
});

test("the cache mark is at the end of the system prompt and on the newest two messages that are not from the model", async () => {
  const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const tool: Message = { role: "tool", results: [{ id: "c1", tool: "look", outcome: "ok", text: "x" }] };
  const prompt = await formed([{ role: "user", text: "a" }, reply, tool, reply, tool], { cacheMark: mark });
  expect(prompt.map(({ providerOptions }) => providerOptions !== undefined)).toEqual([true, false, false, true, false, true]);
});

test("a text of only whitespace is left out", async () => {
  const [, form] = await formed([{ role: "assistant", text: " \n", calls: [{ id: "c", tool: "t", input: {} }] }]);
  expect(form?.content).toMatchObject([{ type: "tool-call" }]);
});
