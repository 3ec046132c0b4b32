import { describe, expect, test } from "vitest";
import type { Format } from "./support/wire/format.ts";
import { formats } from "./support/wire/index.ts";
import { ask, modelAt } from "./support/wire/model-at.ts";
import { WireServer } from "./support/wire/server.ts";

const bytes = { picture: Buffer.from("a picture"), pdf: Buffer.from("%PDF- of many pages") };
const images = [
  { blob: "picture", mediaType: "image/png" as const },
  { blob: "pdf", mediaType: "application/pdf" as const, name: "plan.pdf" },
];

/** How each format names the two, and a model of it that reads both. */
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
    pdf: /With this came plan\.pdf \(application\/pdf\), which you cannot read/,
  },
};

describe.each(formats)("$kind", (format: Format) => {
  test("a picture and a PDF go where the model reads them, and are told of where it does not", async () => {
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
    expect(body.includes(bytes.pdf.toString("base64"))).toBe(format.kind !== "openai-compatible");
  });
});
