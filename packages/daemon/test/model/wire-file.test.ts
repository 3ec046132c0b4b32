import { describe, expect, test } from "vitest";
import type { Message } from "@baton/core/session/context/build-messages";
import type { Format } from "../support/wire/format.ts";
import { bedrock } from "../support/wire/bedrock.ts";
import { formats } from "../support/wire/index.ts";
import { ask, modelAt } from "../support/wire/model-at.ts";
import { WireServer } from "../support/wire/server.ts";

const bytes = { picture: Buffer.from("a picture"), pdf: Buffer.from("%PDF- of many pages") };
const images = [
  { blob: "picture", mediaType: "image/png" as const },
  { blob: "pdf", mediaType: "application/pdf" as const, name: "plan.pdf" },
];

/** The names of the two in each format, and a model of it that reads both. */
const asked: Record<string, { model: string; picture: RegExp; pdf: RegExp }> = {
  anthropic: {
    model: "claude-sonnet-4-5",
    picture: /"type":"image","source":\{"type":"base64","media_type":"image\/png"/,
    pdf: /"type":"document"/,
  },
  openai: {
    model: "gpt-5.6",
    picture: /"type":"input_image","image_url":"data:image\/png;base64/,
    pdf: /"type":"input_file","filename":"plan.pdf"/,
  },
  google: { model: "gemini-3.1-pro-preview", picture: /"inlineData":\{"mimeType":"image\/png"/, pdf: /"mimeType":"application\/pdf"/ },
  "openai-compatible": {
    model: "m",
    picture: /"type":"image_url"/,
    pdf: /plan\.pdf \(PDF, 1 KB\) was attached here, but you cannot read it/,
  },
  bedrock: {
    model: bedrock.model,
    picture: /"image":\{"format":"png","source":\{"bytes"/,
    pdf: /plan\.pdf \(PDF, 1 KB\) was attached here, but you cannot read it/,
  },
};

/** A conversation in which a call returned a file to view. */
const looked: Message[] = [
  { role: "user", text: "What is in shot.png?" },
  { role: "assistant", text: "", calls: [{ id: "c1", tool: "read_file", input: { path: "shot.png" } }] },
  { role: "tool", results: [{ id: "c1", tool: "read_file", outcome: "ok", text: "shot.png and plan.pdf", images }] },
];

/** Its position now, and its position for earlier models. */
const within: [string, string, RegExp][] = [
  [
    "anthropic",
    "claude-sonnet-4-5",
    /"tool_result","tool_use_id":"c1","content":\[\{"type":"text".*?\},\{"type":"image".*?\},\{"type":"document"/,
  ],
  ["openai", "gpt-5.6", /"call_id":"c1","output":\[\{"type":"input_text".*?\},\{"type":"input_image".*?\},\{"type":"input_file"/],
  ["google", "gemini-3.1-pro-preview", /"functionResponse":\{.*?"parts":\[\{"inlineData":\{"mimeType":"image\/png"/],
  ["google", "gemini-2.5-flash", /"functionResponse":\{[^[]*\}\},\{"inlineData":\{"mimeType":"image\/png"/],
  ["bedrock", bedrock.model, /"toolResult":\{"toolUseId":"c1","content":\[\{"text".*?\},\{"image":\{"format":"png"/],
  [
    "openai-compatible",
    "m",
    /"role":"tool".*?follow the results\.".*?"role":"user","content":\[.*?result of read_file.*?"type":"image_url"/,
  ],
];

test.each(within)("%s, %s: a file that a call returned is in the result, if results may contain it", async (kind, model, place) => {
  const format = formats.find((each) => each.kind === kind);
  if (!format) throw new Error(`there is no format ${kind}`);
  await using server = await WireServer.start({ ...format, model }, { replies: [{}, { text: "A window." }] });
  const answer = await ask(await modelAt(server), {
    messages: looked,
    readBlob: (blob) => Promise.resolve(bytes[blob === "pdf" ? "pdf" : "picture"]),
  });
  expect(server.violations).toEqual([]);
  expect(answer).toMatchObject({ text: "A window." });
  expect(JSON.stringify(server.seen[0]?.body)).toMatch(place);
});

describe.each(formats)("$kind", (format: Format) => {
  test("an image and a PDF are sent if the model reads them, and a note is sent otherwise", async () => {
    const { model, picture, pdf } = asked[format.kind] ?? { model: "", picture: /never/, pdf: /never/ };
    await using server = await WireServer.start({ ...format, model }, { replies: [{ text: "I see." }] });
    const answer = await ask(await modelAt(server), {
      messages: [{ role: "user", text: "What is this?", images }],
      readBlob: (blob) => Promise.resolve(bytes[blob === "pdf" ? "pdf" : "picture"]),
    });
    expect(server.violations).toEqual([]);
    expect(answer).toMatchObject({ text: "I see." });
    const body = JSON.stringify(server.seen[0]?.body);
    expect(body).toMatch(picture);
    expect(body).toMatch(pdf);
    expect(body).toContain(bytes.picture.toString("base64"));
    expect(body.includes(bytes.pdf.toString("base64"))).toBe(!["openai-compatible", "bedrock"].includes(format.kind));
  });
});
